"""Synthesis: examples are taken from a hole's tests, and expressions enumerated until one explains them."""
