"""Strategies, which decide what to try next: one per file."""
