"""Texts whose parts are divided by a separator are joined at once, and give the same for empty parts."""

from __future__ import annotations

from textwrap import dedent

import pytest

from generation.faster.test_templates import called, changes

NOTE = "a text joined with its separator"

CASES = {
    "divided": (
        """
        def f(xs):
            out = ""
            for x in xs:
                if out == "":
                    out = x
                else:
                    out = out + ", " + x
            return out
        """,
        "out = ', '.join(parts)",
        "f(['', 'a', '', 'b']), f([])",
    ),
    "divided in front": (
        """
        def f(xs):
            out = ""
            for x in xs:
                if out:
                    out = x.upper() + "-" + out
                else:
                    out = x.upper()
            return out
        """,
        "out = '-'.join(reversed(parts))",
        "f(['', 'a', '', 'b']), f([])",
    ),
    "divided first": (
        """
        def f(xs):
            out = ""
            for x in xs:
                if out:
                    out += ";"
                out += x
            return out
        """,
        "out = ';'.join(parts)",
        "f(['', 'a', '', 'b']), f([])",
    ),
    "numbered": (
        """
        def f(xs):
            out = "<"
            for i, x in enumerate(xs):
                if i > 0:
                    out += ","
                out += x.strip()
            return out + ">"
        """,
        "out += ','.join([x.strip() for x in xs])",
        "f(['', 'a ', '', 'b']), f([])",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_parts_are_joined_at_once(name: str) -> None:
    source, part, call = CASES[name]
    made = [one.text for one in changes(source) if one.notes == (NOTE,)]
    assert any(part in one for one in made), made
    for one in made:
        assert called(one, call) == called(dedent(source), call)


EXCLUDED = {
    "is read within": "out = ''\n    for x in xs:\n        if out:\n            out += ','\n        out += x + out",
    "begins otherwise": "out = '<'\n    for x in xs:\n        if out:\n            out += ','\n        out += x",
    "is left early": (
        "out = ''\n    for x in xs:\n        if out:\n            out += ','\n        out += x\n"
        "        if x == '.':\n            return out"
    ),
    "has no text between": "out = ''\n    for x in xs:\n        if out:\n            out += x\n        out += x",
    "is not the first": (
        "out = ''\n    for i, x in enumerate(xs):\n        if i > 1:\n            out += ','\n        out += x"
    ),
    "names the place": (
        "out = ''\n    for i, x in enumerate(xs):\n        if i:\n            out += ','\n        out += x * i"
    ),
}


@pytest.mark.parametrize("name", EXCLUDED)
def test_other_loops_stay(name: str) -> None:
    source = f"def f(xs):\n    {EXCLUDED[name]}\n    return out\n"
    assert [one.text for one in changes(source) if one.notes == (NOTE,)] == []
