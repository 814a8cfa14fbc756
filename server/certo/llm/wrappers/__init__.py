"""Wrappers around models: budget, cache, rate limit, retries, recording."""
