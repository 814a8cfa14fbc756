"""The state of a search and of its candidates, folded from its events."""

from __future__ import annotations

from dataclasses import field

from certo.search.leaderboard import UNGROUPED
from certo.vocabulary.candidate import Difference, FileChange, Observation, Origin, Standing
from certo.vocabulary.cost import UNKNOWN, Cost, Spent
from certo.vocabulary.display import amount, ended_lanes, looked_up
from certo.vocabulary.events import (
    BestImproved,
    BudgetSpent,
    CandidateCompared,
    CandidateDeclined,
    CandidateDrafted,
    CandidateProposed,
    CandidateRanked,
    CandidateRepeated,
    CandidateScored,
    CandidateWritten,
    Event,
    EvidenceGraded,
    GeneratorReported,
    IdeaAdded,
    IdeaDropped,
    ModelLooked,
    SearchPreparing,
    SearchResumed,
    SearchStarted,
    SearchStopped,
    SpeedMeasured,
    StrengthMeasured,
    StrengthProgressed,
    VerdictReached,
    VerifierStarted,
    VoteCast,
)
from certo.vocabulary.evidence_level import GradedEvidence
from certo.vocabulary.records import dataclass
from certo.vocabulary.score import Score, merit_of
from certo.vocabulary.speed import Speed
from certo.vocabulary.strength import TestStrength
from certo.vocabulary.text import Hunk, TextEdit
from certo.vocabulary.verdict import Report, Verdict


@dataclass(slots=True, kw_only=True)
class CandidateState:
    """One candidate as the user sees it; `judging` names the verifier at work on it, if any.

    `votes` counts the answers of that verifier so far, if it asks language models; `times` how often the candidate was
    proposed, and `parent` is the candidate whose failure led to it. The rival of another candidate has a `difference`,
    a call for which it returns ours and the other one theirs; `observations` are calls with its own results. The
    fields from `agreeing` to `alike` are those of its standing. `strength` is that of its tests, once measured;
    `graded` the level of the evidence for it, if it is verified.
    """

    candidate_id: str
    number: int
    origin: Origin
    edits: tuple[TextEdit, ...]
    diff: str
    hunks: tuple[Hunk, ...] = ()
    elsewhere: tuple[FileChange, ...] = ()
    judging: str | None = None
    votes: int = 0
    verdicts: list[Verdict] = field(default_factory=list)
    scored: bool = False
    passed: bool = False
    verified: bool = False
    caveat: str = ""
    cost: Cost | None = None
    score: Score | None = None
    times: int = 1
    parent: str | None = None
    rival_of: str | None = None
    difference: Difference | None = None
    observations: tuple[Observation, ...] = ()
    agreeing: int = 0
    uncompared: str = ""
    group: int = 0
    backed: int = 0
    compared: int = 0
    unusual: bool = False
    alike: int | None = None
    strength: TestStrength | None = None
    graded: GradedEvidence | None = None

    @property
    def at_work(self) -> str:
        """The verifier that is judging, and how many answers it has heard, if it asks for any: "clarity, 2 votes"."""
        if self.judging is None:
            return ""
        return f"{self.judging}, {amount(self.votes, 'vote')}" if self.votes else self.judging

    @property
    def worth(self) -> tuple[bool, float, bool, int, float]:
        """The sort key, the least is best: verified, score, no rival, the likeliest group, cost."""
        cost = self.cost.value if self.cost is not None else UNKNOWN
        return not self.verified, -merit_of(self.score), self.rival_of is not None, self.group or UNGROUPED, cost

    def acts_otherwise(self, other: CandidateState) -> bool:
        """Return True if its result for some call differs from that of another candidate."""
        theirs = {seen.call: seen.result for seen in other.observations}
        return any(theirs.get(seen.call, seen.result) != seen.result for seen in self.observations)

    @property
    def standing(self) -> Standing:
        """Its comparison with the others that passed."""
        return Standing(
            agreeing=self.agreeing,
            rival_of=self.rival_of,
            difference=self.difference,
            observations=self.observations,
            uncompared=self.uncompared,
            group=self.group,
            backed=self.backed,
            compared=self.compared,
            unusual=self.unusual,
            alike=self.alike,
        )

    @property
    def speed(self) -> Speed | None:
        """The measured speed; None if it was not measured."""
        return self.report.speed

    @property
    def report(self) -> Report:
        """The verdicts so far as a report."""
        return Report(
            candidate_id=self.candidate_id,
            verdicts=tuple(self.verdicts),
            strength=self.strength,
            graded=self.graded,
        )


