"""certo's shell around a worker program: standard library only, Python 3.8 and later, nothing of certo imported."""

STANDS_FOR = "_certo_stands_for"
"""Attribute of a function of ours: the module and name of that of the library in whose place it is."""
