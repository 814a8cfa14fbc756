"""Related code elsewhere in the project: definitions used by the target, and its callers; found once per problem."""

from __future__ import annotations

import os
from pathlib import Path

import anyio

import certo
from certo.edits.offsets import SourceMap
from certo.generation.generator import ProblemPreview
from certo.generation.model.code_blocks import fenced
from certo.generation.model.conversation import characters_for
from certo.generation.model.project_excerpts import may_quote
from certo.sandbox.executor import Executor, Limits, Message, Program, Work, own_interpreter
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.problem import Problem

PROGRAM = Program(home=Path(certo.__file__).resolve().parents[1], module="certo.generation.model.related_code_finder")

SECONDS = 5.0
"""Time limit of the search, whose results so far are used. It takes a tenth of a second in most projects."""

_MAX_DIRECTORIES = 500
"""Number of directories that are listed to see whether there is other code at all."""

_HEADINGS = {"definition": "Used by the function, from", "call": "A call of the function, from"}


class RelatedCode:
    """Related code of one problem within a number of tokens; 0 disables the search.

    The search takes at most `seconds`.
    """

    def __init__(self, preview: ProblemPreview, executor: Executor, tokens: int, *, seconds: float = SECONDS) -> None:
        self._preview = preview
        self._executor = executor
        self._tokens = tokens
        self._seconds = seconds
        self._lock = anyio.Lock()
        self._found: list[Message] | None = None if tokens else []

    async def look(self) -> None:
        """Search for related code; the first caller starts the search, the others wait for it."""
        async with self._lock:
            if self._found is None:
                self._found = await self._look()

    async def text(self, problem: Problem) -> str:
        """Return the related code for a prompt about the stated problem.

        It is optional: if the search fails, the text is empty. Calls in test files of the problem are left out, because
        a prompt has its tests anyway.
        """
        await self.look()
        tests = {test.id.partition("::")[0] for test in problem.baseline.tests if not test.is_doctest}
        found = [each for each in self._found or () if each["kind"] != "call" or each["path"] not in tests]
        return shown([each for each in found if may_quote(problem, each["path"])], characters_for(self._tokens))

    async def _look(self) -> list[Message]:
        found: list[Message] = []
        preview = self._preview
        if not _has_other_code(preview):
            return found
        work = Work(
            program=PROGRAM,
            request=_request(preview),
            interpreter=own_interpreter(),
            root=preview.root,
            overlay=preview.unsaved,
            limits=Limits.within(self._seconds),
            # The tests run beside it, and need the slots.
            standing=True,
        )
        try:
            await self._executor.run(work, found.append)
        except BrokenWorld:
            return []
        return found


def _has_other_code(preview: ProblemPreview) -> bool:
    """True if the project has other Python files, or so many directories that it may."""
    document = preview.root / preview.path
    for number, (place, _, names) in enumerate(os.walk(preview.root)):
        if number == _MAX_DIRECTORIES or any(name.endswith(".py") and Path(place, name) != document for name in names):
            return True
    return any(path.endswith(".py") for path in preview.unsaved)


def shown(found: list[Message], characters: int) -> str:
    """Return results as blocks, the nearest first, as many as fit."""
    blocks: list[str] = []
    for each in found:
        block = f"{_HEADINGS[each['kind']]} {each['path']}:{each['line']}\n\n{fenced(each['code'])}"
        if len(block) + 2 <= characters:
            blocks.append(block)
            characters -= len(block) + 2
    return "\n\n".join(blocks)


def _request(preview: ProblemPreview) -> Message:
    """Return the request to `related_code_finder`."""
    source, target = SourceMap(preview.text), preview.target
    return {
        "root": str(preview.root),
        "path": preview.path,
        "text": preview.text,
        "texts": dict(preview.unsaved),
        "first": source.line_of(target.span.start),
        "last": source.line_of(target.span.end),
        "line": target.line,
        "name": target.name,
    }
