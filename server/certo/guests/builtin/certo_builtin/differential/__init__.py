"""Differential testing: the calls that the tests make, and the outcome of a call in each candidate."""
