"""Blocks of a text: a change counts for the function it is in, or for the module around the functions."""

from __future__ import annotations

from textwrap import dedent

import pytest

from certo.analysis.code_blocks import code_blocks

TEXT = dedent("""\
    import os

    RATE = 3

    def double(x, by=2):
        '''Twice.'''
        def inner():
            return by
        return x * inner()

    class Till:
        @property
        def total(self):
            return sum(self.coins)

        @total.setter
        def total(self, coins):
            self.coins = coins

    @functools.lru_cache
    def slow(x):
        return x ** 9

    if RATE:
        def half(x): return x / 2
    """)


def test_functions_have_names_and_lines():
    blocks = code_blocks(TEXT)
    assert list(blocks.functions) == ["double#0", "Till.total#0", "Till.total#1", "slow#0", "half#0"]
    lines = dict(enumerate(TEXT.splitlines(), 1))
    named = {text.strip(): blocks.at(line) for line, text in lines.items()}
    assert named["RATE = 3"] is None
    assert named["class Till:"] is None
    assert named["return by"] == "double#0"
    assert named["@total.setter"] == "Till.total#1"
    assert named["self.coins = coins"] == "Till.total#1"
    assert named["def half(x): return x / 2"] == "half#0"


@pytest.mark.parametrize(
    ("before", "after", "functions", "module"),
    [
        ("x * inner()", "x + inner()", {"double#0"}, False),
        ("return by", "return 2", {"double#0"}, False),
        ("self.coins = coins", "self.coins = []", {"Till.total#1"}, False),
        ("RATE = 3", "RATE = 4", set(), True),
        ("by=2", "by=3", {"double#0"}, True),
        ("x ** 9", "x ** 8", {"slow#0"}, True),
        ("return x / 2", "return x // 2", {"half#0"}, True),
        ("RATE = 3\n", "RATE = 3\n\n# Three.\n", set(), False),
    ],
)
def test_a_change_counts_where_it_is(before, after, functions, module):
    old, new = code_blocks(TEXT), code_blocks(TEXT.replace(before, after, 1))
    assert old.functions.keys() == new.functions.keys()
    assert {name for name in old.functions if old.functions[name] != new.functions[name]} == functions
    assert (old.module != new.module) is module
    assert old.whole != new.whole


def test_unreadable_text_is_one_block():
    blocks = code_blocks("def double(:\n")
    assert (blocks.module, blocks.functions, blocks.at(1)) == (blocks.whole, {}, None)
