"""The generator contract: who proposes candidates, and what it is told."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from certo.llm.model import Models, NoModels
from certo.sandbox.executor import Executor, Interpreter
from certo.vocabulary.candidate import Candidate, Difference, Observation
from certo.vocabulary.problem import Problem
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Report


class ProjectContext(Protocol):
    """Remembers what earlier searches found out about a project, and what it looks like."""

    async def text(self, problem: Problem, characters: int, /) -> str:
        """Return the text about the project for a problem, at most so long; empty where there is none.

        It is a help and no more, so this does not fail. The same is answered however often it is asked.
        """
        ...


class NoProjectContext:
    """Remembers nothing."""

    async def text(self, problem: Problem, characters: int, /) -> str:  # noqa: ARG002 - there is nothing to say
        """Nothing."""
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A candidate that was tried, and what was said of it."""

    candidate: Candidate
    report: Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The change of a candidate that is still being written, for display: it may not even parse."""

    model: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChunk:
    """Some text of a language model's answer while it is written: it goes where the answer has `at` characters."""

    model: str
    at: int
    text: str


def ignore_chunk(piece: TextChunk, /) -> None:
    """Listen to no piece of an answer: for whoever waits for the candidate."""


def ignore_draft(draft: Draft, /) -> None:
    """Look at no draft: for whoever waits for the candidate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request for one candidate.

    `slot` is the parallel line of tries it belongs to, `attempt` its place in that line; `past` holds that line's own
    failed attempts, oldest first, and no other line's. `idea` is what to try, in words; where there is none, that is
    the generator's to decide. `said` is what is said of the last attempt in place of what its checks said. Where it is
    `in_place`, what was said of all of `past` is said at once, and their code is not shown. `errors` are what went
    wrong lately in other lines, and `progress` how much of the budget is spent, in percent.

    `drafting` may be told of the candidate while it is written, and `hearing` of the answer it is taken from; the first
    at once, then each at most twenty times a second.
    """

    slot: int = 0
    attempt: int = 0
    past: tuple[Attempt, ...] = ()
    idea: str = ""
    said: str = ""
    in_place: bool = False
    errors: tuple[str, ...] = ()
    progress: float = 0.0
    drafting: Callable[[Draft], None] = ignore_draft
    hearing: Callable[[TextChunk], None] = ignore_chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Edits over the problem's text, all within the target's span, and a short note on where they come from.

    `elsewhere` has the whole new text of each other file that is changed or made, by its path relative to the root, in
    POSIX form; it is declined where the problem allows no such change. `rivals` are others that its generator takes
    for as good and that act otherwise: each has the `difference` that tells it, as ours, from this one. All of these
    have `observations` of the same few calls, by which each of them can be told from each other one.
    """

    edits: tuple[TextEdit, ...]
    note: str = ""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    rivals: tuple[Proposal, ...] = ()
    difference: Difference | None = None
    observations: tuple[Observation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """No candidate, and the reason, so never true; `for_all` says that nobody else would get one either."""

    reason: str
    for_all: bool = True

    def __bool__(self) -> Literal[False]:
        return False


class Proposer(Protocol):
    """A generator at work on one problem. `propose` may be awaited by several tasks at once."""

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        """Propose one candidate, or say why there is none.

        Raises:
            ModelFailed: a language model it needs for this candidate did not answer; for another it may.
            BrokenWorld: nothing can be proposed here at all.
        """
        ...


class Generator(Protocol):
    """A source of candidates.

    `open` starts work on one problem; leaving the context ends all of it, whatever it still runs. `say` takes progress
    sentences for the user and must be called from the opening task's group only.
    """

    @property
    def name(self) -> str:
        """The name it is registered under."""
        ...

    def open(self, problem: Problem, say: Callable[[str], None], /) -> AbstractAsyncContextManager[Proposer]:
        """Start work on `problem`."""
        ...


@runtime_checkable
class Preparable(Protocol):
    """A generator that can prepare before the problem is stated."""

    async def stand_by(self, root: Path, path: str, unsaved: Mapping[str, str]) -> None:
        """Be prepared for a problem in the document `path` of the project at `root`, until this is cancelled."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorContext:
    """The parts a generator is built from: an executor for untrusted code, its options, and language models.

    In the `background` models let every prompt that is not go first. `recollection` knows the project. `seconds` is
    how long a search may take in all.
    """

    executor: Executor
    interpreter: Interpreter
    options: object
    seed: int = 0
    models: Models = field(default_factory=NoModels)
    background: bool = False
    recollection: ProjectContext = field(default_factory=NoProjectContext)
    seconds: float = math.inf


GeneratorFactory = Callable[[GeneratorContext], Generator]
"""How a generator is made; this is what the registry and plug-ins offer."""
