"""Cache of verdicts: the same text under the same circumstances is not judged again."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Protocol

from certo.guests import WORKER_HOME
from certo.sandbox.confinement.kernel_features import CONFIGURATIONS
from certo.sandbox.confinement.visible_files import SYSTEM
from certo.sandbox.executor import Executor, Interpreter, Limits, Message, Policy, Program, Work
from certo.verification.dynamic.forgery import NEXT_TIME
from certo.verification.dynamic.rerun import MAX_FINDINGS
from certo.verification.dynamic.results import was_cut_short
from certo.verification.verifier import StepwiseVerifier, Verifier, judge_in_steps
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling, Verdict


class VerdictCache(Protocol):
    """Store of verdicts that outlives a search, by keys of everything they depend on."""

    async def circumstances(self, policy: Policy, /) -> Mapping[str, object] | None:
        """Return everything a verdict under `policy` depends on besides problem and candidate, as JSON.

        None if that is unknown: then nothing may be cached.
        """
        ...

    def when_known(self, policy: Policy, then: Callable[[Mapping[str, object]], None], /) -> None:
        """Call `then` with the circumstances as soon as they are known, which may be now; never if they are unknown."""
        ...

    def may_recall(self, verifier: str, /) -> bool:
        """True if any verdict of a verifier may be stored, under whatever key."""
        ...

    def recall(self, key: str, /) -> Verdict | None:
        """Return the verdict under a key; None if there is none, or it is unreadable."""
        ...

    def keep(self, key: str, verdict: Verdict, /) -> None:
        """Store a verdict."""
        ...


class CachingVerifier(StepwiseVerifier):
    """Verifier that returns cached verdicts, and otherwise those of the wrapped one.

    `lasts` selects the verdicts worth storing: those that another run would reach as well, however busy the machine.
    """

    def __init__(self, verifier: Verifier, memory: VerdictCache, lasts: Callable[[Verdict], bool]) -> None:
        self._verifier = verifier
        self._memory = memory
        self._lasts = lasts

    @property
    def name(self) -> str:
        """One word, as shown to the user."""
        return self._verifier.name

    async def judge_in_steps(
        self, candidate: Candidate, problem: Problem, passed_once: Callable[[], None], /
    ) -> Verdict:
        """Judge as the wrapped verifier does, which calls `passed_once` if it is stepwise; raises its errors."""
        policy = Policy(problem.baseline.policy)
        # Tests that may start programs or connect depend on more than can be fingerprinted.
        is_strict = policy is Policy.STRICT
        # Finding out the circumstances may take longer than the tests, which nothing is gained by before the first one.
        known = (
            await self._known(candidate, problem, policy) if is_strict and self._memory.may_recall(self.name) else None
        )
        if known is not None:
            return replace(known, remembered=True)
        verdict = await judge_in_steps(self._verifier, candidate, problem, passed_once)

        def keep(circumstances: Mapping[str, object]) -> None:
            self._memory.keep(key_of(self.name, candidate, problem, circumstances), verdict)

        if is_strict and self._lasts(verdict):
            self._memory.when_known(policy, keep)
        return verdict

    async def _known(self, candidate: Candidate, problem: Problem, policy: Policy) -> Verdict | None:
        """Return the cached verdict; None if there is none, or it is not worth storing."""
        circumstances = await self._memory.circumstances(policy)
        if circumstances is None:
            return None
        known = self._memory.recall(key_of(self.name, candidate, problem, circumstances))
        return known if known is not None and known.verifier == self.name and self._lasts(known) else None


def cached(verifier: Verifier, memory: VerdictCache | None, lasts: Callable[[Verdict], bool]) -> Verifier:
    """Return a verifier that is not asked again what the `memory` knows; the same one if there is no memory."""
    return verifier if memory is None else CachingVerifier(verifier, memory, lasts)


def key_of(verifier: str, candidate: Candidate, problem: Problem, circumstances: Mapping[str, object]) -> str:
    """Return the key of a verdict: SHA-256 of everything it may depend on, as canonical JSON."""
    facts: dict[str, object] = {
        "verifier": verifier,
        "circumstances": circumstances,
        "root": str(problem.root),
        "path": problem.path,
        "base": problem.text,
        "text": candidate.text,
        "unsaved": dict(problem.unsaved),
        "target": asdict(problem.target),
        "tests": [(test.id, test.ruling.value) for test in problem.baseline.tests],
        "given": [asdict(example) for example in problem.guidance.examples],
        "tools": problem.baseline_run.tools,
        "shown": problem.baseline_run.shown,
        "hidden": problem.baseline_run.hidden,
    }
    if problem.pinned:
        facts["pinned"] = sorted(problem.pinned)
    if candidate.elsewhere:
        facts["elsewhere"] = [(change.path, change.before, change.after) for change in candidate.elsewhere]
    written = json.dumps(facts, sort_keys=True, separators=(",", ":"), default=_as_text)
    return hashlib.sha256(written.encode("ascii")).hexdigest()


def _as_text(value: object) -> str:
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{value!r} cannot be part of a key")


def tests_last(verdict: Verdict) -> bool:
    """True if every test ended by itself: then it would do so again."""
    if verdict.ruling is not Ruling.FAILED:
        return verdict.ruling is Ruling.PASSED
    tests = verdict.tests
    whole = tests is not None and tests.failed > 0 and tests.ran == tests.collected
    return whole and not _is_cut_short(verdict)


def _is_cut_short(verdict: Verdict) -> bool:
    """True if a test ran out of time, or may have done so among the findings that are left out."""
    said = [finding.message for finding in verdict.findings]
    return len(said) > MAX_FINDINGS or any(map(was_cut_short, said))


def tools_last(verdict: Verdict) -> bool:
    """True if a tool has read the candidate: then it would report the same again."""
    return verdict.ruling is not Ruling.UNDECIDED


def forgery_lasts(verdict: Verdict) -> bool:
    """True if a candidate passed, and no test has an excuse that is due to a lack of time or to the machine."""
    return verdict.ruling is Ruling.PASSED and bool(verdict.assurance) and NEXT_TIME not in verdict.assurance


def evidence_lasts(verdict: Verdict) -> bool:
    """True if all tests that noticed no mutant ended with every mutant."""
    return verdict.ruling is Ruling.PASSED


log = logging.getLogger(__name__)

MAX_FILES = 100_000
MAX_SECONDS = 2.0
"""Maximum processor time of a fingerprint; beyond it there is none."""

_GRACE = 5.0
"""Additional seconds for the start and end of a program."""

_SETTINGS_OF_THE_SYSTEM = ("/etc/ld.so.cache", "/etc/localtime")
"""Files that change with the system's libraries, or with its clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """A `text` that changes with a project, one of everything `apart` from its own sources, and the stamps of these."""

    text: str = ""
    apart: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)


