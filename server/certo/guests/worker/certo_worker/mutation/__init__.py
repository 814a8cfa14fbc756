"""Mutants of the target's behaviour: a test that passes on all of them does not depend on the target."""
