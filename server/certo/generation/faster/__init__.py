"""Candidates that do the same faster: mechanical changes of the syntax tree, each with a condition on its place."""
