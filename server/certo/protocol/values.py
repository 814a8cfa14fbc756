"""Wire forms of candidates, verdicts and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Literal

from pydantic import AliasChoices, AliasPath, BeforeValidator, Field

from certo.protocol.strength import TestStrength
from certo.protocol.wire import Wire


def _value(word: object) -> object:
    """The wire word of an enum that is written by its value."""
    return word.value if isinstance(word, Enum) else word


def _kebab(word: object) -> object:
    """The wire word of an enum that is written by its name, because its value is a sentence."""
    return word.name.lower().replace("_", "-") if isinstance(word, Enum) else word


GoalWord = Annotated[Literal["implement", "repair", "rewrite", "faster"], BeforeValidator(_value)]
RulingWord = Annotated[Literal["passed", "failed", "undecided"], BeforeValidator(_value)]
OutcomeWord = Annotated[
    Literal[
        "solved",
        "unverified",
        "nothing-to-fix",
        "nothing-to-go-by",
        "exhausted",
        "attempts-spent",
        "budget-spent",
        "cancelled",
        "interrupted",
        "refused",
        "world-broken",
        "broken",
    ],
    BeforeValidator(_kebab),
]


class Span(Wire):
    """A half-open stretch of a text in code points from its start."""

    start: int
    end: int


class TextEdit(Wire):
    """Replace what stands at `span` by `replacement`."""

    span: Span
    replacement: str


class Hunk(Wire):
    """Lines that stand together: from the 1-based `line` of the base on, `removed` became `added`."""

    line: int
    removed: tuple[str, ...]
    added: tuple[str, ...]


class FileChange(Wire):
    """A file besides the document that a candidate changes: `after` of `before`, which is null where it is new.

    `path` is relative to the root; `diff` and `hunks` are the change.
    """

    path: str
    before: str | None
    after: str
    diff: str
    hunks: tuple[Hunk, ...]


class Difference(Wire):
    """A call of the target, and what comes of it in the one candidate (`ours`) and in the other (`theirs`)."""

    call: str
    ours: str
    theirs: str


class Observation(Wire):
    """A call of the target, and what comes of it in a candidate."""

    call: str
    result: str


class Standing(Wire):
    """The comparison of a candidate that passed with the others: it is in `group`, from 1 for the likeliest.

    Of the `compared` votes, `agreeing` are for that group, and `backed` with those for others that give the same
    wherever both answer. A candidate has a vote for each time it was written independently. One that behaves
    differently from the best is its rival: `difference` is a call with its result, `ours`, and that of the best,
    `theirs`. `observations` are its results for the calls that tell all groups apart; they are `unusual` if none like
    those of the tests does. If it could not be compared, `uncompared` says why. `alike` is how many others its own
    generator found that behave like it, null if it does not know.
    """

    agreeing: int = 0
    rival_of: str | None = None
    difference: Difference | None = None
    observations: tuple[Observation, ...] = ()
    uncompared: str = ""
    group: int = 0
    backed: int = 0
    compared: int = 0
    unusual: bool = False
    alike: int | None = None


class Origin(Wire):
    """The origin of a candidate: the number of the `idea` that it follows, and the highest `suspicion` of its lines."""

    generator: str
    note: str
    slot: int
    attempt: int
    idea: int | None = None
    suspicion: float | None = None


class Finding(Wire):
    """One thing a verifier has to say, with its 1-based line when there is one."""

    message: str
    line: int | None


class TestEvidence(Wire):
    """The numbers of tests that really ran, how they were confined, and why in fresh processes, if that is slower.

    Of the tests of the baseline that the verifier runs, `failing` failed and `unrun` were skipped or did not run; the
    others passed.
    """

    __test__ = False  # not a test class, whatever its name makes pytest think

    collected: int
    ran: int
    passed: int
    failed: int
    skipped: int
    newly_passing: int
    seconds: float
    touched: bool | None
    isolation: str
    cold: str
    failing: tuple[str, ...] = ()
    unrun: tuple[str, ...] = ()


class Votes(Wire):
    """The votes on a candidate: `asked` at most, `valid` usable, `passed` in favour, `needed` in favour to pass."""

    passed: int
    valid: int
    asked: int
    needed: int


class Dependence(Wire):
    """The number of tests that noticed a wrong version of the target, and the ids of those that noticed none.

    `reason` says why nothing is verified; it is empty if some test depends on what the target does.
    """

    noticed: int
    idle: tuple[str, ...] = ()
    reason: str = ""


class Growth(Wire):
    """Growth of the time of a call with the size n of its arguments, as the exponents k of n^k before and after."""

    before: float
    after: float


class Speed(Wire):
    """The factor by which a candidate is faster, with bounds of 99 % confidence each.

    `ratio` is the median over `rounds`, each a process of its own; `control` that of the original to a copy of itself.
    The calls have arguments `scale` times as large as those known of the function; on calls of their own size the ratio
    is `observed`, null if that is what was measured. `growth` is null if only one size could be measured.
    """

    ratio: float
    low: float
    high: float
    control: float
    rounds: int
    scale: float
    observed: float | None
    growth: Growth | None


class Verdict(Wire):
    """The verdict of one verifier on one candidate; `seconds` is its wall time.

    `remembered` means that the verdict is an earlier search's, and that nothing ran now. `cheated` means that the
    candidate was seen to tamper with how it is judged. `dependence` is there if wrong versions of the target were
    tried, `speed` if it was measured.
    """

    verifier: str
    ruling: RulingWord
    findings: tuple[Finding, ...]
    seconds: float
    tests: TestEvidence | None
    assurance: str
    votes: Votes | None
    remembered: bool = False
    cheated: bool = False
    dependence: Dependence | None = None
    speed: Speed | None = None


LevelWord = Annotated[Literal["strong", "fair", "weak"], BeforeValidator(_value)]


class GradedEvidence(Wire):
    """The level of the evidence for a verified candidate, and why in clauses.

    The right result of `call` would settle whether the candidate is right: all that pass and behave differently give
    another one there. It is "" if no such call is known.
    """

    level: LevelWord
    reasons: tuple[str, ...] = ()
    call: str = ""


class Report(Wire):
    """All verdicts on one candidate, and what follows from them; `strength` is there if it was measured.

    `graded` is the level of the evidence, for a verified candidate of a search.

    `caveat` says why a candidate that passed is not verified, or that it is verified but was not tried apart from the
    tests; it is empty where nothing is to be added.
    """

    candidate_id: str
    verdicts: tuple[Verdict, ...]
    passed: bool
    verified: bool
    caveat: str = ""
    strength: TestStrength | None = None
    graded: GradedEvidence | None = None


class Spread(Wire):
    """The numbers a criterion gave, on a scale from `low` to `high`; `fallback` says that they were too few."""

    criterion: str
    values: tuple[float, ...]
    aggregate: float
    low: float
    high: float
    fallback: bool


class Cost(Wire):
    """A number by which candidates are compared, lower is better, and what criteria gave towards it."""

    value: float
    unit: str
    source: str
    spreads: tuple[Spread, ...]


class Score(Wire):
    """A number by which a search steers, of candidates that passed and of others; more is better where `maximize`.

    `metrics` are further numbers that an evaluator of the user's gave with it, by their names, and `remark` its words.
    """

    value: float
    unit: str
    source: str
    maximize: bool
    metrics: Mapping[str, float] = {}
    remark: str = ""


class Budget(Wire):
    """The limits of a search; null is no limit."""

    candidates: int
    seconds: float
    calls: int | None
    tokens: int | None
    dollars: float | None


class Spent(Wire):
    """The spending of a search so far; `dollars` is null if a price is unknown. Some `tokens` came from caches."""

    candidates: int
    seconds: float
    calls: int
    tokens: int
    dollars: float | None
    cached_tokens: int = 0


class KnownTest(Wire):
    """A test as it stood before any candidate."""

    id: str
    ruling: RulingWord
    message: str
    seconds: float


class Baseline(Wire):
    """The results of the tests before any candidate: those that count, those set aside, and sentences for the user.

    `policy` is what they, and so candidates, are allowed besides computing; `needs` says why it is not the strictest.
    Tests of a `whole` suite need not reach the target.
    """

    tests: tuple[KnownTest, ...]
    set_aside: tuple[KnownTest, ...]
    problems: tuple[str, ...]
    policy: Literal["strict", "forking", "subprocess", "loopback"]
    needs: str
    whole: bool = False


class Winner(Wire):
    """The candidate a search ends with; `source` is the whole new file, `elsewhere` what it changes besides that."""

    candidate_id: str
    diff: str
    source: str
    evidence: Report
    cost: Cost
    elsewhere: tuple[FileChange, ...] = ()


class CurrentReport(Wire):
    """The report on a function in its current text.

    `digest` vouches for the verdict, for `certo check`; it is empty if nothing was kept.
    """

    type: Literal["report"] = "report"
    root: Annotated[str, BeforeValidator(str)] = Field(
        validation_alias=AliasChoices("root", AliasPath("resolved", "root"))
    )
    path: str = Field(validation_alias=AliasChoices("path", AliasPath("resolved", "path")))
    qualname: str = Field(validation_alias=AliasChoices("qualname", AliasPath("resolved", "target", "qualname")))
    line: int = Field(validation_alias=AliasChoices("line", AliasPath("resolved", "target", "line")))
    verified: bool = Field(validation_alias=AliasChoices("verified", AliasPath("report", "verified")))
    evidence: Report = Field(validation_alias=AliasChoices("evidence", "report"))
    baseline: Baseline
    seconds: float
    digest: str = ""
