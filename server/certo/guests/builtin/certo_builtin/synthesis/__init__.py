"""Filling a hole: examples taken from its tests, expressions enumerated until one explains them."""
