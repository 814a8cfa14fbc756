"""The generator without a model: one search in the sandbox, and a choice of its candidates by their behaviour.

The search itself is a guest program, `certo_builtin`; this side states the question, checks the messages, compares the
plausible candidates, and hands them out one by one.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from certo.behaviour.call_pool import KINDS
from certo.concurrency import side_by_side
from certo.generation.builtin.candidate_selection import choose
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.builtin.search_program import (
    Beginning,
    PlausibleCandidate,
    PlausibleCandidates,
    beginnings,
    request_for,
)
from certo.generation.generator import Ask, Declined, Generator, GeneratorContext, ProblemPreview, Proposal, Proposer
from certo.guests import BUILTIN_HOME
from certo.sandbox.executor import Executor, Interpreter, Limits, Message, Policy, Program, Work
from certo.sandbox.process.starvation import patient_limit
from certo.vocabulary.errors import CertoError, NoInterpreter
from certo.vocabulary.problem import Goal, Problem
from certo.vocabulary.progress import unheard

PROGRAM = Program(home=BUILTIN_HOME, module="certo_builtin.search")

MODELS = "a generator that asks a language model can"
"""The end of a refusal if another generator could do it."""

SEARCH_SECONDS = 60.0
"""Duration of a search for which the numbers of steps and candidates are meant."""

MAX_TIMES_CANDIDATES = 3.0
"""Factor by which a long search may try more candidates: all of them are held in memory, to be tried in order."""

SHARE = 0.85
"""Share of a search's seconds for finding candidates: they have yet to be verified."""

WAITING = 0.2
"""Share of a search's seconds for which the first candidate waits for others and for comparison.

It is a backstop for slow projects, where showing some candidates is better than none.
"""

GRACE_SECONDS = 15.0
"""Additional seconds of a search for importing the project, before it is killed."""

MAX_CHARACTERS = 1000
"""Maximum length of a sentence that is passed on: its sender shares a process with the user's code."""


