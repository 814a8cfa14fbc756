"""Running what we do not trust: the executor contract and the local sandbox."""
