"""Assertions broken on purpose: only a forged candidate, whose objects equal anything, passes one of them."""
