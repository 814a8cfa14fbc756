"""Regression tests: written for a function as it is, without a language model, and filtered in the sandbox."""
