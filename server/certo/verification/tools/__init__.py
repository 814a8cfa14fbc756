"""The project's own linters, type checkers, formatter and custom checks."""