class BuiltinGenerator:
    """Generator that repairs failing functions and fills holes from examples by search, without a model."""

    name = "builtin"

    def __init__(
        self,
        executor: Executor,
        interpreter: Interpreter,
        options: BuiltinOptions,
        seed: int = 0,
        seconds: float = math.inf,
    ) -> None:
        self._executor = executor
        self._interpreter = interpreter
        self._options = options
        self._seed = seed
        self._length = seconds if math.isfinite(seconds) else SEARCH_SECONDS
        self._patience = WAITING * seconds
        self._prepared: Executor | None = None

    async def stand_by(self, preview: ProblemPreview, /) -> None:
        """Prepare the search's process with its imports while the tests still run, until cancelled."""
        work = self._work(preview.root, {**preview.unsaved, preview.path: ""}, Policy.FORKING, {})
        with suppress(CertoError):
            async with self._executor.warmed(work) as executor:
                self._prepared = executor
                await anyio.sleep_forever()

    def _work(self, root: Path, overlay: Mapping[str, str], policy: Policy, request: Mapping[str, Any]) -> Work:
        """Return the run of a search."""
        seconds = (self._options.seconds or self._length) + GRACE_SECONDS
        return Work(
            program=PROGRAM,
            request=request,
            interpreter=self._interpreter,
            root=root,
            overlay=overlay,
            limits=Limits.within(seconds),
            standing=True,
            policy=policy,
            preparation={"root": str(root)},
        )

    def _limits(self) -> BuiltinOptions:
        """Return the options for a search of this length, whose own end comes earlier if the tests took long."""
        longer = max(1.0, self._length / SEARCH_SECONDS)
        return replace(
            self._options,
            seconds=min(self._options.seconds or self._length, SHARE * self._length),
            steps=int(self._options.steps * longer),
            candidates=int(self._options.candidates * min(longer, MAX_TIMES_CANDIDATES)),
        )

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[Proposer]:
        """Start the search in the sandbox; leaving the context ends it."""
        if problem.goal is Goal.FASTER:
            # Nothing else needs this, and a search must begin soon.
            open_faster = importlib.import_module("certo.generation.faster.search").open_faster
            async with open_faster(problem, self._executor, self._interpreter, say) as faster:
                yield faster
            return
        send, receive = anyio.create_memory_object_stream[Proposal](math.inf)
        proposer = BuiltinProposer(receive)
        refusal = _refusal(problem)
        failure: CertoError | None = None
        async with side_by_side() as group, receive, send:
            if refusal is None:
                _admit(problem, say)
                group.start_soon(self._search, problem, proposer, send, say)
            else:
                proposer.reason = refusal
                send.close()
            try:
                yield proposer
            except CertoError as error:
                # Kept out of the task group, which would wrap it in an exception group.
                failure = error
            group.cancel_scope.cancel()
        if failure is not None:
            raise failure

    async def repairs_from(self, beginning: Beginning, problem: Problem, /) -> tuple[Proposal, ...]:
        """Search from one text alone; return the candidates in order, without a word to the user.

        Raises:
            CertoError: The search could not run here.
        """
        send, receive = anyio.create_memory_object_stream[Proposal]()
        with send, receive:
            finds = await self._finds(beginning, problem, BuiltinProposer(receive), unheard, lambda _: None)
        chosen = await choose(finds, executor=self._executor, interpreter=self._interpreter, patience=self._patience)
        return chosen.proposals

    async def _search(
        self,
        problem: Problem,
        proposer: BuiltinProposer,
        send: MemoryObjectSendStream[Proposal],
        say: Callable[[str], None],
    ) -> None:
        """Search from each starting text in turn."""
        with send:
            try:
                for beginning in beginnings(problem):
                    proposer.reason = None
                    await self._search_from(beginning, problem, proposer, send, say)
            except CertoError as error:
                proposer.failure = error
            finally:
                proposer.selected.set()

    async def _search_from(
        self,
        beginning: Beginning,
        problem: Problem,
        proposer: BuiltinProposer,
        send: MemoryObjectSendStream[Proposal],
        say: Callable[[str], None],
    ) -> None:
        early: list[Proposal] = []

        def offer_first(find: PlausibleCandidate) -> None:
            # It is verified while others are looked for and compared. Code made up from examples is not: whether it is
            # shown at all depends on the comparison.
            if not (early or proposer.has_offered) and find.confidence is None:
                early.append(find.proposal)
                proposer.has_offered = True
                send.send_nowait(find.proposal)

        finds = await self._finds(beginning, problem, proposer, say, offer_first)
        if early:
            # Its verdict is waited for by the user, so it has the processors.
            await proposer.awaited.wait()
        chosen = await choose(
            finds,
            executor=self._executor,
            interpreter=self._interpreter,
            patience=self._patience,
        )
        for proposal in chosen.proposals:
            if not any((proposal.edits, proposal.elsewhere) == (each.edits, each.elsewhere) for each in early):
                send.send_nowait(proposal)
        if early:
            proposer.chosen = chosen.proposals
            proposer.selected.set()
        proposer.reason = chosen.question or proposer.reason

    async def _finds(
        self,
        beginning: Beginning,
        problem: Problem,
        proposer: BuiltinProposer,
        say: Callable[[str], None],
        offer_first: Callable[[PlausibleCandidate], None],
    ) -> PlausibleCandidates:
        """Run the search; return its candidates, and the calls for comparing them. The first is offered at once."""
        finds = PlausibleCandidates(problem, beginning, self._options.plausible)

        def hear(message: Message) -> None:
            match message:
                case {"kind": "progress", "message": str(words)}:
                    say(words[:MAX_CHARACTERS])
                case {"kind": "candidate"}:
                    finds.hear(message)
                    for find in finds.found[:1]:
                        offer_first(find)
                    waiting.shorten(self._patience)
                case {"kind": str(kind)} if kind in KINDS:
                    finds.hear(message)
                case {"kind": "done", "reason": str(words)}:
                    proposer.reason = words[:MAX_CHARACTERS]

        overlay = {**problem.unsaved, problem.path: beginning.text}
        request = request_for(problem, beginning, self._limits(), self._seed)
        executor = self._prepared or self._executor
        async with patient_limit(math.inf) as waiting:
            finished = await executor.run(self._work(problem.root, overlay, _policy(problem), request), hear)
            if proposer.reason is None:
                last = finished.printed.strip().splitlines()[-1:]
                proposer.reason = ": ".join([f"the built-in search {finished.ending.value}", *last])
        if not (finds.found or self._interpreter.executable.exists()):
            # Whatever the search says of it, such as that pytest cannot be imported, is not the reason.
            raise NoInterpreter(
                f"the project's interpreter {self._interpreter.executable} was removed while certo searched; make the "
                "environment again, or name another interpreter in the setting `interpreter`"
            )
        if waiting.ended:
            proposer.reason = "the built-in search looked no further, for its first finds had waited long enough"
        return finds


