"""Searches on the wire, for a client that follows them itself: started, attached to, listed, ended."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from certo.protocol.commands import Again, Wish
from certo.protocol.events import AnyEvent
from certo.protocol.values import (
    Cost,
    Difference,
    GradedEvidence,
    Observation,
    Origin,
    OutcomeWord,
    RulingWord,
    Speed,
)
from certo.protocol.wire import Wire

START = "certo/search/start"
RETRY = "certo/search/retry"
RESUME = "certo/search/resume"
ATTACH = "certo/search/attach"
CANCEL = "certo/search/cancel"
LIST = "certo/search/list"
GET = "certo/search/get"
FORGET = "certo/search/forget"

StateWord = Literal["running", "stopped"]

MAX_LISTED = 200
"""The most searches in one answer."""


class StartParams(Wish):
    """A request to generate; `key` is the client's own name for it, so that it can be sent again without harm."""

    key: str = Field(min_length=1, max_length=200)


class RetryParams(Again):
    """A search to repeat, and the changes to it; `key` is as in the params of `certo/search/start`."""

    key: str = Field(min_length=1, max_length=200)


class ResumeParams(Wire):
    """A search to resume, and its whole budget, as settings; those that are left out stay as they were."""

    search_id: str
    settings: dict[str, Any] | None = None


class Base(Wire):
    """The text a search began with: the SHA-256 of its UTF-8 form, and the version of the open document that has it."""

    version: int | None
    sha256: str


class StartResult(Wire):
    """The search that is about the wish now; `resumed` says that it was there already.

    `sentence` is for the user, where the wish was about a test: which function is to blame for it.
    """

    search_id: str
    resumed: bool
    state: StateWord
    base: Base
    sentence: str = ""


class SearchParams(Wire):
    """The id of a search."""

    search_id: str


class AttachParams(Wire):
    """A search, the number of the last event that the client has, and the token for sending it the later ones."""

    search_id: str
    from_seq: int = Field(default=0, ge=0)
    partial_result_token: int | str | None = None


class AttachResult(Wire):
    """The end of an attachment: the number of the last event, and the events that went out under no token."""

    events: tuple[AnyEvent, ...]
    last_seq: int
    state: StateWord


class CancelResult(Wire):
    """A search that has ended: how, and after how many milliseconds none of its processes was left."""

    search_id: str
    state: Literal["stopped"] = "stopped"
    outcome: OutcomeWord
    stopped_ms: int


class ListParams(Wire):
    """The searches to list: those about a document or below a folder, all if neither is named.

    `cursor` is the one that came with the previous answer.
    """

    uri: str | None = None
    folder: str | None = None
    cursor: str | None = None
    limit: int = Field(default=50, ge=1, le=MAX_LISTED)


class SearchSummary(Wire):
    """The state of a search, in short. `outcome` is null while it runs, `best` while no candidate has passed.

    `line` is the first line of its function in the base text, from 1; `second` the function that candidates may change
    together with it, as "PATH::NAME", "" if there is none; `last_seq` the number of its last event. An
    `ambient` search was begun by a failing test without being asked; it is listed once it has a verified candidate.
    """

    search_id: str
    state: StateWord
    outcome: OutcomeWord | None
    sentence: str
    uri: str
    qualname: str
    line: int
    second: str
    instruction: str
    background: bool
    ambient: bool
    accepted: bool
    seconds: float
    candidates: int
    passed: int
    best: str | None
    last_seq: int
    base: Base


class ListResult(Wire):
    """Searches in the order they were started; `cursor` is null when there are no more."""

    searches: tuple[SearchSummary, ...]
    cursor: str | None


class Ruled(Wire):
    """The verdict of a verifier on a candidate, in a word."""

    verifier: str
    ruling: RulingWord


class RankedCandidate(Wire):
    """A candidate without its text: `place` is its rank among those that passed, null for one that did not.

    `number` counts the candidates as they came, `judging` names the verifier at work on it, and `added` and `removed`
    are lines. Of the tests it owed (`tests`), `tests_passed` passed. Where it is the rival of another candidate,
    `difference` is a call for which it gives `ours`, and that one `theirs`. `observations` are what it gives for the
    calls by which it and its rivals can all be told apart. `caveat` is that of its report. `agreeing`,
    `uncompared`, `group`, `backed`, `compared`, `unusual` and `alike` are those of its standing. `speed` is there
    if it was measured, `graded` if it is verified.
    """

    candidate_id: str
    number: int
    place: int | None
    origin: Origin
    judging: str | None
    passed: bool
    verified: bool
    cost: Cost | None
    rulings: tuple[Ruled, ...]
    tests: int
    tests_passed: int
    newly_passing: int
    added: int
    removed: int
    rival_of: str | None = None
    difference: Difference | None = None
    observations: tuple[Observation, ...] = ()
    agreeing: int = 0
    uncompared: str = ""
    caveat: str = ""
    group: int = 0
    backed: int = 0
    compared: int = 0
    unusual: bool = False
    alike: int | None = None
    speed: Speed | None = None
    graded: GradedEvidence | None = None


class GetResult(Wire):
    """The state of a search: the candidates that passed, best first, then the others in the order they were made."""

    search: SearchSummary
    candidates: tuple[RankedCandidate, ...]


class ForgetResult(Wire):
    """A search that is gone, with all its processes."""

    search_id: str
    state: Literal["forgotten"] = "forgotten"
