"""Look-ups of a model that writes a candidate: it reads the project, runs code in the sandbox, and changes nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import anyio

import certo
from certo.edits.source import read_source
from certo.generation.generator import GeneratorContext
from certo.generation.model.code_blocks import fenced
from certo.generation.model.conversation import characters_for, shortened
from certo.generation.model.project_excerpts import may_quote
from certo.guests import WORKER_HOME
from certo.llm.prompt import ToolSpec, ToolUse
from certo.project.ignored_files import MAX_ITEMS, ignored_code, ignored_files
from certo.sandbox.executor import Limits, Message, Policy, Program, Work, own_interpreter
from certo.vocabulary.errors import BadRequest, BrokenWorld
from certo.vocabulary.problem import Problem

FINDER = Program(home=Path(certo.__file__).resolve().parents[1], module="certo.generation.model.name_finder")
EVALUATION = Program(home=WORKER_HOME, module="certo_worker.evaluation")

SECONDS = 5.0
"""Processor time of one look-up."""

MAX_LINES = 400
"""Maximum number of lines of a file that one look-up gives."""

SHARE = 8
"""One result has at most this fraction of the tokens of a conversation."""

MAX_TEXT = 4_000
"""Maximum length of an argument."""


def _tool(name: str, purpose: str, required: str, /, **properties: str) -> ToolSpec:
    """Return a tool whose arguments are texts, or numbers if they are lines."""
    kinds = {each: "integer" if each.endswith("line") else "string" for each in properties}
    described = {each: {"type": kinds[each], "description": said} for each, said in properties.items()}
    schema = {"type": "object", "properties": described, "required": [required], "additionalProperties": False}
    return ToolSpec(name=name, purpose=purpose, parameters=schema)


TOOLS = (
    _tool(
        "read_file",
        "Read a text file of the project.",
        "path",
        path="Path relative to the project's root",
        first_line="First line, from 1",
        last_line=f"Last line; at most {MAX_LINES} lines are given",
    ),
    _tool(
        "find_definitions",
        "Find where a function, class or constant of the project is defined, with its code.",
        "name",
        name="Name, such as total or Till.total",
    ),
    _tool(
        "find_callers",
        "Find calls of a name in the project, with the lines around them.",
        "name",
        name="Name of a function, method or class",
    ),
    _tool(
        "run",
        "Run Python in the project's environment, in a sandbox without network. You get the value of the last "
        "expression, and what was printed or raised. It sees the files as they are now, not your answer.",
        "code",
        code="Python code; import what it needs",
    ),
    _tool(
        "run_test",
        "Run one of the project's tests with pytest on the files as they are now, in a sandbox without network.",
        "test",
        test="Test, as tests/test_till.py::test_total",
    ),
)
"""The tools, in the order in which they are offered."""


class _Refused(Exception):
    """Why a look-up has no result, for the model."""


class LookUps:
    """Answers the look-ups about one problem. It reads only what a prompt may quote; see `may_quote`."""

    def __init__(self, problem: Problem, context: GeneratorContext, conversation_tokens: int) -> None:
        self._problem = problem
        self._context = context
        self._room = characters_for(conversation_tokens) // SHARE
        self._root = problem.root.resolve()
        self._texts = {**problem.unsaved, problem.path: problem.text}
        self._hidden: tuple[str, ...] | None = None
        self._looking = anyio.Lock()
        self._by_name: dict[str, Callable[[Mapping[str, Any]], Awaitable[str]]] = {
            "read_file": self._read_file,
            "find_definitions": lambda given: self._find(given, "definitions"),
            "find_callers": lambda given: self._find(given, "calls"),
            "run": lambda given: self._run(_text(given, "code"), Policy.STRICT),
            "run_test": self._run_test,
        }

    async def answer(self, use: ToolUse) -> str:
        """Return the result of a look-up, or the reason why there is none; it never fails."""
        answering = self._by_name.get(use.name)
        try:
            if answering is None:
                raise _Refused(f"there is no tool {use.name!r}; there are {', '.join(self._by_name)}")
            given = json.loads(use.arguments or "{}")
            if not isinstance(given, dict):
                raise _Refused("the arguments are no JSON object")
            return shortened(await answering(given), self._room)
        except (_Refused, BadRequest, BrokenWorld) as refused:
            # Where the project is on this machine is nobody else's business.
            return shortened(f"error: {refused}".replace(f"{self._root}{os.sep}", ""), self._room)
        except (ValueError, RecursionError) as error:
            return shortened(f"error: the arguments are no JSON: {error}", self._room)

    async def _read_file(self, given: Mapping[str, Any]) -> str:
        path = self._quotable(_text(given, "path"))
        text = self._texts.get(path)
        lines = (read_source(self._root / path) if text is None else text).splitlines()
        first = max(1, _number(given, "first_line", 1))
        last = min(_number(given, "last_line", first + MAX_LINES - 1), first + MAX_LINES - 1, len(lines))
        return (
            f"{path}, lines {first} to {last} of {len(lines)}:\n\n{fenced(chr(10).join(lines[first - 1 : last]), '')}"
        )

    def _quotable(self, asked: str) -> str:
        """Return the path of a file that a prompt may quote, relative to the root, links followed.

        Raises:
            _Refused: It is none. That is all that is said, because names of hidden files tell as well.
        """
        refusal = _Refused(f"{asked} is no file of this project that may be read")
        if PurePosixPath(asked).is_absolute() or "\0" in asked:
            raise refusal
        try:
            file = (self._root / asked).resolve()
            path = file.relative_to(self._root).as_posix()
        except (OSError, ValueError) as error:
            raise refusal from error
        named = os.path.normpath(asked).replace(os.sep, "/")
        if not (file.is_file() or path in self._texts) or not all(
            may_quote(self._problem, one) for one in (path, named)
        ):
            raise refusal
        return path

    async def _find(self, given: Mapping[str, Any], wanted: str) -> str:
        name = _text(given, "name")
        if not all(part.isidentifier() for part in name.split(".")):
            raise _Refused(f"{name!r} is no name of Python")
        found: list[Message] = []
        request = {"root": str(self._problem.root), "texts": self._texts, "name": name, "wanted": wanted}
        work = Work(
            program=FINDER,
            request=request,
            interpreter=own_interpreter(),
            root=self._problem.root,
            overlay=self._problem.unsaved,
            limits=Limits.within(SECONDS),
        )
        await self._context.executor.run(work, found.append)
        places = [each for each in found if may_quote(self._problem, each["path"])]
        if not places:
            return f"no {wanted} of {name} were found"
        return "\n\n".join(f"{each['path']}:{each['line']}\n\n{fenced(each['code'])}" for each in places)

    async def _run_test(self, given: Mapping[str, Any]) -> str:
        test = _text(given, "test")
        self._quotable(test.partition("::")[0])
        if self._context.interpreter.pytest is None:
            raise _Refused("the project's environment has no pytest")
        options = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", f"./{test}"]
        return await self._run(f"import pytest\nint(pytest.main({options!r}))", Policy(self._problem.baseline.policy))

    async def _run(self, code: str, policy: Policy) -> str:
        """Run code as its tests may run it, but without any file that git ignores, code of the user's own included."""
        told: list[Message] = []
        places = [self._root, self._root / "src"]
        preface = f"import sys; sys.path[:0] = {[str(place) for place in places if place.is_dir()]!r}\n"
        work = Work(
            program=EVALUATION,
            request={"code": preface + code},
            interpreter=self._context.interpreter,
            root=self._problem.root,
            overlay=self._texts,
            hidden=await self._ignored(),
            limits=Limits.within(SECONDS),
            policy=policy,
        )
        finished = await self._context.executor.run(work, told.append)
        said = [*map(_in_words, told)]
        if not finished.complete:
            said += [f"it {finished.words}", finished.printed]
        return "\n".join(filter(None, said)) or "it printed nothing, and has no value"

    async def _ignored(self) -> tuple[str, ...]:
        """Return the files and directories that no run of a model may read.

        Raises:
            _Refused: They are too many to hide.
        """
        async with self._looking:
            if self._hidden is None:
                found = await ignored_files(self._problem.root, os.environ)
                interpreter = self._context.interpreter
                kept = (interpreter.executable, *interpreter.readable)
                code = ignored_code(self._problem.root, self._problem.ignored, kept)
                self._hidden = tuple(dict.fromkeys((*found, *code, *self._problem.baseline_run.hidden)))
        if len(self._hidden) > MAX_ITEMS:
            raise _Refused("git ignores too many files here to hide them from code that you run")
        return self._hidden


def _in_words(message: Message) -> str:
    match message["kind"]:
        case "output":
            return f"value: {message['text']}"
        case "stdout":
            return f"printed:\n{message['text']}" if message["text"] else ""
        case "error":
            return f"raised {message['error']}: {message['words']}"
    return ""


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _Refused(f"{name} is missing; it has to be a text")
    if len(value) > MAX_TEXT:
        raise _Refused(f"{name} has more than {MAX_TEXT} characters")
    return value.strip()


def _number(given: Mapping[str, Any], name: str, other: int) -> int:
    value = given.get(name, other)
    if type(value) is not int:
        raise _Refused(f"{name} has to be a whole number")
    return value
