"""Costs of candidates: lower is better, and the cheapest of equal candidates wins."""
