"""A module whose function `double` is wrong, and a test that says so."""

from __future__ import annotations

SUMS = '''\
"""Sums."""


def double(n):
    """Twice n.

    >>> double(2)
    4
    """
    return n * 3


def other():
    return 1
'''
TESTS = "from sums import double\n\n\ndef test_double():\n    assert double(5) == 10\n"
