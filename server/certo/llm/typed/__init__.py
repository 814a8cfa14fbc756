"""Answers of a given type or JSON schema."""
