"""Comparison of versions of a function by their behaviour: the engine that other parts of certo are built on.

Observe, generate, run, compare, minimise: one program in the sandbox does all of it. A difference counts only when a
second process, with another hash seed, has seen the same. What is reported is checked here, because the program shares
its process with the code it runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from certo.behaviour.comparison_messages import Domain, Kind, is_difference, is_summary
from certo.behaviour.outcome import NO_END, CallOutcome, outcome, told
from certo.behaviour.subject import OtherTree, Subject, missing_parameters
from certo.edits.target import definition_of
from certo.guests import BUILTIN_HOME
from certo.sandbox.executor import Message, Program
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit

PROGRAM = Program(home=BUILTIN_HOME, module="certo_builtin.regression.sensitivity")

MUTANTS = 40
"""Number of small changes that the calls of a comparison are held against, where its result is shown."""

CONFIRMING_SEED = 1
"""Hash seed of the process in which differences have to be seen again; the first one has 0."""

SLIGHT: tuple[Kind, ...] = ("message", "slight", "log", "sharing")
"""Kinds that are listed and not taken for another behaviour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonBudget:
    """The most that one comparison may take: calls made up or observed, and seconds as a backstop.

    With `exhaustive`, it goes on after a difference was found. Equal `seed`, equal calls. A call is unusual if it fails
    by accident in the other version, or in the subject if the other is no reference, as a mutant is none. The calls are
    part of the result if `keeps_calls`. At most `mutants` small changes of the subject are held against the calls, if
    these show no difference.
    """

    calls: int = 2000
    seconds: float = 10.0
    exhaustive: bool = False
    seed: int = 0
    is_other_reference: bool = True
    keeps_calls: bool = False
    mutants: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BehaviourDifference:
    """A call on which another version differs from the subject: `before` is its outcome there, `now` in the subject.

    `where` is the test that makes the call, if it can be made only there.
    """

    call: str
    before: str
    now: str
    kind: Kind
    domain: Domain
    where: str = ""

    @property
    def is_slight(self) -> bool:
        """True if it is listed only: a caller hardly depends on it, or the older version fails there by accident."""
        return self.kind in SLIGHT or self.domain == "accident"

    @property
    def is_breaking(self) -> bool:
        """True if a version that must keep what the subject does may not act so; it may come back where that hangs."""
        return not (self.is_slight or self.now == NO_END)


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchCoverage:
    """The branches of one version: how many, and those that no call executed, by line and in words."""

    number: int
    missed: tuple[tuple[int, str], ...] = ()

    @property
    def executed(self) -> int:
        """The number of executed branches."""
        return self.number - len(self.missed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """The number of small changes of the subject that its compared calls notice, of those that were held against them.

    Some make no difference at all, so their share is a lower bound.
    """

    noticed: int = 0
    tried: int = 0

    @property
    def share(self) -> float:
        """The share of the small changes that are noticed; 0 if none was tried."""
        return self.noticed / self.tried if self.tried else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedCall:
    """A call that the subject answers the same each time, and its outcomes: in the subject, then in each version.

    An outcome is None if the call was not made there or did not end. `source` is observed or generated; `branches` are
    the numbers of the branches that it executes in the subject.
    """

    text: str
    source: str
    outcomes: tuple[CallOutcome | None, ...]
    branches: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionResult:
    """Findings about one version: its differences, the best first, and how many calls were compared.

    `unanswered` calls came back in the subject alone, and `unconfirmed` differences were seen in one process alone.
    """

    differences: tuple[BehaviourDifference, ...]
    compared: int
    branches: BranchCoverage
    unanswered: int = 0
    unconfirmed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionComparison:
    """The result of a comparison of versions with the subject.

    `made` counts the calls by source: observed, live, generated. `skipped` counts those that were not compared, by the
    reason: unsteady, opaque, endless, unmade, untaken, lost, unanswered, unconfirmed. `raised` counts those that raised
    in it, by exception. `unmade` are parameters of which nothing is known, `unwritten` types of arguments that tests
    use and that cannot be written. `sensitivity` is told if no difference was found. `trouble` says why nothing could
    be run.
    """

    versions: tuple[VersionResult, ...] = ()
    branches: BranchCoverage = BranchCoverage(number=0)
    calls: tuple[ComparedCall, ...] = ()
    made: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    raised: Mapping[str, int] = field(default_factory=dict)
    unmade: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    unwritten: tuple[str, ...] = ()
    sensitivity: Sensitivity = Sensitivity()
    is_spent: bool = False
    trouble: str = ""


_BUDGET = ComparisonBudget()


async def compare_versions(
    subject: Subject,
    versions: Sequence[Sequence[TextEdit]] = (),
    tree: OtherTree | None = None,
    *,
    budget: ComparisonBudget = _BUDGET,
) -> VersionComparison:
    """Compare edits of the subject's function, or one other tree, with the subject.

    The results are in the order of the versions, that of the tree first.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    if subject.callee is None:
        return VersionComparison(trouble=f"{subject.target.short_name} cannot be called from outside")
    run = _Run(subject, versions, tree, budget)
    first = await run.made()
    if first.summary is None:
        return VersionComparison(trouble=first.trouble or "the comparison did not end")
    if not first.differences:
        return first.result(len(versions) + (tree is not None), first.differences)
    again = await run.confirmed(first.differences)
    seen = {_key(message) for message in again.differences}
    return first.result(
        len(versions) + (tree is not None), [message for message in first.differences if _key(message) in seen]
    )


def _key(message: Message) -> tuple[object, ...]:
    # The text of a call that is made in a test has reprs of its arguments, which need not be the same again.
    return message["version"], message["where"] or message["text"], message["class"]


@dataclass(slots=True)
class _Heard:
    """The messages of one run, as far as they are well formed."""

    differences: list[Message] = field(default_factory=list)
    summary: Message | None = None
    trouble: str = ""
    calls: list[ComparedCall] = field(default_factory=list)

    def hear(self, message: Message) -> None:
        """Take a message."""
        match message:
            case {"kind": "difference"} if is_difference(message):
                self.differences.append(message)
            case {"kind": "call", "text": str(text), "source": str(source), "outcomes": [dict(first), *_] as came}:
                branches = frozenset(number for number in first.get("branches", ()) if isinstance(number, int))
                outcomes = tuple(map(outcome, came))
                self.calls.append(ComparedCall(text=text, source=source, outcomes=outcomes, branches=branches))
            case {"kind": "summary"} if is_summary(message):
                self.summary = message
            case {"kind": "trouble", "text": str(text)}:
                self.trouble = text

    def result(self, number: int, differences: Sequence[Message]) -> VersionComparison:
        """Return the result with these differences."""
        assert self.summary is not None
        counts: Mapping[str, int] = self.summary["counts"]
        coverage = [_coverage(one) for one in self.summary["branches"]]
        results = [self._version(version, differences, coverage[version + 1]) for version in range(number)]
        skipped = {name: count for name, count in counts.items() if not name.startswith("made ")}
        if unconfirmed := sum(one.unconfirmed for one in results):
            skipped["unconfirmed"] = unconfirmed
        return VersionComparison(
            versions=tuple(results),
            branches=coverage[0],
            calls=tuple(self.calls),
            made={name.removeprefix("made "): count for name, count in counts.items() if name.startswith("made ")},
            skipped=skipped,
            raised=self.summary["raised"],
            unmade=tuple(self.summary["unmade"]),
            guessed=tuple(self.summary["guessed"]),
            unwritten=tuple(self.summary["unwritten"]),
            sensitivity=Sensitivity(noticed=self.summary["sensitivity"][0], tried=self.summary["sensitivity"][1]),
            is_spent=self.summary["is_spent"],
        )

    def _version(self, number: int, differences: Sequence[Message], branches: BranchCoverage) -> VersionResult:
        """Return the result of one version, with those of all `differences` that are its own."""
        assert self.summary is not None
        own = [_difference(one) for one in differences if one["version"] == number + 1]
        seen_once = sum(one["version"] == number + 1 for one in self.differences) - len(own)
        return VersionResult(
            differences=tuple(own),
            compared=self.summary["compared"][number],
            branches=branches,
            unanswered=self.summary["unanswered"][number],
            unconfirmed=self.summary["unconfirmed"][number] + seen_once,
        )


@dataclass(frozen=True, slots=True)
class _Run:
    """Runs of the program on one comparison."""

    subject: Subject
    versions: Sequence[Sequence[TextEdit]]
    tree: OtherTree | None
    budget: ComparisonBudget

    async def made(self) -> _Heard:
        """Return what a run finds."""
        return await self._heard(self._request(), hash_seed=0)

    async def confirmed(self, differences: Sequence[Message]) -> _Heard:
        """Return what another process finds on the same calls."""
        calls = [message["call"] for message in differences if message["call"] is not None]
        is_live = any(message["call"] is None for message in differences)
        request = {**self._request(), "calls": calls, "live": is_live, "tells_calls": False, "mutants": 0}
        return await self._heard(request if is_live else {**request, "tests": []}, hash_seed=CONFIRMING_SEED)

    async def _heard(self, request: Mapping[str, Any], *, hash_seed: int) -> _Heard:
        subject, heard = self.subject, _Heard()
        finished = await subject.executor.run(
            subject.work(PROGRAM, request, self.budget.seconds, hash_seed=hash_seed),
            heard.hear,
        )
        if heard.summary is None and not heard.trouble:
            printed = finished.printed.strip().splitlines()
            return replace(heard, trouble=printed[-1] if printed else f"the comparison {finished.ending.value}")
        return heard

    def _request(self) -> dict[str, Any]:
        subject = self.subject
        left_out: tuple[str, ...] = ()
        if self.tree is not None:
            other = definition_of(self.tree.text, self.tree.target)
            left_out = missing_parameters(subject.definition, other) if other is not None else ()
        return {
            **subject.wire,
            "callee": subject.wire_callee,
            "versions": [
                [[edit.span.start, edit.span.end, edit.replacement] for edit in edits] for edits in self.versions
            ],
            "tree": dict(self.tree.texts) if self.tree is not None else None,
            "old": self.tree.wire if self.tree is not None else None,
            "left_out": list(left_out),
            "most": self.budget.calls,
            "seconds": self.budget.seconds,
            "seed": self.budget.seed,
            "exhaustive": self.budget.exhaustive,
            "is_other_reference": self.budget.is_other_reference,
            "tells_calls": self.budget.keeps_calls,
            "end": subject.target.span.end,
            "mutants": self.budget.mutants,
            "calls": None,
            "live": False,
        }


def _coverage(message: Any) -> BranchCoverage:
    lines = [(int(line), str(words)) for line, words in message["lines"]]
    executed = {number for number in message["executed"] if isinstance(number, int)}
    return BranchCoverage(
        number=len(lines), missed=tuple(one for number, one in enumerate(lines) if number not in executed)
    )


def _difference(message: Message) -> BehaviourDifference:
    now, before = (outcome(one) for one in message["outcomes"])
    assert now is not None
    assert before is not None
    words = _words(before, now, message)
    return BehaviourDifference(
        call=message["text"],
        before=words[0],
        now=words[1],
        kind=message["class"],
        domain=message["domain"],
        where=message["where"],
    )


def _words(before: CallOutcome, now: CallOutcome, message: Message) -> tuple[str, ...]:
    """Return the outcomes as texts that differ."""
    if message["class"] == "message":
        return before.words, now.words
    beside = _BESIDE.get(message["class"])
    if message["class"] == "output" and before.printed == now.printed:
        beside = "errors", "writing to standard error ", "nothing"
    if beside is None:
        return told(before, now)
    name, verb, nothing = beside
    return tuple(
        f"{one.words}, {verb}{said.get(name) or nothing}"
        for one, said in zip((before, now), reversed(message["outcomes"]), strict=True)
    )


_BESIDE: Mapping[str, tuple[str, str, str]] = {
    "state": ("left", "leaving ", "everything as it was"),
    "log": ("logged", "logging ", "nothing"),
    "sharing": ("shares", "where ", "nothing is shared with its arguments"),
}
"""Of differences besides the result: where an outcome has it, and the words before it and in its place."""
