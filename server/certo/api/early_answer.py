"""The first answer of a model, asked for at once: the sandbox and the tests of a specification get ready meanwhile."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import anyio

from certo.api.model_context import current_account, open_account
from certo.edits.definitions import definitions
from certo.edits.source import parse
from certo.edits.target import examples
from certo.generation.generator import Ask, Declined, Draft, Generator, GeneratorContext, Proposal, Proposer, TextChunk
from certo.generation.model.generator import ModelGenerator
from certo.llm.model import ChatModel
from certo.sandbox.executor import own_interpreter
from certo.sandbox.local import LocalExecutor
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest, with_written
from certo.sessions.live import LiveSearch
from certo.sessions.runner import OwnGenerator
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling


class EarlyAnswer:
    """Asks a model for the first candidate of a search, before anything has run.

    The model is told which examples and tests there are, and not how they fail: nothing is written yet, so all do. What
    it answers is judged like any candidate. `test_file` is a path and a text, if there are tests.
    """

    def __init__(self, model: ChatModel, test_file: tuple[str, str] | None) -> None:
        self._model = model
        self._test_file = test_file
        self._answer: Proposal | Declined | Exception | None = None
        self._ended = anyio.Event()
        self._taken: Ask | None = None
        self._draft: Draft | None = None
        self._text: list[TextChunk] = []

    def beside(self, writer: OwnGenerator) -> OwnGenerator:
        """Return what gives a search the early answer first, and what `writer` gives for everything after it."""

        def made(live: LiveSearch, context: ExecutionContext) -> Generator | None:
            inner = writer(live, context)
            return None if inner is None else _EarlyGenerator(inner, self)

        return made

    async def ask(self, live: LiveSearch) -> None:
        """Ask at once, on the account of a search that has just begun."""
        try:
            # Another Python may be another version, which the prompt has to name.
            if live.resolved.settings.interpreter == sys.executable:
                open_account(current_account().of_search(live.ledger))
                self._answer = await self._asked(live.resolved)
        except Exception as error:  # noqa: BLE001 - raised where the answer is taken, as if the model were asked there
            self._answer = error
        finally:
            self._ended.set()

    async def take(self, ask: Ask) -> Proposal | Declined | None:
        """Return the answer, if this is the first candidate of a search and nobody has taken it; raises what it did."""
        plain = replace(ask, drafting=Ask().drafting, hearing=Ask().hearing, looking=Ask().looking, progress=0.0)
        if self._taken is not None or plain != Ask():
            return None
        self._taken = ask
        if self._draft is not None:
            ask.drafting(self._draft)
        for piece in self._text:
            ask.hearing(piece)
        await self._ended.wait()
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    async def _asked(self, resolved: ResolvedRequest) -> Proposal | Declined:
        settings = resolved.settings
        # There is no project to look at, so nothing runs.
        options = replace(settings.generation, look_ups=0, related_tokens=0)
        context = GeneratorContext(
            executor=LocalExecutor(settings.sandbox),
            interpreter=own_interpreter(),
            options=options,
            seed=settings.search.seed,
        )
        problem = _problem(resolved, tuple(_tests(self._test_file)))
        async with ModelGenerator((self._model,), context, options).open(problem, _ignore) as proposer:
            return await proposer.propose(Ask(drafting=self._hear_draft, hearing=self._hear_text))

    def _hear_draft(self, draft: Draft) -> None:
        self._draft = draft
        if self._taken is not None:
            self._taken.drafting(draft)

    def _hear_text(self, piece: TextChunk) -> None:
        self._text.append(piece)
        if self._taken is not None:
            self._taken.hearing(piece)


class _EarlyGenerator:
    """A generator whose first candidate is asked for already."""

    def __init__(self, inner: Generator, early: EarlyAnswer) -> None:
        self._inner = inner
        self._early = early

    @property
    def name(self) -> str:
        """The name under which it is registered."""
        return self._inner.name

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[Proposer]:
        """Start work on a problem."""
        async with self._inner.open(problem, say) as proposer:
            yield _EarlyProposer(proposer, self._early)


@dataclass(frozen=True, slots=True)
class _EarlyProposer:
    inner: Proposer
    early: EarlyAnswer

    async def propose(self, ask: Ask, /) -> Proposal | Declined:
        """Return the early answer once, and then what the generator proposes."""
        early = await self.early.take(ask)
        # One that declined is false, and is an answer all the same.
        return early if early is not None else await self.inner.propose(ask)


def _problem(resolved: ResolvedRequest, tests: tuple[str, ...]) -> Problem:
    """Return the problem as it is known before anything has run: none of its examples and tests passes."""
    guidance = with_written(resolved.request.guidance, resolved.target)
    shown = examples(resolved.target, resolved.request.text)
    known = [*(each.id for each in (*shown, *guidance.examples)), *tests]
    return Problem(
        root=resolved.root,
        path=resolved.path,
        text=resolved.request.text,
        target=resolved.target,
        goal=Goal.IMPLEMENT,
        examples=shown,
        baseline=Baseline(tests=tuple(KnownTest(id=each, ruling=Ruling.FAILED) for each in known)),
        guidance=guidance,
    )


def _tests(file: tuple[str, str] | None) -> Iterator[str]:
    """Yield what pytest calls the test functions of a file; a text that is no Python has none."""
    path, text = file or ("", "")
    with suppress(SyntaxError):
        for each in definitions(parse(text)):
            *classes, name = each.qualname.split(".")
            if name.startswith("test") and all(outer.startswith("Test") for outer in classes):
                yield "::".join([path, *classes, name])


def _ignore(sentence: str) -> None:
    """Ignore a sentence for the user: the search says it itself."""