@dataclass(slots=True, kw_only=True)
class SearchState:
    """The state of one search: its candidates in the order they came, the best one, and its end.

    `drafts` are the candidates that are being written now, by the branch they belong to. `ideas` are by number; those
    that will not be followed any more are in `dropped`, with the reason.
    """

    message: str = ""
    started: SearchStarted | None = None
    rows: dict[str, CandidateState] = field(default_factory=dict)
    drafts: dict[int, CandidateDrafted] = field(default_factory=dict)
    ideas: dict[int, IdeaAdded] = field(default_factory=dict)
    dropped: dict[int, str] = field(default_factory=dict)
    best: str | None = None
    spent: Spent = field(default_factory=Spent)
    stopped: SearchStopped | None = None

    def apply(self, event: Event) -> None:
        """Take one event into account; events come in order, each once.

        Raises:
            ValueError: the event has no number, so no emitter sent it.
        """
        _require_number(event)
        match event:
            case SearchPreparing(message=message) | GeneratorReported(message=message):
                self.message = message
            case SearchResumed() | SearchStarted():
                self._apply_beginning(event)
            case BestImproved():
                self.best = event.candidate_id
            case BudgetSpent():
                self.spent = event.spent
            case SearchStopped():
                self.stopped, self.spent, self.message = event, event.spent, ""
                self.drafts.clear()
            case CandidateDrafted():
                self.drafts[event.slot] = event
            case CandidateDeclined() | ModelLooked():
                self._apply_to_lane(event)
            case IdeaAdded() | IdeaDropped():
                self._apply_idea(event)
            case CandidateWritten() | CandidateRanked() | StrengthProgressed():
                pass  # Drafts, costs and the measured strength already have all that follows from them.
            case _:
                self._apply_to_candidate(event)

    @property
    def best_row(self) -> CandidateState | None:
        """The best candidate so far, or None."""
        return self.rows.get(self.best) if self.best else None

    def ranked(self) -> tuple[CandidateState, ...]:
        """Return the candidates that passed, the best first, then as `worth` sorts them, then the earliest."""
        passed = [row for row in self.rows.values() if row.passed and row.cost is not None]
        return tuple(sorted(passed, key=self._rank))

    def contenders(self, row: CandidateState) -> tuple[CandidateState, ...]:
        """Return the group of rivals that a candidate belongs to, their winner first; empty if it has none.

        A candidate that was only reformatted behaves as before, so it has the rivals of the one it was made from.
        Candidates that a strategy asked for are rivals too if they were seen to behave differently.
        """
        first = self.rows.get(row.rival_of, row) if row.rival_of is not None else row
        made_of = {first.candidate_id, *([first.parent] if first.observations and first.parent else [])}
        passed = [other for other in self.rows.values() if other.passed]
        rivals = [other for other in passed if other.rival_of in made_of or other.acts_otherwise(first)]
        return (first, *rivals) if rivals else ()

    def groups(self) -> tuple[tuple[CandidateState, ...], ...]:
        """Return the candidates that passed in groups that behave alike, by rank; each alone that was not compared."""
        groups: dict[object, list[CandidateState]] = {}
        for row in self.ranked():
            alike = row.group or row.observations
            groups.setdefault(alike or row.candidate_id, []).append(row)
        return tuple(map(tuple, groups.values()))

    def _rank(self, row: CandidateState) -> tuple[bool, tuple[bool, float, bool, int, float], int]:
        return row.candidate_id != self.best, row.worth, row.number

    def _apply_beginning(self, event: SearchResumed | SearchStarted) -> None:
        """Begin a search, or go on with one: its ideas, repetitions and levels come again, so they are cleared."""
        self.message = ""
        if isinstance(event, SearchStarted):
            self.started = event
            return
        self.stopped = None
        self.drafts.clear()
        self.ideas.clear()
        self.dropped.clear()
        for row in self.rows.values():
            row.judging, row.votes, row.times, row.graded = None, 0, 1, None

    def _apply_idea(self, event: IdeaAdded | IdeaDropped) -> None:
        if isinstance(event, IdeaAdded):
            self.ideas[event.idea] = event
        else:
            self.dropped[event.idea] = event.reason

    def _apply_to_lane(self, event: CandidateDeclined | ModelLooked) -> None:
        if isinstance(event, ModelLooked):
            self.message = looked_up(event.model, event.tool, event.arguments)
        else:
            self.drafts.pop(event.slot, None)
            self.message = ended_lanes((event.slot,), event.reason)

    def _end_draft(self, origin: Origin) -> None:
        """Drop the draft of a lane that got its candidate; what was made beside the lanes ends none."""
        if self.started is None or origin.generator == self.started.generator:
            self.drafts.pop(origin.slot, None)

    def _apply_evidence(self, event: StrengthMeasured | EvidenceGraded) -> None:
        row = self.rows[event.candidate_id]
        if isinstance(event, StrengthMeasured):
            row.strength = event.strength
        else:
            row.graded = event.graded

    def _apply_to_candidate(self, event: Event) -> None:
        match event:
            case CandidateRepeated():
                self.drafts.pop(event.origin.slot, None)
                self.rows[event.candidate_id].times += 1
            case CandidateProposed():
                self._end_draft(event.origin)
                self.best = None if self.best == event.candidate_id else self.best
                # A candidate that was being judged when its process died is proposed a second time.
                before = self.rows.get(event.candidate_id)
                self.rows[event.candidate_id] = CandidateState(
                    candidate_id=event.candidate_id,
                    number=len(self.rows) + 1 if before is None else before.number,
                    origin=event.origin,
                    edits=event.edits,
                    diff=event.diff,
                    hunks=event.hunks,
                    elsewhere=event.elsewhere,
                    parent=event.parent,
                    rival_of=event.rival_of,
                    difference=event.difference,
                    observations=event.observations,
                )
            case VerifierStarted():
                row = self.rows[event.candidate_id]
                row.judging, row.votes = event.verifier, 0
            case VoteCast():
                self.rows[event.candidate_id].votes += 1
            case VerdictReached():
                row = self.rows[event.candidate_id]
                row.judging = None
                row.verdicts.append(event.verdict)
            case SpeedMeasured():
                pass  # The verdict that follows has it too.
            case CandidateScored():
                row = self.rows[event.candidate_id]
                row.scored, row.passed, row.verified, row.cost = True, event.passed, event.verified, event.cost
                row.score, row.caveat = event.score, event.caveat
            case StrengthMeasured() | EvidenceGraded():
                self._apply_evidence(event)
            case CandidateCompared(standing=standing):
                row = self.rows[event.candidate_id]
                row.rival_of, row.difference = standing.rival_of, standing.difference
                row.observations = standing.observations
                row.agreeing, row.uncompared = standing.agreeing, standing.uncompared
                row.group, row.backed = standing.group, standing.backed
                row.compared, row.unusual, row.alike = standing.compared, standing.unusual, standing.alike
            case _:
                raise AssertionError(f"an event the board does not know: {event.type}")


def _require_number(event: Event) -> None:
    if event.seq == 0:
        raise ValueError(f"the event {event.type} was never emitted: it has no number")
