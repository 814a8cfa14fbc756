"""A shop of little functions on disk, with right bodies for them, for tests of the editor's features."""

from __future__ import annotations

from pathlib import Path

TOTAL = '''\
def total(prices):
    """Add the prices up.

    >>> total([1, 2])
    3
    >>> total([])
    0
    """
    ...
'''
"""A hole with two doctest examples; doctests are what runs fastest."""

TOTAL_DONE = TOTAL.replace("    ...\n", "    return sum(prices)\n")
TOTAL_WRONG = TOTAL.replace("    ...\n", "    return 3\n")

DOUBLE = '''

def double(n):
    """Take it twice.

    >>> double(3)
    6
    """
    return n + 3
'''
"""A function that passes its only example by chance."""

TRIPLE = '''

def triple(n):
    """Take it three times.

    >>> triple(3)
    9
    """
    return n * 2
'''
"""A function with a red example."""

TRIPLE_DONE = TRIPLE.replace("n * 2", "n * 3").strip("\n") + "\n"


def build_shop(root: Path, text: str = TOTAL + DOUBLE + TRIPLE, *, newline: str = "\n") -> Path:
    """Write a project with one module, `shop.py`, and return its root."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\n')
    (root / "shop.py").write_bytes(text.replace("\n", newline).encode())
    return root