async def take_fingerprint(
    root: Path,
    executor: Executor,
    interpreter: Interpreter,
    own: Path | None,
    *,
    since: int,
    tell: Callable[[Fingerprint], None],
) -> None:
    """Tell what changes with anything that code running over `root` could see, unless there is none.

    It is told as soon as it is known: the end of the process takes longer, and says nothing more.

    It is computed in the sandbox by the interpreter itself, because only there its import directories are visible.
    `own` is the place of certo's own tools. System directories that nothing is imported from are skipped, and of the
    time only the day counts. It holds for runs that began at `since` or later, a time in nanoseconds, as no fingerprint
    is returned if anything has changed since then.
    """
    readable = (*interpreter.readable, *([own] if own is not None else []))
    work = Work(
        program=Program(home=WORKER_HOME, module="certo_worker.fingerprint"),
        request={
            "root": str(root),
            "places": [str(WORKER_HOME), *map(str, _outside_the_system(interpreter.readable))],
            "flat": [*map(str, _single_files(root)), *([str(own)] if own is not None else [])],
            "most": MAX_FILES,
            "seconds": MAX_SECONDS,
            "since": since,
        },
        interpreter=replace(interpreter, readable=readable),
        root=root,
        # It runs no code of the project, and verdicts depend on everything that tests may read.
        shown=(".",),
        limits=Limits.within(MAX_SECONDS + _GRACE),
        preparation={},
        standing=True,
    )
    heard = _FingerprintReplies(tell)
    try:
        async with executor.warmed(work) as warm:
            finished = await warm.run(work, heard)
    except BrokenWorld as error:
        # The verifiers that run the tests report this to the user.
        log.debug("no fingerprint of %s: %s", root, error)
        return
    if not heard.is_told:
        log.debug("no fingerprint of %s: %s", root, heard.why or finished.ending.value)


def _outside_the_system(places: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the places to examine as a whole; of the system's own, only those that are imported from."""
    return (place for place in places if not any(place.is_relative_to(system) for system in SYSTEM))


def _single_files(root: Path) -> Iterator[Path]:
    """Yield the files beside the project that runs may read."""
    yield from map(Path, _SETTINGS_OF_THE_SYSTEM)
    yield from (above / name for above in root.resolve().parents for name in CONFIGURATIONS)


@dataclass(slots=True)
class _FingerprintReplies:
    """The messages of a fingerprint run; called with each message."""

    tell: Callable[[Fingerprint], None]
    is_told: bool = False
    why: str = ""

    def __call__(self, message: Message) -> None:
        """Tell the fingerprint; a malformed message has none, because start-up code runs in the sender's process."""
        self.why = str(message.get("why", ""))
        text, sources = str(message.get("text", "")), message.get("sources", {})
        if self.is_told or not text:
            return
        self.is_told = True
        self.tell(
            Fingerprint(
                text=text,
                apart=str(message.get("apart", "")),
                sources={str(file): str(stamp) for file, stamp in sources.items()} if isinstance(sources, dict) else {},
            )
        )
