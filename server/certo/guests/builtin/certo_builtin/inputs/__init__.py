"""Inputs for a function: values of a kind, the smallest first, values near others, and simpler ones."""
