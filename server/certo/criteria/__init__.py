"""Judgement in plain language: sampled from a model, parsed, put together by votes or numbers."""
