"""Code lenses above a function with a search: its state and the possible actions."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from certo.features.editor.conversion import lsp_head, lsp_position
from certo.features.editor.session import EditorSession
from certo.features.lsp.actions import argument_of
from certo.features.lsp.last_commit import lenses_about
from certo.presentation.edit_in_short import fix_in_short
from certo.presentation.status import passing_line, tally, why
from certo.protocol.commands import CompareArguments
from certo.search.board import CandidateState
from certo.sessions.live import LiveSearch
from certo.vocabulary.display import amount, as_message
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True)
class Lens:
    """One lens: its title and command, for a candidate if one is named."""

    title: str
    command: str
    row: CandidateState | None = None


async def code_lens(desk: EditorSession, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """Return lenses for every search of the document above its function; None if there are none."""
    document = desk.documents.get(params.text_document.uri)
    if document is None:
        return None
    shown = []
    for live, target in desk.searches_in(document):
        head = lsp_head(lsp_position(document.index, target.span.start))
        shown += [_lsp(lens, live, head) for lens in lenses_of(desk, live)]
    for target, said in lenses_about(desk, document):
        head = lsp_head(lsp_position(document.index, target.span.start))
        argument = CompareArguments(uri=document.uri, line=target.line)
        shown.append(_lens(f"Certo: {said}", "certo.diff", argument.model_dump(mode="json", by_alias=True), head))
    return shown or None


def lenses_of(desk: EditorSession, live: LiveSearch) -> Iterator[Lens]:
    """Yield the lenses of one search from left to right."""
    row = desk.shown_row(live)
    if live.acceptance.accepting is not None:
        accepted = live.state.rows[live.acceptance.accepting]
        yield Lens(f"Certo: accepting #{accepted.number} …", "certo.showDiff", accepted)
        return
    if live.running:
        yield Lens(f"Certo: {passing_line(live)}", "certo.showDiff")
        yield Lens("Stop", "certo.cancel")
        if row is not None and row.passed:
            yield Lens(f"Accept #{row.number} now", "certo.accept", row)
        return
    if row is None or not row.passed:
        yield Lens(f"Certo: {why(live)}", "certo.showDiff")
    else:
        yield from _of_candidate(live, row)
    if not live.resolved.request.ambient:
        yield Lens("Retry", "certo.retry")
    yield Lens("Dismiss", "certo.dismiss")


def _of_candidate(live: LiveSearch, row: CandidateState) -> Iterator[Lens]:
    sign = "✓" if row.verified else "?"
    if live.resolved.request.ambient:
        yield Lens(f"Certo: verified {fix_in_short(row.hunks, ' ready')}", "certo.accept", row)
    else:
        yield Lens(f"Certo: accept #{row.number} {sign} {tally(row)}", "certo.accept", row)
    yield Lens("Diff", "certo.showDiff", row)
    others = len(live.state.ranked()) - 1
    if others > 0:
        yield Lens(f"Next ({amount(others, 'other')})", "certo.next")


def _lsp(lens: Lens, live: LiveSearch, head: types.Range) -> types.CodeLens:
    return _lens(lens.title, lens.command, argument_of(live, lens.row), head)


def _lens(title: str, command: str, argument: object, head: types.Range) -> types.CodeLens:
    return types.CodeLens(range=head, command=types.Command(as_message(title), command, arguments=(argument,)))
