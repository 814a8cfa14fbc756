"""Wire formats of the providers, and the single module that uses HTTP."""
