"""Contract of generators, which propose candidates."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import field
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from certo.llm.model import Models, NoModels
from certo.sandbox.executor import Executor, Interpreter
from certo.vocabulary.candidate import Candidate, Difference, Observation
from certo.vocabulary.problem import Problem, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit
from certo.vocabulary.verdict import Report


class ProjectContext(Protocol):
    """Knowledge of earlier searches about a project, and of its structure."""

    async def text(self, problem: Problem, characters: int, /) -> str:
        """Return text about the project for a problem, at most `characters` long; may be empty.

        It never fails, because the text is optional. Repeated calls give the same text.
        """
        ...


class NoProjectContext:
    """A project context without knowledge."""

    async def text(self, problem: Problem, characters: int, /) -> str:  # noqa: ARG002 - there is nothing to say
        """Return an empty text."""
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A candidate that was tried, and its feedback: the verdicts, and the `remark` of an evaluator, if it made one."""

    candidate: Candidate
    report: Report
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The change of a candidate that is still being written, for display; it may not even parse."""

    model: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChunk:
    """A piece of a language model's streamed answer, starting at character `at`."""

    model: str
    at: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """A look-up that a language model asked for: the tool, its arguments, and the text it was given.

    It is number `number` of those for one candidate.
    """

    model: str
    number: int
    tool: str
    arguments: str
    result: str


def ignore_look_up(look_up: LookUp, /) -> None:
    """Ignore a look-up, for callers that wait for the candidate."""


def ignore_chunk(piece: TextChunk, /) -> None:
    """Ignore a piece of an answer, for callers that wait for the candidate."""


def ignore_draft(draft: Draft, /) -> None:
    """Ignore a draft, for callers that wait for the candidate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request for one candidate.

    `slot` is its parallel lane and `attempt` its number there; `past` holds that lane's own failed attempts, oldest
    first. `idea` describes what to try; without one, the generator decides. `said` replaces the checks' feedback on the
    last attempt. With `in_place`, the feedback on all of `past` is combined and their code is not shown. `errors` are
    recent errors in other lanes, and how the generator itself failed in this one. `progress` is the spent part of the
    budget in percent.

    `drafting` receives drafts of the candidate and `hearing` the text of the answer while they are written; the first
    at once, further ones at most twenty times a second. `looking` receives each look-up of the model.
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
    looking: Callable[[LookUp], None] = ignore_look_up


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Edits of the problem's text, all within the target's span, and a short note on their origin.

    `elsewhere` has the whole new text of each other file that is changed or created, by POSIX path relative to the
    root; it is refused if the problem allows no such change. `rivals` are alternatives that its generator considers as
    good but that behave differently: each has the `difference` that distinguishes it from this one. All of these have
    `observations` of the same few calls, which distinguish each of them from each other. `alike` is how many others its
    generator found that behave like it on the calls that were tried; None if it does not know. `suspicion` is that of
    the most suspicious line that is edited, from 0 to 1, if its generator has one.
    """

    edits: tuple[TextEdit, ...]
    note: str = ""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    rivals: tuple[Proposal, ...] = ()
    difference: Difference | None = None
    observations: tuple[Observation, ...] = ()
    alike: int | None = None
    suspicion: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """No candidate, and the reason; always false. `for_all` means that no other lane would get one either."""

    reason: str
    for_all: bool = True

    def __bool__(self) -> Literal[False]:
        return False


class Proposer(Protocol):
    """A generator at work on one problem. `propose` may be awaited by several tasks at once."""

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        """Return one candidate, or the reason why there is none.

        Raises:
            ModelFailed: A language model needed for this candidate did not answer; a later one may succeed.
            BrokenWorld: Nothing can be proposed here at all.
        """
        ...


@runtime_checkable
class Selecting(Protocol):
    """A proposer that proposes its first find at once, and compares all of its finds later."""

    async def selection(self) -> Sequence[Proposal]:
        """Wait for the comparison; return the proposals in the order in which they should have come.

        The one that was proposed at once is among them. It is empty if none was, or if nothing was selected.
        """
        ...


class Generator(Protocol):
    """A source of candidates.

    `open` starts work on one problem; leaving the context ends all of it, whatever it still runs. `say` takes progress
    sentences for the user and must be called from the opening task's group only.
    """

    @property
    def name(self) -> str:
        """The name under which it is registered."""
        ...

    def open(self, problem: Problem, say: Callable[[str], None], /) -> AbstractAsyncContextManager[Proposer]:
        """Start work on `problem`; leaving the context ends it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemPreview:
    """The part of a problem that is known before its tests have run; see `Problem`."""

    root: Path
    path: str
    text: str
    target: Target
    unsaved: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, problem: Problem) -> ProblemPreview:
        """Return the preview of a problem that is stated already."""
        return cls(
            root=problem.root, path=problem.path, text=problem.text, target=problem.target, unsaved=problem.unsaved
        )


@runtime_checkable
class Preparable(Protocol):
    """A generator that can prepare before the problem is stated."""

    async def stand_by(self, preview: ProblemPreview, /) -> None:
        """Prepare for a problem while its tests run; what is prepared may be kept up until this is cancelled."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorContext:
    """The parts from which a generator is built: an executor for untrusted code, its options, and language models.

    In the `background`, prompts give way to others. `recollection` knows the project. `seconds` is the duration limit
    of a search.
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
"""Factory of generators, as offered by the registry and plug-ins."""