class BuiltinProposer:
    """Proposer of the chosen candidates, the likeliest first, each to one caller.

    `reason` tells how the search ended; `failure` is the error if it could not run. If a first find was offered before
    the comparison (`has_offered`), `chosen` are all candidates in order once they are `selected`. The comparison is
    `awaited` when somebody asks for another candidate or for the order: then the first one was judged.
    """

    def __init__(self, found: MemoryObjectReceiveStream[Proposal]) -> None:
        self._found = found
        self.reason: str | None = None
        self.failure: CertoError | None = None
        self.has_offered = False
        self.chosen: tuple[Proposal, ...] = ()
        self.selected = anyio.Event()
        self.awaited = anyio.Event()
        self._has_proposed = False

    async def selection(self) -> tuple[Proposal, ...]:
        """Wait for the comparison of the candidates, and return them in order; see `Selecting`."""
        if self.has_offered:
            self.awaited.set()
            await self.selected.wait()
        return self.chosen

    async def propose(self, ask: Ask, /) -> Proposal | Declined:  # noqa: ARG002 - the search needs no feedback
        """Wait for the next candidate.

        Raises:
            BrokenWorld: The search could not run here.
        """
        if self._has_proposed:
            self.awaited.set()
        self._has_proposed = True
        try:
            return await self._found.receive()
        except anyio.EndOfStream:
            if self.failure is not None:
                raise self.failure from None
            return Declined(reason=self.reason or "the built-in search ended")


def _policy(problem: Problem) -> Policy:
    """Return a policy with processes for the trials, and with all that the tests need."""
    needed = Policy(problem.baseline.policy)
    return Policy.FORKING if needed is Policy.STRICT else needed


def _admit(problem: Problem, say: Callable[[str], None]) -> None:
    """Tell the user which parts of the request this generator ignores, such as prose feedback."""
    start = problem.guidance.start
    begins = f"begins with candidate {start.id}" if start is not None else ""
    if problem.guidance.prose:
        rest = f", and {begins}" if begins else ""
        say(f"the built-in generator cannot read feedback: it goes by the tests and the examples{rest}")
    elif begins:
        say(f"the built-in generator {begins}")
    if problem.others is not None and problem.target.second is None:
        say("the built-in generator edits one function, and no other file; a model may change several")


def _refusal(problem: Problem) -> str | None:
    """Return the reason why this generator declines a problem, in a sentence; None if it accepts."""
    target = problem.target
    if problem.goal is Goal.REWRITE:
        return f"the built-in generator cannot follow an instruction; {MODELS}"
    if problem.goal is Goal.REPAIR and not problem.baseline.failing:
        return f"no test of {target.name} fails, so there is nothing the built-in generator could repair; {MODELS}"
    if not problem.baseline.tests and not problem.examples and not problem.guidance.examples:
        return f"no doctest, no test and no example says what {target.name} should do; {MODELS}"
    return None


def build(context: GeneratorContext) -> Generator:
    """Return the generator with the given options or defaults."""
    options = context.options
    chosen = options if isinstance(options, BuiltinOptions) else BuiltinOptions()
    return BuiltinGenerator(context.executor, context.interpreter, chosen, context.seed, context.seconds)
