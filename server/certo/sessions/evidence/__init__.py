"""Evidence that certo makes itself: tests written for a function."""
