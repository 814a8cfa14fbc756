"""Generators of candidates."""
