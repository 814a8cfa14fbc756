"""Our own `certo/*` requests, one file for each group of methods."""
