"""A candidate that must keep behaviour is refused by the smallest call on which it acts otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from certo.edits.target import ByName, find_target
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.equivalence import EquivalenceVerifier
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Ruling, Verdict
from support.projects.bare_environment import bare_interpreter

TOTAL = """\
def total(prices: list[int]) -> int:
    amount = 0
    for price in prices:
        if price < 0:
            continue
        amount += price
    return amount
"""


async def judged(root: Path, new: str, *, text: str = TOTAL) -> Verdict:
    """The verdict on a new text of a module of one function."""
    (root / "shop.py").write_text(text, encoding="utf-8")
    name = text.removeprefix("def ").partition("(")[0]
    target = find_target(text, ByName(name), path="shop.py")
    problem = Problem(root=root, path="shop.py", text=text, target=target, goal=Goal.REWRITE, preserves=True)
    span = target.span
    edit = TextEdit(span, new.rstrip("\n"))
    whole = text[: span.start] + edit.replacement + text[span.end :]
    candidate = Candidate(id="1", edits=(edit,), text=whole, origin=Origin(generator="scripted", slot=0, attempt=0))
    return await EquivalenceVerifier(LocalExecutor(SandboxOptions()), bare_interpreter()).judge(candidate, problem)


async def test_difference_fails_with_its_call(tmp_path: Path) -> None:
    verdict = await judged(tmp_path, TOTAL.replace("            continue", "            pass"))
    assert verdict.ruling is Ruling.FAILED
    assert verdict.findings[0].message == "total([-1]) gives 0 in the text, and gives -1 with this candidate"


async def test_accident_of_the_candidate_counts(tmp_path: Path) -> None:
    """The text decides what is in the domain: a candidate that fails there by accident acts otherwise."""
    verdict = await judged(tmp_path, TOTAL.replace("amount = 0", "amount = prices[0] - prices[0]"))
    assert verdict.ruling is Ruling.FAILED
    assert "total([]) gives 0 in the text, and raises IndexError" in verdict.findings[0].message


async def test_no_difference_is_told_with_numbers(tmp_path: Path) -> None:
    new = "def total(prices: list[int]) -> int:\n    return sum(price for price in prices if price >= 0)\n"
    verdict = await judged(tmp_path, new)
    assert verdict.ruling is Ruling.PASSED
    [finding] = verdict.findings
    said = r"no difference found in \d+ calls; these calls notice \d+ of \d+ small changes; branches executed: \d+ of"
    assert re.match(said, finding.message)
    assert "equivalent" not in finding.message


@pytest.mark.slow
async def test_coming_back_is_no_difference(tmp_path: Path) -> None:
    text = "def down(n: int) -> int:\n    while n != 0:\n        n -= 1\n    return n\n"
    verdict = await judged(tmp_path, "def down(n: int) -> int:\n    return 0\n", text=text)
    assert verdict.ruling is Ruling.PASSED, verdict


async def test_nothing_compared_is_undecided(tmp_path: Path) -> None:
    text = "def pick(socket):\n    return socket.fileno()\n"
    verdict = await judged(tmp_path, text.replace("return ", "return 0 + "), text=text)
    assert verdict.ruling is Ruling.UNDECIDED
    assert verdict.findings[0].message.startswith("not compared with the text: every call raised AttributeError")


async def test_text_that_does_not_parse(tmp_path: Path) -> None:
    """With a full report the check runs although others have refused the candidate."""
    verdict = await judged(tmp_path, "def total(prices:\n")
    assert verdict.ruling is Ruling.UNDECIDED
    assert "invalid syntax" in verdict.findings[0].message or "was never closed" in verdict.findings[0].message


async def test_what_differs_once_is_undecided(tmp_path: Path) -> None:
    """A candidate that is right in the process with another hash seed alone is no candidate without a difference."""
    text = "import os\ndef same(n: int) -> int:\n    return n\n"
    new = "def same(n: int) -> int:\n    return n + (os.environ.get('PYTHONHASHSEED') == '0')\n"
    (tmp_path / "shop.py").write_text(text, encoding="utf-8")
    target = find_target(text, ByName("same"), path="shop.py")
    problem = Problem(root=tmp_path, path="shop.py", text=text, target=target, goal=Goal.REWRITE, preserves=True)
    edit = TextEdit(target.span, new.rstrip("\n"))
    whole = text[: target.span.start] + edit.replacement + text[target.span.end :]
    candidate = Candidate(id="1", edits=(edit,), text=whole, origin=Origin(generator="scripted", slot=0, attempt=0))
    verdict = await EquivalenceVerifier(LocalExecutor(SandboxOptions()), bare_interpreter()).judge(candidate, problem)
    assert verdict.ruling is Ruling.UNDECIDED
    assert "differs from it in one process and not in the next" in verdict.findings[0].message
