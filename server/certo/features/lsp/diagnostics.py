"""Pulled diagnostics: findings about a candidate, placed in the candidate's own text."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from certo.edits.positions import LineIndex, Position
from certo.edits.target import ByName, find_target
from certo.features.editor.conversion import lsp_position
from certo.features.editor.documents import SCHEME
from certo.features.editor.session import EditorSession
from certo.features.lsp.virtual_documents import Aspect, Shown, shown_at
from certo.presentation.strength import gap_in_words, shown_gaps
from certo.vocabulary.display import visible
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.verdict import Ruling

_SEVERITIES = {
    Ruling.FAILED: types.DiagnosticSeverity.Error,
    Ruling.UNDECIDED: types.DiagnosticSeverity.Warning,
    Ruling.PASSED: types.DiagnosticSeverity.Information,
}

_BEYOND = 1 << 30
"""A character beyond every line, which LSP reads as the line's end."""

Report = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport


async def diagnostics(desk: EditorSession, params: types.DocumentDiagnosticParams) -> Report:
    """Return the findings about a candidate for the document with its text; never any for the user's files."""
    shown = _shown(desk, params.text_document.uri)
    if shown is None or shown.aspect is not Aspect.TEXT:
        return types.RelatedFullDocumentDiagnosticReport(items=())
    known = f"{len(shown.row.verdicts)}{'' if shown.row.strength is None else ', measured'}"
    if params.previous_result_id == known:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=known)
    return types.RelatedFullDocumentDiagnosticReport(items=tuple(_found(desk, shown)), result_id=known)


def _shown(desk: EditorSession, uri: str) -> Shown | None:
    """Return the content of a document that certo serves; None for any other, or if its search is gone."""
    try:
        return shown_at(desk, uri) if uri.startswith(f"{SCHEME}:") else None
    except BadRequest:
        return None


def _found(desk: EditorSession, shown: Shown) -> Iterator[types.Diagnostic]:
    """Yield every finding for its whole line, those without a place at the function; then what no test notices."""
    text = shown.live.text_with(shown.row)
    index, head = LineIndex(text, desk.client.encoding), _line_of_target(shown, text)
    for verdict in shown.row.verdicts:
        for finding in verdict.findings:
            yield types.Diagnostic(
                range=_line(index, finding.line or head),
                message=visible(finding.message),
                severity=_SEVERITIES[verdict.ruling],
                source="certo",
                code=verdict.verifier,
            )
    yield from _unnoticed(shown, index)


def _unnoticed(shown: Shown, index: LineIndex) -> Iterator[types.Diagnostic]:
    """Yield a hint for each change of the candidate that no test notices, if the settings ask for hints."""
    if shown.row.strength is None or not shown.live.resolved.settings.strength.hints:
        return
    for gap in shown_gaps(shown.row.strength):
        yield types.Diagnostic(
            range=_line(index, gap.line),
            message=gap_in_words(gap),
            severity=types.DiagnosticSeverity.Hint,
            source="certo",
            code="strength",
        )


def _line(index: LineIndex, number: int) -> types.Range:
    """Return the range of a line, counted from 1; the end of the text if there is no such line."""
    start = lsp_position(index, index.offset(Position(number - 1, 0)))
    return types.Range(start=start, end=lsp_position(index, index.offset(Position(number - 1, _BEYOND))))


def _line_of_target(shown: Shown, text: str) -> int:
    """Return the line of the function's `def` in a candidate's text, or in the original if the candidate has none."""
    target = shown.live.resolved.target
    try:
        return find_target(text, ByName.of(target), path=shown.live.resolved.path).line
    except BadRequest:
        return target.line
