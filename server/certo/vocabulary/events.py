"""The events of a search: all that journal, editor and terminal learn about it while it runs."""

from __future__ import annotations

from typing import ClassVar

from certo.vocabulary.candidate import Difference, FileChange, Observation, Origin, Standing
from certo.vocabulary.cost import Budget, Cost, Spent
from certo.vocabulary.evidence_level import GradedEvidence
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.problem import Baseline, Goal
from certo.vocabulary.records import dataclass
from certo.vocabulary.score import Score
from certo.vocabulary.speed import Speed
from certo.vocabulary.strength import TestStrength
from certo.vocabulary.text import Hunk, TextEdit
from certo.vocabulary.verdict import Report, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One numbered event of one search; `at` is seconds since the search started.

    An event is made without its number, search and time: the search's `EventEmitter` adds them to a copy. Numbers
    begin at 1, so an event whose `seq` is 0 was never emitted.
    """

    type: ClassVar[str]

    seq: int = 0
    search: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPreparing(Event):
    """A step before the problem is stated, in a few words."""

    type: ClassVar[str] = "search.preparing"

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResumed(Event):
    """A search that had stopped, or whose process had died, goes on; it is prepared and started again.

    So many `candidates` were judged, so many `answers` of language models are there, and both need not be paid for
    again. Calls of models that were under way and are `lost` may be.
    """

    type: ClassVar[str] = "search.resumed"

    candidates: int
    answers: int
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchStarted(Event):
    """The problem is stated and the search begins; `path` is relative to `root`.

    `second` is the function that candidates may change together with the target, as "PATH::NAME"; "" if there is none.
    """

    type: ClassVar[str] = "search.started"

    root: str
    path: str
    qualname: str
    line: int
    goal: Goal
    generator: str
    strategy: str
    verifiers: tuple[str, ...]
    budget: Budget
    baseline: Baseline
    second: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdeaAdded(Event):
    """There is something to try that was not tried yet, in words: it grew from another `parent` idea, or from none.

    `idea` is its number. What is tried by it is told by the candidates that name that number in their origin.
    """

    type: ClassVar[str] = "idea.added"

    idea: int
    parent: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IdeaDropped(Event):
    """Nothing more is to come of an idea, for this reason."""

    type: ClassVar[str] = "idea.dropped"

    idea: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateDrafted(Event):
    """A candidate is being written by a language model: what it would change so far, as a unified diff, for show.

    `lines` is how many lines the target has so far.
    """

    type: ClassVar[str] = "candidate.drafted"

    slot: int
    attempt: int
    model: str
    lines: int
    diff: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateWritten(Event):
    """A language model wrote some more of an answer: `text` goes where the answer has `at` characters.

    Whoever keeps `answer[:at] + text` for each line of tries has all that its model wrote last, whatever came before.
    """

    type: ClassVar[str] = "candidate.written"

    slot: int
    attempt: int
    model: str
    at_character: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLooked(Event):
    """A language model that writes a candidate called `tool` to look something up, and was given so many `characters`.

    It is look-up `number` of this candidate. `arguments` and `result` are the beginnings of both.
    """

    type: ClassVar[str] = "candidate.looked"

    slot: int
    attempt: int
    model: str
    number: int
    tool: str
    arguments: str
    result: str
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateDeclined(Event):
    """A line of tries got no candidate, for this reason, and has ended."""

    type: ClassVar[str] = "candidate.declined"

    slot: int
    attempt: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateRepeated(Event):
    """A candidate that is known already was proposed again; it is not judged again.

    `parent` is what it goes on from this time.
    """

    type: ClassVar[str] = "candidate.repeated"

    candidate_id: str
    origin: Origin
    parent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateProposed(Event):
    """A generator proposed a candidate: its edits over the base text, the same as hunks, and what it changes elsewhere.

    `diff` is all of it as one unified diff.

    Where it is the rival of another candidate, `difference` is a call for which it gives ours, and that one theirs.
    `observations` are what it gives for the calls by which it and its rivals can all be told apart.
    """

    type: ClassVar[str] = "candidate.proposed"

    candidate_id: str
    parent: str | None
    origin: Origin
    edits: tuple[TextEdit, ...]
    diff: str
    hunks: tuple[Hunk, ...]
    elsewhere: tuple[FileChange, ...] = ()
    rival_of: str | None = None
    difference: Difference | None = None
    observations: tuple[Observation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierStarted(Event):
    """A verifier began to judge a candidate."""

    type: ClassVar[str] = "verifier.started"

    candidate_id: str
    verifier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCast(Event):
    """One of the language model's answers by a criterion: for or against a candidate, or a number of points for it.

    `number` counts from 0 how often the criterion asked the same. An answer of no use has no `value`, and its `reason`
    says why; otherwise the reason is the judge's own, if it gave one.
    """

    type: ClassVar[str] = "vote"

    candidate_id: str
    criterion: str
    number: int
    value: bool | float | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictReached(Event):
    """A verifier said what it thinks of a candidate."""

    type: ClassVar[str] = "verdict"

    candidate_id: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedMeasured(Event):
    """The speed of a candidate was measured, as far as it takes to decide whether it is faster."""

    type: ClassVar[str] = "speed.measured"

    candidate_id: str
    speed: Speed


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateScored(Event):
    """A candidate's report is complete; only one that passed has a cost.

    `score` says how near it is, or how good, whether it passed or not; None where nobody counted. `caveat` is that of
    its report.
    """

    type: ClassVar[str] = "candidate.scored"

    candidate_id: str
    passed: bool
    verified: bool
    cost: Cost | None
    score: Score | None = None
    caveat: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateRanked(Event):
    """A candidate that passed took its place, from 1 for the best, among the `of` that have passed so far.

    Those from there on moved down by one; a candidate that had a place left it.
    """

    type: ClassVar[str] = "candidate.ranked"

    candidate_id: str
    place: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateCompared(Event):
    """It was found out how a candidate that passed acts beside the others that did, or why nobody knows."""

    type: ClassVar[str] = "candidate.compared"

    candidate_id: str
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceGraded(Event):
    """The evidence for a verified candidate has this level by all that is known now; more may change it."""

    type: ClassVar[str] = "evidence.graded"

    candidate_id: str
    graded: GradedEvidence


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthProgressed(Event):
    """So many small changes of a candidate, `done` of those to be tried, have run on the tests."""

    type: ClassVar[str] = "strength.progress"

    candidate_id: str
    done: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthMeasured(Event):
    """It was measured how many small changes of a candidate the tests notice, after the search or beside it."""

    type: ClassVar[str] = "strength.measured"

    candidate_id: str
    strength: TestStrength


@dataclass(frozen=True, slots=True, kw_only=True)
class BestImproved(Event):
    """A candidate is now the best one."""

    type: ClassVar[str] = "search.improved"

    candidate_id: str
    cost: Cost


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorReported(Event):
    """The generator has something to say about its progress, in one sentence."""

    type: ClassVar[str] = "generator.progress"

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetSpent(Event):
    """The spending of a search so far."""

    type: ClassVar[str] = "budget"

    spent: Spent
    budget: Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """The candidate a search ends with: the whole new source, the diff, the report and the cost.

    `elsewhere` are the other files that it changes; the diff is of all of them.
    """

    candidate_id: str
    diff: str
    source: str
    evidence: Report
    cost: Cost
    elsewhere: tuple[FileChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchStopped(Event):
    """The search is over; `reason` adds to the outcome what only this search knows, such as an error's message.

    `followed_by` is the search that goes on where this one found nothing, about the next suspect of a failing test.
    """

    type: ClassVar[str] = "search.stopped"

    outcome: Outcome
    reason: str
    verified: bool
    winner: Winner | None
    spent: Spent
    followed_by: str | None = None
