"""Wire formats of the providers, and the one door to HTTP."""
