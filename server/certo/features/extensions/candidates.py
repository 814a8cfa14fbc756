"""Requests about a candidate: its parts, applying and rebasing it, and the user's feedback."""

from __future__ import annotations

from collections.abc import Sequence

from certo.edits.diff import hunks_of
from certo.edits.patch import edits_between
from certo.edits.positions import Encoding, LineIndex
from certo.features.editor.conversion import lsp_range
from certo.features.editor.session import EditorSession
from certo.features.lsp import apply_edit
from certo.features.lsp.apply_edit import Current, current_text, make_ready_now
from certo.protocol.candidates import (
    ApplyParams,
    ApplyResult,
    CandidateGetParams,
    CandidateGetResult,
    CompareParams,
    CompareResult,
    Conflict,
    EditedParams,
    EditedResult,
    EditorEdit,
    FeedbackParams,
    MixedParams,
    NumberedHunk,
    RebaseParams,
    RebaseResult,
)
from certo.protocol.commands import Place, Range
from certo.protocol.values import Report, TextEdit
from certo.search.board import CandidateState
from certo.sessions.acceptance import user_edit
from certo.sessions.acceptance.acceptance import VerifiedEdit
from certo.sessions.acceptance.recheck import compare as compare_candidates
from certo.sessions.applied import AppliedEdit
from certo.sessions.live import LiveSearch
from certo.vocabulary.errors import NotVerified, StaleText
from certo.vocabulary.guidance import Feedback
from certo.vocabulary.text import Hunk, Span


def numbered_hunks(base: str, text: str) -> tuple[NumberedHunk, ...]:
    """Return the hunks of a change, each with its number and its unified diff header."""
    numbered, moved = [], 0
    for number, hunk in enumerate(hunks_of(base, text), start=1):
        first, removed, added = hunk.line - 1, len(hunk.removed), len(hunk.added)
        old, new = _counted(first, removed), _counted(first + moved, added)
        numbered.append(
            NumberedHunk(
                number=number,
                range=Range(start=Place(line=first, character=0), end=Place(line=first + removed, character=0)),
                header=f"@@ -{old} +{new} @@",
                lines=_lines(hunk),
            )
        )
        moved += added - removed
    return tuple(numbered)


def _counted(first: int, count: int) -> str:
    """Return a range of lines in unified diff notation; an empty one is given by the line before it."""
    return f"{first + 1 if count else first},{count}"


def _lines(hunk: Hunk) -> tuple[str, ...]:
    return (
        *("-" + line.rstrip("\r\n") for line in hunk.removed),
        *("+" + line.rstrip("\r\n") for line in hunk.added),
    )


def placed_conflicts(encoding: Encoding, current: Current, refused: StaleText) -> tuple[Conflict, ...]:
    """Return the ranges that both sides changed, in the editor's units."""
    index, start = LineIndex(current.own, encoding), current.start
    return tuple(
        Conflict(
            range=_range(index, Span(each.span.start - start, each.span.end - start)),
            ours=each.ours,
            theirs=each.theirs,
        )
        for each in refused.collisions
        if each.span.start >= start
    )


def editor_edits(encoding: Encoding, current: Current, ready: VerifiedEdit) -> tuple[EditorEdit, ...]:
    """Return the edits that put a candidate into its document, in the editor's units.

    Raises:
        StaleText: Another cell of its notebook would have to change as well.
    """
    document, after = current.document, ready.after
    if document is not None:
        parts = document.parts(after)
        if any(part is not document for part, _ in parts):
            raise StaleText(f"the candidate changes cells above {document.name} as well; apply it instead")
        after = next((text for _, text in parts), document.text)
    index = LineIndex(current.own, encoding)
    return tuple(
        EditorEdit(range=_range(index, edit.span), new_text=edit.replacement)
        for edit in edits_between(current.own, after)
    )


def _range(index: LineIndex, span: Span) -> Range:
    shown = lsp_range(index, span)
    return Range(
        start=Place(line=shown.start.line, character=shown.start.character),
        end=Place(line=shown.end.line, character=shown.end.character),
    )


NOT_SEEN = "the editor has not sent the text it made of the edit, so nothing is known of that"
NOT_EXACT = "the text changed while the edit was on its way, so what the editor made of it is not what was verified"
NOT_PROVED = "no test executed a changed line"
DISMISSED = "the search was dismissed while the candidate was made ready"


async def get(desk: EditorSession, params: CandidateGetParams) -> CandidateGetResult:
    """Return the requested parts of a candidate, relative to the text that the search began with."""
    live = await desk.search(params.search_id)
    row = live.row(params.candidate_id)
    text = live.text_with(row)
    wanted = set(params.want)
    return CandidateGetResult(
        search_id=live.id,
        candidate_id=row.candidate_id,
        number=row.number,
        passed=row.passed,
        verified=row.verified,
        caveat=row.caveat,
        edits=tuple(TextEdit.model_validate(edit) for edit in row.edits) if "edits" in wanted else None,
        diff=row.diff if "diff" in wanted else None,
        hunks=numbered_hunks(live.base, text) if "hunks" in wanted else None,
        report=Report.model_validate(row.report) if "report" in wanted else None,
        text=text if "text" in wanted else None,
    )


