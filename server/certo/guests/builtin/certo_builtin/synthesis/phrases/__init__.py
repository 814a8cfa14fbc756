"""Phrases of docstrings: what they suggest for a body, and when they ask for a refusal."""
