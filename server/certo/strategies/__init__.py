"""What to try next, one strategy a file."""
