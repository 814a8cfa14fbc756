"""Holes: expressions for suspicious places, enumerated to give the required values."""
