"""What a client does with a candidate: look at it, apply it or some hunks of it, carry it over, say what it thinks."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from certo.protocol.commands import MAX_CHARACTERS, Range
from certo.protocol.values import Difference, Report, TextEdit
from certo.protocol.wire import Wire

GET = "certo/candidate/get"
APPLY = "certo/candidate/apply"
REBASE = "certo/candidate/rebase"
EDITED = "certo/candidate/edited"
FEEDBACK = "certo/candidate/feedback"
COMPARE = "certo/candidate/compare"

Part = Literal["edits", "diff", "hunks", "report", "text"]


class EditorEdit(Wire):
    """An edit as LSP has it, in units of the negotiated encoding."""

    range: Range
    new_text: str


class Conflict(Wire):
    """Where both the user and the candidate changed the same lines: the place in the user's text, and both sides."""

    range: Range
    ours: str
    theirs: str


class CandidateGetParams(Wire):
    """Which candidate, and which parts of it are wanted."""

    search_id: str
    candidate_id: str
    want: tuple[Part, ...] = Field(min_length=1)


class NumberedHunk(Wire):
    """A hunk of a candidate by the number under which it can be applied alone.

    `range` is what it replaces in the base, in whole lines; `lines` are those it takes away, behind "-", and those it
    puts there, behind "+", without line breaks; `header` is the one of a unified diff without context.
    """

    number: int
    range: Range
    header: str
    lines: tuple[str, ...]


class CandidateGetResult(Wire):
    """A candidate, with the parts that were wanted; the others are null. All of them are about the base text.

    `caveat` is that of its report.
    """

    search_id: str
    candidate_id: str
    number: int
    passed: bool
    verified: bool
    caveat: str = ""
    edits: tuple[TextEdit, ...] | None = None
    diff: str | None = None
    hunks: tuple[NumberedHunk, ...] | None = None
    report: Report | None = None
    text: str | None = None


class ApplyParams(Wire):
    """Which candidate to apply: all of it, or the hunks of these numbers.

    With `version` only to that version of the document.
    """

    search_id: str
    candidate_id: str
    hunks: tuple[int, ...] | None = Field(default=None, min_length=1)
    version: int | None = None


class ApplyResult(Wire):
    """What became of it, once the editor has applied or refused the edit.

    `candidate_id` is that of what was applied, which is another candidate when the text had changed, or when it was
    some hunks only. `version` is the document's with the candidate in it, null when the editor has sent none. `reason`
    says why it was not applied, or why it is not `verified` though it was. `report` is about exactly the text that was
    to be applied; null when there was none.
    """

    applied: bool
    candidate_id: str | None = None
    version: int | None = None
    verified: bool = False
    moved: bool = False
    merged: bool = False
    reason: str = ""
    report: Report | None = None
    conflicts: tuple[Conflict, ...] = ()


class RebaseParams(Wire):
    """Which candidate to carry over to the text as it is now."""

    search_id: str
    candidate_id: str


class RebaseResult(Wire):
    """The edits that put the candidate into the version named, or why there are none.

    `moved` says that the text is not the one it was found for, `merged` that its function was changed too. `report`
    is about exactly the text that the edits make.
    """

    version: int | None
    candidate_id: str | None = None
    edits: tuple[EditorEdit, ...] | None = None
    moved: bool = False
    merged: bool = False
    verified: bool = False
    reason: str = ""
    report: Report | None = None
    conflicts: tuple[Conflict, ...] = ()


class EditedParams(Wire):
    """The whole file as the user would have it, made of the text that a candidate has for it."""

    search_id: str
    candidate_id: str
    text: str


class EditedResult(Wire):
    """The candidate that this is, which is another than the one it was made of, and what every verifier said of it."""

    search_id: str
    candidate_id: str
    number: int
    passed: bool
    verified: bool
    report: Report


class FeedbackParams(Wire):
    """What the user thinks of a candidate."""

    search_id: str
    candidate_id: str
    ruling: Literal["accepted", "rejected", "edited"]
    note: str = Field(default="", max_length=MAX_CHARACTERS)


class CompareParams(Wire):
    """Which two candidates to compare."""

    search_id: str
    candidate_id: str
    other_id: str


class CompareResult(Wire):
    """The plainest call that was found for which the candidates answer otherwise.

    `tried` is how many calls were made of both. `reason` says why there is no difference to show; it is empty where
    there is one.
    """

    difference: Difference | None
    tried: int
    reason: str
