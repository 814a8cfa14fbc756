"""Linters and type checkers reading a candidate."""
