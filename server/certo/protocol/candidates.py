"""Requests about a candidate: show it, apply all or some hunks of it, rebase it, compare it, give feedback."""

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
MIXED = "certo/candidate/mixed"
FEEDBACK = "certo/candidate/feedback"
COMPARE = "certo/candidate/compare"

Part = Literal["edits", "diff", "hunks", "report", "text"]


class EditorEdit(Wire):
    """An edit as LSP has it, in units of the negotiated encoding."""

    range: Range
    new_text: str


class Conflict(Wire):
    """A conflict of the user and the candidate about the same lines: the place in the user's text, and both sides."""

    range: Range
    ours: str
    theirs: str


class CandidateGetParams(Wire):
    """A candidate, and the parts of it to return."""

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
    """The candidate to apply: all of it, or the hunks of these numbers.

    With `version`, it is applied to that version of the document only.
    """

    search_id: str
    candidate_id: str
    hunks: tuple[int, ...] | None = Field(default=None, min_length=1)
    version: int | None = None


class ApplyResult(Wire):
    """The result of applying a candidate, once the editor has applied or refused the edit.

    `candidate_id` names the applied candidate, which is another one if the text had changed or only some hunks were
    applied. `version` is the document's version with the candidate in it, null if the editor has sent none. `reason`
    says why it was not applied, or why it was applied without being `verified`. `report` is about exactly the text
    that was to be applied; null if there was none.
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
    """The candidate to rebase onto the current text."""

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


class MixedPart(Wire):
    """Some hunks of one candidate, by their numbers."""

    candidate_id: str
    hunks: tuple[int, ...] = Field(min_length=1)


class MixedParams(Wire):
    """Hunks of several candidates of one search, which are to be one candidate."""

    search_id: str
    parts: tuple[MixedPart, ...] = Field(min_length=1)


class EditedResult(Wire):
    """The candidate that this is, which is another than those it was made of, and what every verifier said of it."""

    search_id: str
    candidate_id: str
    number: int
    passed: bool
    verified: bool
    report: Report


class FeedbackParams(Wire):
    """The user's feedback on a candidate."""

    search_id: str
    candidate_id: str
    ruling: Literal["accepted", "rejected", "edited"]
    note: str = Field(default="", max_length=MAX_CHARACTERS)


class CompareParams(Wire):
    """The two candidates to compare."""

    search_id: str
    candidate_id: str
    other_id: str


class CompareResult(Wire):
    """The plainest call that was found for which the candidates answer otherwise.

    `base` is what comes of it in the text that the search began with, empty where that is not known. `tried` is how
    many calls were made of both. `reason` says why there is no difference to show; it is empty where there is one.
    """

    difference: Difference | None
    base: str = ""
    tried: int
    reason: str