async def apply(desk: EditorSession, params: ApplyParams) -> ApplyResult:
    """Have the editor apply a candidate or some of its hunks; return the outcome."""
    hunks = params.hunks or ()
    known = desk.searches.applied(params.search_id)
    try:
        if known is not None:
            return _applied(apply_edit.again(known, params.candidate_id, hunks, params.version))
        live = await desk.search(params.search_id)
        row = live.row(params.candidate_id)
        applied = await apply_edit.apply(desk, live, row.candidate_id, hunks=hunks, version=params.version)
    except (StaleText, NotVerified) as refused:
        return ApplyResult(
            applied=False,
            reason=str(refused),
            report=None if refused.report is None else Report.model_validate(refused.report),
            conflicts=_conflicts(desk, params.search_id, refused),
        )
    return ApplyResult(applied=False, reason=DISMISSED) if applied is None else _applied(applied)


async def rebase(desk: EditorSession, params: RebaseParams) -> RebaseResult:
    """Rebase a candidate onto the current text and verify it again; nothing is applied."""
    live = await desk.search(params.search_id)
    row, current = live.row(params.candidate_id), current_text(desk, live)
    try:
        if row.elsewhere:
            raise StaleText("it changes other files too, and is only to be applied whole")
        ready = await make_ready_now(desk, live, row.candidate_id, (), current)
        edits = editor_edits(desk.client.encoding, current, ready)
    except StaleText as refused:
        return RebaseResult(
            version=current.version,
            reason=str(refused),
            report=None if refused.report is None else Report.model_validate(refused.report),
            conflicts=placed_conflicts(desk.client.encoding, current, refused),
        )
    return RebaseResult(
        version=current.version,
        candidate_id=ready.candidate_id,
        edits=edits,
        moved=ready.moved,
        merged=ready.merged,
        verified=ready.report.verified,
        report=Report.model_validate(ready.report),
    )


async def edited(desk: EditorSession, params: EditedParams) -> EditedResult:
    """Judge the user's edited version of a candidate, which becomes a candidate of the same search.

    Raises:
        BadRequest: More than the function has changed, or nothing has.
    """
    live = await desk.search(params.search_id)
    row = live.row(params.candidate_id)
    return await _made_of(desk, live, (row,), await user_edit.edited(live, row, params.text))


async def mixed(desk: EditorSession, params: MixedParams) -> EditedResult:
    """Judge hunks of several candidates together, which become a candidate of the same search.

    Raises:
        BadRequest: One of the candidates changes other files too, or the hunks change nothing.
        BadSetting: There is no such hunk, or two of them change the same lines.
    """
    live = await desk.search(params.search_id)
    parts = [(live.row(part.candidate_id), part.hunks) for part in params.parts]
    return await _made_of(desk, live, [row for row, _ in parts], await user_edit.mixed(live, parts))


async def _made_of(
    desk: EditorSession, live: LiveSearch, rows: Sequence[CandidateState], made: CandidateState
) -> EditedResult:
    """Store that the user edited these candidates, and return the one that was made of them."""
    for row in rows:
        if desk.searches.get(live.id) is live and made is not row:
            await desk.searches.keep(live, Feedback(candidate_id=row.candidate_id, ruling="edited"))
    return EditedResult(
        search_id=live.id,
        candidate_id=made.candidate_id,
        number=made.number,
        passed=made.passed,
        verified=made.verified,
        report=Report.model_validate(made.report),
    )


async def feedback(desk: EditorSession, params: FeedbackParams) -> None:
    """Store the user's feedback on a candidate in the journal before answering; it is sent nowhere."""
    live = await desk.search(params.search_id)
    row = live.row(params.candidate_id)
    await desk.searches.keep(live, Feedback(candidate_id=row.candidate_id, ruling=params.ruling, note=params.note))


async def compare(desk: EditorSession, params: CompareParams) -> CompareResult:
    """Search for a call that distinguishes two candidates."""
    live = await desk.search(params.search_id)
    found = await compare_candidates(live, live.row(params.candidate_id), live.row(params.other_id))
    return CompareResult.model_validate(found)


def _applied(applied: AppliedEdit) -> ApplyResult:
    reason = ""
    if applied.exact is None:
        reason = NOT_SEEN
    elif not applied.exact:
        reason = NOT_EXACT
    elif not applied.verified:
        reason = NOT_PROVED
    return ApplyResult(
        applied=True,
        candidate_id=applied.candidate_id,
        version=applied.version,
        verified=applied.verified,
        moved=applied.moved,
        merged=applied.merged,
        reason=reason,
        report=Report.model_validate(applied.report),
    )


def _conflicts(desk: EditorSession, search_id: str, refused: StaleText | NotVerified) -> tuple[Conflict, ...]:
    if isinstance(refused, NotVerified) or not refused.collisions:
        return ()
    return placed_conflicts(desk.client.encoding, current_text(desk, desk.searches.get(search_id)), refused)
