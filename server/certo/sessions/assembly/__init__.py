"""From a request to a stated problem and the parts of a search."""
