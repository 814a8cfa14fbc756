"""A run in two processes, one for the tests and one for the candidate, which exchange plain data."""
