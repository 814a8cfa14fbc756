"""One client's world: its documents, its live searches, and how the parts are put together."""
