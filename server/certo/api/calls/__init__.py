"""Calls of a model that are made when they are wanted, kept in a tree, and tried again until a condition holds."""
