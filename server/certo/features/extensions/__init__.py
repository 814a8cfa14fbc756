"""The `certo/*` requests, one file for each group of methods."""
