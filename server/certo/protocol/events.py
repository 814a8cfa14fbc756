"""The events of a search in their wire form: one model for each, numbered, `type` and `seq` first."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Protocol

from pydantic import AliasChoices, AliasPath, ConfigDict, Field, TypeAdapter

from certo.protocol.strength import TestStrength
from certo.protocol.values import (
    Baseline,
    Budget,
    Cost,
    Difference,
    FileChange,
    GoalWord,
    GradedEvidence,
    Hunk,
    Observation,
    Origin,
    OutcomeWord,
    Score,
    Speed,
    Spent,
    Standing,
    TextEdit,
    Verdict,
    Winner,
)
from certo.protocol.wire import Wire


class Told(Protocol):
    """A value that can be encoded: its `type` names one of the models here, and its attributes fill it."""

    type: ClassVar[str]


class Event(Wire):
    """One numbered thing that happened in one search; `at` is seconds since the search started."""

    type: str
    seq: int
    search: str
    at: float


class SearchPreparing(Event):
    """A step before the problem is stated."""

    type: Literal["search.preparing"]
    message: str


class SearchResumed(Event):
    """A search that had stopped goes on, with so many `candidates` judged and so many `answers` of language models.

    Calls of models that were under way and are `lost` may have to be paid for again.
    """

    type: Literal["search.resumed"]
    candidates: int
    answers: int
    lost: int


class SearchStarted(Event):
    """The problem is stated and the search begins; `path` is relative to `root`, `line` is 1-based.

    `second` is the function that candidates may change together with the target, as "PATH::NAME"; "" if there is none.
    """

    type: Literal["search.started"]
    root: str
    path: str
    qualname: str
    line: int
    goal: GoalWord
    generator: str
    strategy: str
    verifiers: tuple[str, ...]
    budget: Budget
    baseline: Baseline
    second: str = ""


class IdeaAdded(Event):
    """There is something to try that was not tried yet, in words; it grew from another `parent` idea, or from none."""

    type: Literal["idea.added"]
    idea: int
    parent: int | None
    text: str


class IdeaDropped(Event):
    """Nothing more is to come of an idea, for this reason."""

    type: Literal["idea.dropped"]
    idea: int
    reason: str


class CandidateDrafted(Event):
    """A candidate is being written by a language model: what it would change so far, as a unified diff, for show.

    `lines` is how many lines the target has so far.
    """

    type: Literal["candidate.drafted"]
    slot: int
    attempt: int
    model: str
    lines: int
    diff: str


class CandidateWritten(Event):
    """A language model wrote some more of an answer: `text` goes where the answer has `atCharacter` characters."""

    type: Literal["candidate.written"]
    slot: int
    attempt: int
    model: str
    at_character: int
    text: str


class ModelLooked(Event):
    """A language model that writes a candidate called `tool` to look something up, and was given so many `characters`.

    It is look-up `number` of this candidate. `arguments` and `result` are the beginnings of both.
    """

    type: Literal["candidate.looked"]
    slot: int
    attempt: int
    model: str
    number: int
    tool: str
    arguments: str
    result: str
    characters: int


class CandidateDeclined(Event):
    """A line of tries got no candidate, for this reason, and has ended."""

    type: Literal["candidate.declined"]
    slot: int
    attempt: int
    reason: str


class CandidateRepeated(Event):
    """A candidate that is known already was proposed again, this time from `parent`; it is not judged again."""

    type: Literal["candidate.repeated"]
    candidate_id: str
    origin: Origin
    parent: str | None = None


class CandidateProposed(Event):
    """A generator proposed a candidate: its edits over the base text, the same as hunks, and what it changes elsewhere.

    `diff` is all of it as one unified diff.
    Where it is the rival of another candidate (`rivalOf`), `difference` is a call for which it gives `ours`, and that
    one `theirs`. `observations` are what it gives for the calls by which it and its rivals can all be told apart.
    """

    type: Literal["candidate.proposed"]
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


class VerifierStarted(Event):
    """A verifier began to judge a candidate."""

    type: Literal["verifier.started"]
    candidate_id: str
    verifier: str


class VoteCast(Event):
    """One of the language model's answers by a criterion: yes or no, or a number; null when it was of no use."""

    type: Literal["vote"]
    candidate_id: str
    criterion: str
    number: int
    value: bool | float | None
    reason: str


