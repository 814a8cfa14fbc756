"""Measurement of how fast versions of a function are."""
