"""certo's shell around a worker program: standard library only, Python 3.8 and later, nothing of certo imported."""
