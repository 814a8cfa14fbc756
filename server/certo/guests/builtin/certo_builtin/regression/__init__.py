"""Regression tests: calls that are worth a test, what to assert of them, and the filter of the tests written."""
