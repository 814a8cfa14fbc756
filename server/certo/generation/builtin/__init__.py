"""The generator without a model: search-based repair and synthesis."""