class VerdictReached(Event):
    """A verifier said what it thinks of a candidate."""

    type: Literal["verdict"]
    candidate_id: str
    verdict: Verdict


class SpeedMeasured(Event):
    """The speed of a candidate was measured, as far as it takes to decide whether it is faster."""

    type: Literal["speed.measured"]
    candidate_id: str
    speed: Speed


class CandidateScored(Event):
    """A candidate's report is complete; only one that passed has a cost.

    `score` says how near it is, or how good; `caveat` why it is not verified, or not tried apart, as in its report.
    """

    type: Literal["candidate.scored"]
    candidate_id: str
    passed: bool
    verified: bool
    cost: Cost | None
    score: Score | None = None
    caveat: str = ""


class CandidateRanked(Event):
    """A candidate that passed took its place, from 1 for the best, among the `of` that have passed so far."""

    type: Literal["candidate.ranked"]
    candidate_id: str
    place: int
    of: int


class CandidateCompared(Event):
    """It was found out how a candidate that passed acts beside the others that did, or why nobody knows."""

    type: Literal["candidate.compared"]
    candidate_id: str
    standing: Standing


class EvidenceGraded(Event):
    """The evidence for a verified candidate has this level by all that is known now; a later event may change it."""

    type: Literal["evidence.graded"]
    candidate_id: str
    graded: GradedEvidence


class StrengthProgressed(Event):
    """So many small changes of a candidate, `done` of those to be tried, have run on the tests, after its search."""

    type: Literal["strength.progress"]
    candidate_id: str
    done: int
    of: int


class StrengthMeasured(Event):
    """It was measured, after the search, how many small changes of a candidate its tests notice."""

    type: Literal["strength.measured"]
    candidate_id: str
    strength: TestStrength


class BestImproved(Event):
    """A candidate is now the best one."""

    type: Literal["search.improved"]
    candidate_id: str
    cost: Cost


class GeneratorReported(Event):
    """The generator has something to say about its progress."""

    type: Literal["generator.progress"]
    message: str


class BudgetSpent(Event):
    """The spending of a search so far."""

    type: Literal["budget"]
    spent: Spent
    budget: Budget


class SearchStopped(Event):
    """The search is over; `sentence` is the outcome in words, `reason` what only this search knows.

    `advice` says what may help next; "" where nothing would. `followed_by` is the search that goes on where this
    one found nothing, about the next suspect of a failing test.
    """

    type: Literal["search.stopped"]
    outcome: OutcomeWord
    sentence: str = Field(validation_alias=AliasChoices("sentence", AliasPath("outcome", "value")))
    advice: str = Field(default="", validation_alias=AliasChoices("advice", AliasPath("outcome", "advice")))
    reason: str
    verified: bool
    winner: Winner | None
    spent: Spent
    followed_by: str | None = None


AnyEvent = Annotated[
    SearchPreparing
    | SearchResumed
    | SearchStarted
    | IdeaAdded
    | IdeaDropped
    | CandidateDrafted
    | CandidateWritten
    | ModelLooked
    | CandidateDeclined
    | CandidateRepeated
    | CandidateProposed
    | VerifierStarted
    | VoteCast
    | VerdictReached
    | SpeedMeasured
    | CandidateScored
    | CandidateRanked
    | CandidateCompared
    | EvidenceGraded
    | StrengthProgressed
    | StrengthMeasured
    | BestImproved
    | GeneratorReported
    | BudgetSpent
    | SearchStopped,
    Field(discriminator="type"),
]
"""Any event, told apart by its `type`."""

_ADAPTER: TypeAdapter[Event] = TypeAdapter(AnyEvent, config=ConfigDict(defer_build=True))


def encode(event: Told) -> dict[str, Any]:
    """Turn a domain event into the JSON object that crosses the wire: `type`, `seq`, `search`, `at`, then its own."""
    return _ADAPTER.validate_python(event, from_attributes=True).model_dump(mode="json", by_alias=True)


def decode(line: str | bytes) -> Event:
    """Read one event from its JSON text.

    Raises:
        pydantic.ValidationError: it is no event, or has keys that were not asked for.
    """
    return _ADAPTER.validate_json(line)
