"""Problems for the built-in generator, whose search runs to the end in real processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import dedent

from certo.edits.target import ByName, examples, find_target
from certo.generation.builtin.generator import BuiltinGenerator
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.generator import Ask, Declined, Proposal
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.guidance import UNGUIDED, Guidance
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem
from certo.vocabulary.verdict import Ruling
from support.projects.bare_environment import bare_interpreter

FOUND_ENOUGH = BuiltinOptions(seconds=40.0, plausible=3)


def stated(
    root: Path,
    source: str,
    qualname: str,
    *,
    tests: str = "",
    failing: Sequence[str] = (),
    passing: Sequence[str] = (),
    goal: Goal = Goal.REPAIR,
    path: str = "mod.py",
    others: Mapping[str, str] | None = None,
    instruction: str = "",
    guidance: Guidance = UNGUIDED,
) -> Problem:
    """Write a project and state the problem of one function; `failing` and `passing` name tests of `tests`.

    The examples of `guidance` count as red.
    """
    files = {path: source, "test_mod.py": dedent(tests), **(others or {})}
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode("utf-8"))
    target = find_target(source, ByName(qualname), path=path)
    found = examples(target, source)
    ids = [f"test_mod.py::{name}" for name in failing]
    ids += [example.id for example in (*found, *guidance.examples)]
    known = [KnownTest(id=one, ruling=Ruling.FAILED) for one in ids]
    known += [KnownTest(id=f"test_mod.py::{name}", ruling=Ruling.PASSED) for name in passing]
    return Problem(
        root=root,
        path=path,
        text=source,
        target=target,
        goal=goal,
        instruction=instruction,
        examples=found,
        baseline=Baseline(tests=tuple(known)),
        guidance=guidance,
    )


def generator(options: BuiltinOptions = FOUND_ENOUGH, seed: int = 0) -> BuiltinGenerator:
    """Return the generator on a plain process sandbox."""
    return BuiltinGenerator(LocalExecutor(SandboxOptions()), bare_interpreter(), options, seed)


async def searched(
    problem: Problem,
    options: BuiltinOptions = FOUND_ENOUGH,
    seed: int = 0,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[list[Proposal], Declined]:
    """Return every proposal of one search, in the order of its selection, and its end."""
    found: list[Proposal] = []
    async with generator(options, seed).open(problem, say) as proposer:
        while True:
            answer = await proposer.propose(Ask())
            if isinstance(answer, Declined):
                return list(await proposer.selection()) or found, answer
            found.append(answer)


def text_of(problem: Problem, proposal: Proposal) -> str:
    """Return the problem's text with a proposal applied."""
    text = problem.text
    for edit in sorted(proposal.edits, reverse=True):
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    return text
