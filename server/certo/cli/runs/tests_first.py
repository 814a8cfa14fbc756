"""Tests before a search: the user ticks what a function does rightly today, and says what it should do otherwise.

Only these count: what a broken function does is no truth, so no test is written that nobody has ticked.
"""

from __future__ import annotations

import os
import sys
from dataclasses import field, replace

import anyio
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from certo.cli.signals import ended_by_signals
from certo.cli.tests import remember_tests
from certo.cli.view.terminal import waiting
from certo.edits.examples import examples_in
from certo.edits.file_update import FileReplacement, replace_texts
from certo.presentation.written_tests import counted, reason_in_words
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.evidence.written_tests import CurrentTests, write_tests_of_current
from certo.vocabulary.display import one_line, visible
from certo.vocabulary.errors import BadRequest, BadSetting
from certo.vocabulary.guidance import Example
from certo.vocabulary.records import dataclass

YES = ("y", "yes")
NO = ("", "n", "no")


@dataclass(slots=True)
class _Ticked:
    """The user's answers: the names of the tests that are right, and examples of what should be otherwise."""

    names: set[str] = field(default_factory=set)
    examples: list[Example] = field(default_factory=list)


async def with_ticked_tests(request: Request, progress: Console) -> Request | None:
    """Offer tests of the function, and add those that the user ticks; return the request to search with.

    Return None if there is nothing to search by.

    Raises:
        BadRequest: The tests cannot be written.
        BrokenWorld: Nothing can be run here.
        KeyboardInterrupt: The user ended it.
    """
    plain = replace(request, tests_first=False)
    name = resolve_request(plain, os.environ).target.short_name
    progress.print(
        Text(
            f"No test reaches {name}. Candidates can be verified by tests of what it does today, if you say which of "
            "that is right."
        ),
        soft_wrap=True,
    )
    if await _answer(progress, "write such tests? [Y/n] ") in NO[1:]:
        return plain if _has_other_aim(plain) else None
    current = await _written(plain, progress)
    ticked = _Ticked()
    if current.written.reason:
        progress.print(Text(one_line(current.written.reason), "open"), soft_wrap=True)
    await _ask_about(current, ticked, progress)
    if ticked.names:
        path, before, after = current.replacement(ticked.names)
        file = current.resolved.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_texts([FileReplacement(path=file, before=before, after=after)])
        await remember_tests(current, ticked.names, progress, are_right=True)
        progress.print(Text(f"added {counted(len(ticked.names), 'test')} to {path}\n", "quiet"), soft_wrap=True)
    if not ticked.names and not ticked.examples:
        return plain if _has_other_aim(plain) else None
    guidance = replace(plain.guidance, examples=(*plain.guidance.examples, *ticked.examples))
    return replace(plain, guidance=guidance)


def _has_other_aim(request: Request) -> bool:
    return bool(request.instruction or request.goal or request.guidance.prose)


async def _written(request: Request, progress: Console) -> CurrentTests:
    resolved = resolve_request(request, os.environ)
    current = None
    async with ended_by_signals() as ending, waiting(progress) as say:
        context = await find_execution_context(resolved, os.environ)
        current = await write_tests_of_current(resolved, context, say)
    if ending.signal is not None or current is None:
        raise KeyboardInterrupt
    return current


async def _ask_about(current: CurrentTests, ticked: _Ticked, progress: Console) -> None:
    """Ask about each test, and about each call whose result looks wrong."""
    for test in current.written.tests:
        progress.print(Text.assemble(("? ", "open"), (f"{one_line(test.call)} {one_line(test.result)}", "bold")))
        reason = (
            Text(f"  {one_line(test.doubt)}", "bad")
            if test.doubt
            else Text(f"  {one_line(reason_in_words(test))}", "quiet")
        )
        progress.print(reason, soft_wrap=True)
        source = "\n".join(f"  {line}" for line in test.source.splitlines())
        progress.print(Syntax(source, "python", background_color="default"))
        question = "right? [y/N] " if test.held else "right? [y/N, or what it should give] "
        if await _is_right(question, test.call, ticked, progress, takes_value=not test.held):
            ticked.names.add(test.name)
    asked = {test.call for test in current.written.tests}
    for one in current.written.suspicious:
        if one.call in asked:
            continue
        said = f"{one_line(one.call)} {one_line(one.result)}"
        progress.print(Text.assemble(("LOOKS WRONG  ", "bad"), (said, "bold"), f": {one.why}"), soft_wrap=True)
        await _is_right("what should it give? [Enter leaves it open] ", one.call, ticked, progress, takes_value=True)


async def _is_right(question: str, call: str, ticked: _Ticked, progress: Console, *, takes_value: bool) -> bool:
    """Return True if the user ticks a call; keep what it should give instead."""
    while True:
        said = await _answer(progress, question)
        if said in YES or said in NO:
            return said in YES
        if not takes_value:
            continue
        try:
            ticked.examples += examples_in(f"{call} == {said}", after=len(ticked.examples))
        except BadSetting as error:
            progress.print(Text(visible(str(error)), "open"), soft_wrap=True)
            continue
        return False


async def _answer(progress: Console, question: str) -> str:
    """Return a line that the user typed; yes and no in lower case.

    Raises:
        KeyboardInterrupt: The user ended the command instead.
        BadRequest: The terminal was closed.
    """
    progress.print(Text(question, "place"), end="")
    async with ended_by_signals() as ending:
        await anyio.wait_readable(sys.stdin)
        line = sys.stdin.readline()
        if not line:
            raise BadRequest("the terminal was closed; nothing was searched for")
        plain = line.strip()
        return plain.lower() if plain.lower() in _WORDS else plain
    raise KeyboardInterrupt if ending.signal is not None else RuntimeError("a question ended without an answer")


_WORDS = frozenset((*YES, *NO))
