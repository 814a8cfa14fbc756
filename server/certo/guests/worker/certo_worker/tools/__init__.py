"""Linters and type checkers that read a candidate."""
