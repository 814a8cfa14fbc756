"""The filter of written tests: they pass in several orders and processes, and fail when they should."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from certo.behaviour.subject import Subject
from certo.generation.regression.test_file import NewTest, TestFileWriter
from certo.guests import BUILTIN_HOME
from certo.sandbox.executor import Message, Program
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit

PROGRAM = Program(home=BUILTIN_HOME, module="certo_builtin.regression.gate")

SECONDS = 20.0
PASSES = 3
"""Number of times that each test has to pass: in the order of the file, reversed, and again."""

OTHER_HASH_SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class KillClaim:
    """A test, and the numbers of the mutants that it was written to notice."""

    test: NewTest
    mutants: tuple[int, ...]
    is_needed: bool
    """True if it executes a branch that no other test does."""


@dataclass(slots=True)
class GateResult:
    """Results of the runs for each test, by what it is called within its file."""

    passes: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    red: dict[str, set[str]] = field(default_factory=dict)
    is_done: bool = False
    problem: str = ""

    def hear(self, message: Message) -> None:
        """Take one message: its sender shares a process with the user's code."""
        match message:
            case {"kind": "pass", "id": str(test), "ended": str(ended), "said": str(said)}:
                if ended == "call passed":
                    self.passes[test] = self.passes.get(test, 0) + 1
                else:
                    self.wrong.setdefault(test, f"{ended}: {said}" if said else ended)
            case {"kind": "force", "id": str(test), "what": str(what), "red": bool(red)}:
                if red:
                    self.red.setdefault(test, set()).add(what)
                elif what == "broken":
                    self.wrong.setdefault(test, "it passes with a broken assertion")
            case {"kind": "done", "problem": str(problem)}:
                self.is_done = True
                self.problem = self.problem or problem


async def filter_tests(
    subject: Subject,
    path: str,
    writer: TestFileWriter,
    claims: Sequence[KillClaim],
    mutants: Mapping[int, Sequence[TextEdit]],
) -> tuple[dict[str, tuple[int, ...]], GateResult]:
    """Return the tests that pass the filter by name, each with the mutants that it does notice.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    tests = [claim.test for claim in claims]
    broken = [(test.name, number) for test in tests for number in range(len(test.body.assertions))]
    result = GateResult()
    told = [
        {
            "id": writer.within_file(claim.test.name),
            "broken": [
                writer.within_file(writer.broken_name(claim.test.name, number))
                for number in range(len(claim.test.body.assertions))
            ],
            "mutants": list(claim.mutants),
        }
        for claim in claims
    ]
    edits = {
        str(number): [[edit.span.start, edit.span.end, edit.replacement] for edit in mutants[number]]
        for claim in claims
        for number in claim.mutants
    }
    request = {**subject.wire, "file": path, "tests": told, "edits": edits, "seconds": SECONDS}
    with_broken = writer.text(tests, broken)
    await _run(subject, path, with_broken, {**request, "orders": [False], "force": True}, 0, result)
    if result.is_done and not result.problem:
        again = {**request, "orders": [True, False], "force": False}
        await _run(subject, path, writer.text(tests), again, OTHER_HASH_SEED, result)
    kept: dict[str, tuple[int, ...]] = {}
    for claim in claims:
        test = writer.within_file(claim.test.name)
        if test in result.wrong or result.passes.get(test, 0) < PASSES or "broken" not in result.red.get(test, set()):
            continue
        noticed = tuple(number for number in claim.mutants if str(number) in result.red[test])
        if noticed or claim.is_needed:
            kept[claim.test.name] = noticed
    return kept, result


async def run_once(subject: Subject, path: str, writer: TestFileWriter, tests: Sequence[NewTest]) -> GateResult:
    """Return how tests end that run once on the subject.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    result = GateResult()
    told = [{"id": writer.within_file(test.name), "broken": [], "mutants": []} for test in tests]
    request = {**subject.wire, "file": path, "tests": told, "edits": {}, "seconds": SECONDS}
    await _run(subject, path, writer.text(tests), {**request, "orders": [False], "force": False}, 0, result)
    return result


async def _run(
    subject: Subject, path: str, text: str, request: Mapping[str, Any], hash_seed: int, result: GateResult
) -> None:
    work = subject.work(PROGRAM, {**request, "source": text}, SECONDS, hash_seed=hash_seed)
    finished = await subject.executor.run(
        replace(work, overlay={**work.overlay, path: text}),
        result.hear,
    )
    if not result.is_done:
        printed = finished.printed.strip().splitlines()
        result.problem = printed[-1] if printed else f"the run {finished.ending.value}"
