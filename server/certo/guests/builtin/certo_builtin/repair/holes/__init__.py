"""Holes: expressions for suspicious places, enumerated from what the places should have given."""
