"""Related code elsewhere in the project: definitions used by the target, and its callers; found once per problem."""

from __future__ import annotations

import re
from pathlib import Path

import anyio

import certo
from certo.edits.offsets import SourceMap
from certo.generation.model.code_blocks import fenced
from certo.generation.model.conversation import characters_for
from certo.generation.model.project_excerpts import may_quote
from certo.sandbox.executor import Executor, Limits, Message, Program, Work, own_interpreter
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.problem import Problem

PROGRAM = Program(home=Path(certo.__file__).resolve().parents[1], module="certo.generation.model.related_code_finder")

SECONDS = 5.0
"""Time limit of the search, whose results so far are used. It takes about one second of processor time."""

_HEADINGS = {"definition": "Used by the function, from", "call": "A call of the function, from"}


class RelatedCode:
    """Related code of one problem within a number of tokens; 0 disables the search.

    The search takes at most `seconds`.
    """

    def __init__(self, problem: Problem, executor: Executor, tokens: int, *, seconds: float = SECONDS) -> None:
        self._problem = problem
        self._executor = executor
        self._tokens = tokens
        self._seconds = seconds
        self._lock = anyio.Lock()
        self._text: str | None = None if tokens else ""

    async def text(self) -> str:
        """Return the related code for a prompt; the first caller starts the search, the others wait for it.

        It is optional: if the search fails, the text is empty.
        """
        async with self._lock:
            if self._text is None:
                self._text = shown(await self._look(), characters_for(self._tokens))
            return self._text

    async def _look(self) -> list[Message]:
        found: list[Message] = []
        problem = self._problem
        work = Work(
            program=PROGRAM,
            request=_request(problem),
            interpreter=own_interpreter(),
            root=problem.root,
            overlay=problem.unsaved,
            limits=Limits.within(self._seconds),
        )
        try:
            await self._executor.run(work, found.append)
        except BrokenWorld:
            return []
        return [each for each in found if may_quote(problem, each["path"])]


def shown(found: list[Message], characters: int) -> str:
    """Return results as blocks, the nearest first, as many as fit."""
    blocks: list[str] = []
    for each in found:
        block = f"{_HEADINGS[each['kind']]} {each['path']}:{each['line']}\n\n{fenced(each['code'])}"
        if len(block) + 2 <= characters:
            blocks.append(block)
            characters -= len(block) + 2
    return "\n\n".join(blocks)


def _request(problem: Problem) -> Message:
    """Return the request to `related_code_finder`."""
    source, target = SourceMap(problem.text), problem.target
    name = re.search(rf"\bdef\s+({re.escape(target.name)})\b", source.line_text(target.line))
    tests = {test.id.partition("::")[0] for test in problem.baseline.tests if not test.is_doctest}
    return {
        "root": str(problem.root),
        "path": problem.path,
        "text": problem.text,
        "first": source.line_of(target.span.start),
        "last": source.line_of(target.span.end),
        "line": target.line,
        # A name that Python normalizes to another spelling has no calls that could be found.
        "column": name.start(1) if name else 0,
        "shown": sorted({problem.path, *tests}),
    }
