"""What a call changes or tells beside its result is compared too."""

from __future__ import annotations

from pathlib import Path

import pytest

from behaviour.test_version_comparison import FEW, compared, first

MODULE = """\
import logging, os, sys, warnings
import settings
from settings import LIMITS, Till

CACHE = {{"one": [1]}}


def f(n: int, xs: list[int]):
    {}
"""

SETTINGS = """\
LIMITS = {"low": [1]}
DEBUG = False


class Till:
    opened = 0

    def __init__(self):
        self.items = []


TILL = Till()


def helper():
    return TILL
"""

CASES = {
    "global of another module": ("settings.DEBUG = n; return n", "state", "0, leaving settings.DEBUG = 0"),
    "list of another module": (
        "LIMITS['low'].append(n); return n",
        "state",
        "0, leaving LIMITS['low'] = [1, 0]",
    ),
    "object of another module": (
        "settings.TILL.items.append(n); return n",
        "state",
        "0, leaving settings.TILL['items'] = [0]",
    ),
    "attribute of a class": ("Till.opened += 1; return n", "state", "0, leaving Till.opened = 1"),
    "attribute of a function": ("settings.helper.calls = 1; return n", "state", "0, leaving helper.calls = 1"),
    "file elsewhere": (
        "open(os.path.expanduser('~/a'), 'w').write('b'); return n",
        "state",
        "0, leaving home/a is written: b'b'",
    ),
    "standard error": ("print(n, file=sys.stderr); return n", "output", "0, writing to standard error 0\n"),
    "log record": ("logging.getLogger('a').error('no %s', n); return n", "log", "0, logging ERROR a: no 0"),
    "warning": ("warnings.warn('old'); return n", "log", "0, logging UserWarning: old"),
    "exit status": ("sys.exit(3)", "exception", "raises SystemExit: 3"),
}


@pytest.mark.usual_cases("global of another module")
@pytest.mark.parametrize("case", CASES)
async def test_what_a_call_leaves_or_tells(tmp_path: Path, case: str) -> None:
    (tmp_path / "settings.py").write_text(SETTINGS, encoding="utf-8")
    body, kind, words = CASES[case]
    other = "sys.exit(4)" if case == "exit status" else "return n"
    found = await compared(tmp_path, "f", MODULE.format(body), MODULE.format(other), budget=FEW)
    assert first(found)[::2] == (kind, words)
    # The same change in both versions is none.
    found = await compared(tmp_path, "f", MODULE.format(body), MODULE.format(f"{body}  # again"), budget=FEW)
    assert (found.versions[0].differences, found.versions[0].compared > 20) == ((), True)


@pytest.mark.usual_cases("return xs-return list(xs)-[], where the result is argument 2")
@pytest.mark.parametrize(
    ("body", "other", "words"),
    [
        ("return xs", "return list(xs)", "[], where the result is argument 2"),
        ("return [xs, n]", "return [xs[:], n]", "[[], 0], where the result[0] is argument 2"),
        ("return CACHE['one']", "return [1]", "[1], where the result is CACHE['one']"),
    ],
)
async def test_results_that_share(tmp_path: Path, body: str, other: str, words: str) -> None:
    (tmp_path / "settings.py").write_text(SETTINGS, encoding="utf-8")
    found = await compared(tmp_path, "f", MODULE.format(body), MODULE.format(other), budget=FEW)
    kind, _, before, _ = first(found)
    assert (kind, before) == ("sharing", words)
    assert found.versions[0].differences[0].is_slight


async def test_members_of_enumerations_are_no_parts(tmp_path: Path) -> None:
    text = "import enum\nclass Light(enum.Enum):\n    RED = 1\n    GREEN = 2\n\ndef f(light: Light):\n    return {}\n"
    found = await compared(tmp_path, "f", text.format("Light.RED"), text.format("Light['RED']"), budget=FEW)
    assert (found.versions[0].differences, found.versions[0].compared) == ((), 2)
