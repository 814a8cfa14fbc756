"""Durable data: the journal of every search, one file per project."""
