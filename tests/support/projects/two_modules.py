"""A project with a failing test that two modules are to blame for, and the texts that repair it."""

from __future__ import annotations

from pathlib import Path

from support.projects.projects import write_project

PRICES = "def net(cents):\n    return cents\n"
TILL = "from shop.prices import net\n\n\ndef total(prices):\n    return max(net(each) for each in prices)\n"
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\n',
    "shop/__init__.py": "",
    "shop/prices.py": PRICES,
    "shop/till.py": TILL,
    "tests/test_till.py": """\
        from shop.till import total

        def test_total():
            assert total([119, 238]) == 300
    """,
    "tests/test_prices.py": """\
        from shop.prices import net

        def test_nothing():
            assert net(0) == 0
    """,
}

TOTAL = "def total(prices):\n    return sum(net(each) for each in prices)\n"
TILL_DONE = TILL.replace("max", "sum")
PRICES_DONE = "def net(cents):\n    return round(cents / 1.19)\n"
PRICES_BREAKING = "def net(cents):\n    return {119: 100, 238: 200}.get(cents, cents + 1)\n"
"""It mends the red test, and breaks the green one."""


def build(root: Path) -> Path:
    """Write the project and return its root."""
    return write_project(root, FILES)
