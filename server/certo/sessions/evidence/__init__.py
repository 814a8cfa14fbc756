"""Evidence that certo makes itself: test strength, written tests, and differences of behaviour."""
