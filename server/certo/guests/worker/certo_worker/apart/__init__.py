"""A run in two processes: the tests in one, the candidate in another, and plain data between them."""
