"""Candidates kept as git commits or files, and checked out again."""
