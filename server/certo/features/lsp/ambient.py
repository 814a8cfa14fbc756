"""Ambient repairs in an editor: what begins them, and how their offers are shown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from lsprotocol import types

from certo.edits.positions import LineIndex, Position
from certo.features.editor.conversion import lsp_position
from certo.features.editor.documents import PYTHON, Document, path_of
from certo.features.editor.session import EditorSession
from certo.features.lsp.last_commit import compare_unasked
from certo.presentation.edit_in_short import fix_in_short
from certo.project.root import find_root
from certo.sessions.ambient.changes import LAST_FAILED
from certo.sessions.live import LiveSearch
from certo.vocabulary.display import visible
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Target

CODE = "repair"
"""The code of the diagnostics that offer a fix."""


def begin_ambient(desk: EditorSession) -> None:
    """Follow what the editor tells of saves from now on; nothing runs before the settings allow it."""
    desk.ambient.changed = partial(_show, desk)
    desk.ambient.compare = partial(compare_unasked, desk)
    desk.start(desk.ambient.keep)


async def look_at_open(desk: EditorSession, path: Path) -> None:
    """Take note of the tests that have failed before a document was opened."""
    root = await _enabled_root(desk, path)
    if root is not None:
        desk.ambient.tested(root / LAST_FAILED, is_new=False)


async def look_at_save(desk: EditorSession, document: Document) -> None:
    """Look at the functions that a save has changed and the tests that failed meanwhile, if the settings want that."""
    if document.path is not None and document.language == PYTHON:
        root = await _enabled_root(desk, document.path)
        desk.ambient.saved(document.path, document.whole, enabled=root is not None)
        if root is not None:
            desk.ambient.tested(root / LAST_FAILED)


async def watch_tests(desk: EditorSession) -> None:
    """Ask to be told when pytest has noted failing tests, once the settings of a folder want that."""
    if not desk.client.watched_files or desk.watches_tests:
        return
    for folder in desk.folders.values():
        if not desk.watches_tests and await _enabled_root(desk, folder / LAST_FAILED) is not None:
            desk.watches_tests = True
            watcher = types.FileSystemWatcher(glob_pattern=f"**/{LAST_FAILED.as_posix()}")
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers=(watcher,))
            await desk.window.register(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)


def files_changed(desk: EditorSession, params: types.DidChangeWatchedFilesParams) -> None:
    """Look at the tests that pytest has noted as failing."""
    for change in params.changes:
        path = path_of(change.uri)
        if path is not None and path.match(str(LAST_FAILED)) and desk.watches_tests:
            desk.ambient.tested(path)


async def _enabled_root(desk: EditorSession, path: Path) -> Path | None:
    """Return the root of a file's project; None if the settings do not want ambient repairs there."""
    try:
        root = find_root(path, tuple(desk.folders.values()))
        client = await desk.settings.of(desk.folder_of(path))
        return root if desk.searches.settings(root, client).ambient.enabled else None
    except BadRequest:
        return None  # It is said when somebody wants a search.


def _show(desk: EditorSession, path: Path) -> None:
    """Show the offers in a document as they are now."""
    document = desk.documents.of_file(path)
    if document is not None:
        show_offers(desk, document)
        desk.refresh()
    else:
        desk.window.publish(path.as_uri(), [])  # editors keep hints of closed documents


def show_offers(desk: EditorSession, document: Document) -> None:
    """Send a document's offers as hints."""
    desk.window.publish(document.uri, [diagnostic for _, diagnostic in offers_in(desk, document)])


def offers_in(desk: EditorSession, document: Document) -> Iterator[tuple[LiveSearch, types.Diagnostic]]:
    """Yield each search whose fix is offered in a document, with the hint at the line that is wrong."""
    for live, target in desk.searches_in(document):
        row = live.state.best_row
        if live.resolved.request.ambient and row is not None and row.hunks:
            line = row.hunks[0].line + target.line - live.target.line
            yield (
                live,
                types.Diagnostic(
                    range=_code_of_line(document.index, document.text, _within(target, document, line)),
                    message=visible(f"A verified {fix_in_short(row.hunks, ' is ready')}"),
                    severity=types.DiagnosticSeverity.Hint,
                    source="certo",
                    code=CODE,
                ),
            )


def _within(target: Target, document: Document, line: int) -> int:
    """Return a line of a function, counted from 0: the one given from 1, or its first if that lies outside."""
    first, last = (document.index.position(place).line for place in (target.span.start, target.span.end))
    return line - 1 if first <= line - 1 <= last else first


def _code_of_line(index: LineIndex, text: str, number: int) -> types.Range:
    """Return the range of a line without the blanks around its code."""
    start, end = (index.offset(Position(line, 0)) for line in (number, number + 1))
    line = text[start:end]
    start += len(line) - len(line.lstrip())
    return types.Range(start=lsp_position(index, start), end=lsp_position(index, start + len(line.strip())))
