"""Verifiers that only read the candidate."""
