"""Comparison of functions with the last commit: made on request, remembered for the text it was made of."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator

from lsprotocol import types

from certo.behaviour.diff import BehaviourDiff
from certo.behaviour.version_comparison import MUTANTS, ComparisonBudget
from certo.edits.source import parse_source
from certo.edits.target import ByName, find_target
from certo.features.editor.comparisons import HEAD
from certo.features.editor.documents import Document
from certo.features.editor.session import EditorSession
from certo.features.lsp.progress import TOKEN_PREFIX, shown_working
from certo.features.lsp.search_start import place_of
from certo.presentation.behaviour import call_script, in_one_line, shortened
from certo.project.revisions import find_revision
from certo.project.root import find_root
from certo.protocol.commands import CompareArguments
from certo.sessions.assembly.problem_statement import ResolvedRequest, find_execution_context
from certo.sessions.evidence.behaviour_diff import diff_function, older_at
from certo.vocabulary.errors import BadRequest, CertoError
from certo.vocabulary.problem import Target

log = logging.getLogger(__name__)

_SHOWN_CHARACTERS = 40
"""Maximum length of the call in a code lens."""


async def read_commit(desk: EditorSession, uri: str) -> None:
    """Read the text that a document has in the last commit, so that actions can be offered from memory."""
    document = desk.documents.get(uri)
    if document is None or document.path is None:
        return
    root = find_root(document.path, tuple(desk.folders.values()))
    try:
        revision = await find_revision(root, HEAD, desk.searches.environ)
        text = await revision.text_of(document.path.relative_to(root).as_posix())
        if text is not None:
            parse_source(text, document.name)
    except (BadRequest, ValueError) as error:
        log.debug("%s is not compared with the last commit: %s", document.name, error)
        text = None
    desk.comparisons.set_commit(document.path, text)


def differs(desk: EditorSession, document: Document, target: Target | None) -> bool:
    """True if a function is known to have another text in the last commit."""
    before = desk.comparisons.commit_of(document.path) if document.path is not None else None
    if target is None or target.is_hole or before is None or document.flaw is not None:
        return False
    try:
        older = find_target(before, ByName.of(target), path=document.name)
        now = find_target(document.whole, ByName.of(target), path=document.name)
    except BadRequest:
        return False
    return before[older.span.start : older.span.end] != document.whole[now.span.start : now.span.end]


def line_about(desk: EditorSession, document: Document, target: Target | None) -> str | None:
    """Return what is remembered of a function, in one line; None if nothing is known of this text."""
    if target is None or document.path is None:
        return None
    found = desk.comparisons.result_of(document.path, document.whole, target)
    return None if found is None else _in_words(found)


def shows_call(desk: EditorSession, document: Document, target: Target) -> bool:
    """True if a comparison of this text has found a call that can be made outside the tests."""
    assert document.path is not None  # only files are compared
    found = desk.comparisons.result_of(document.path, document.whole, target)
    return found is not None and bool(call_script(found))


def _in_words(found: BehaviourDiff) -> str:
    return f"since {found.older}: {in_one_line(found)}"


async def begin_comparison(desk: EditorSession, argument: CompareArguments) -> None:
    """Begin to compare a function with the last commit; the result is shown as a message.

    Raises:
        CertoError: There is no such function.
    """
    resolved = desk.searches.resolve(await desk.request(argument.uri, place_of(desk, argument)))
    desk.start(_compare, desk, resolved)


async def _compare(desk: EditorSession, resolved: ResolvedRequest) -> None:
    """Compare a function, remember the result, and show it, or the reason why there is none."""
    name, token = resolved.target.short_name, f"{TOKEN_PREFIX}diff:{secrets.token_hex(4)}"
    try:
        async with shown_working(desk, token, f"Certo: {name}", f"comparing with {HEAD}"):
            found = await _compared(desk, resolved)
    except CertoError as error:
        desk.window.say(str(error), types.MessageType.Error)
        return
    desk.comparisons.remember(resolved.request.document, resolved.request.text, resolved.target, found)
    kind = types.MessageType.Warning if found.is_different or not found.is_compared else types.MessageType.Info
    desk.window.say(f"`{name}` {_in_words(found)}", kind)


async def compare_unasked(desk: EditorSession, resolved: ResolvedRequest) -> None:
    """Compare a function that differs from the last commit, in the background; a code lens shows differences.

    Raises:
        CertoError: It cannot be compared, which nobody has to be told.
    """
    document = desk.documents.of_file(resolved.request.document)
    if document is None:
        return
    await read_commit(desk, document.uri)
    if document.whole == resolved.request.text and differs(desk, document, resolved.target):
        found = await _compared(desk, resolved)
        desk.comparisons.remember(
            resolved.request.document, resolved.request.text, resolved.target, found, is_unasked=True
        )
        desk.refresh()


def lenses_about(desk: EditorSession, document: Document) -> Iterator[tuple[Target, str]]:
    """Yield the functions that were found to act differently than in the last commit, unasked, with a line on each."""
    if document.path is not None and document.flaw is None:
        for place, found in desk.comparisons.found_unasked(document.path, document.whole):
            real = [one for one in found.differences if not one.is_slight]
            gives = "call gives another result" if len(real) == 1 else "calls give other results"
            said = f"{len(real)} {gives} than in {found.older}: {shortened(real[0].call, _SHOWN_CHARACTERS)}"
            yield find_target(document.whole, place, path=document.name), said


async def _compared(desk: EditorSession, resolved: ResolvedRequest) -> BehaviourDiff:
    environ = desk.searches.environ
    older = await older_at(await find_revision(resolved.root, HEAD, environ), resolved)
    context = await find_execution_context(resolved, environ)
    if resolved.request.background:
        context = context.in_background()
    return await diff_function(resolved, context, older, ComparisonBudget(mutants=MUTANTS))
