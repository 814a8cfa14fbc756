"""pytest and doctest runs of the project."""
