"""Differential testing: the search for a call on which two candidates differ."""
