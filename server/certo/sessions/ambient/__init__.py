"""Repairs that nobody asked for: begun by a failing test, shown only once they are verified."""
