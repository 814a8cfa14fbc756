"""The runs of commands that need a search or tests; they are imported while the sandbox starts."""
