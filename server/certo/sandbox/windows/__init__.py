"""Runs in Windows job objects."""
