"""Tests written for a function, offered as one edit whose parts the user ticks."""

from __future__ import annotations

import secrets
from collections.abc import Collection

import anyio
from lsprotocol import types

from certo.edits.positions import LineIndex
from certo.edits.source import read_source
from certo.features.editor.conversion import lsp_range, uri_of
from certo.features.editor.models import model_for
from certo.features.editor.session import EditorSession
from certo.features.lsp.progress import TOKEN_PREFIX, shown_working
from certo.features.lsp.search_start import place_of
from certo.generation.regression.proposal import with_selected
from certo.presentation.written_tests import PRESENT, agreement_in_words, gain_in_words, reason_in_words, tests_in_words
from certo.protocol.commands import CommandAnswer, TestsArguments
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.evidence.written_tests import CurrentTests
from certo.vocabulary.errors import BadRequest, CertoError, StaleText
from certo.vocabulary.progress import unheard
from certo.vocabulary.text import TextEdit
from certo.vocabulary.written_tests import WrittenTest

ADD = "Add them"
"""Label of the button that adds tests, in editors that cannot let their user tick parts of an edit."""

ARRIVAL_SECONDS = 3.0
"""Maximum wait until an editor has told of an edit that it has applied."""

NEEDED, COMMENT = "certo.tests.needed", "certo.tests.comment"
"""Ids of the part of the edit that all tests need, and of a comment before them."""


async def offer_tests(desk: EditorSession, argument: TestsArguments) -> CommandAnswer:
    """Begin to write tests of a function; they are offered when they are ready."""
    desk.client.need_edits()
    resolved = desk.searches.resolve(await desk.request(argument.uri, place_of(desk, argument)))
    if argument.wait:
        current = await _offer(desk, resolved, argument)
        is_there = current is not None and await _is_there(desk, current)
        return CommandAnswer(state="accepted" if is_there else "dismissed")
    desk.start(_offer_beside, desk, resolved, argument)
    return CommandAnswer(state="running")


async def _offer_beside(desk: EditorSession, resolved: ResolvedRequest, argument: TestsArguments) -> None:
    """Offer tests while nothing waits for the user's decision."""
    await _offer(desk, resolved, argument)


async def _offer(desk: EditorSession, resolved: ResolvedRequest, argument: TestsArguments) -> CurrentTests | None:
    """Write tests and let the editor apply them, or show why there are none; return them if any was added."""
    name = resolved.target.short_name
    token = f"{TOKEN_PREFIX}tests:{secrets.token_hex(4)}"
    try:
        async with shown_working(desk, token, f"Certo: {name}", "writing tests of what it does today"):
            model = model_for(desk, resolved) if argument.model else None
            current = await desk.searches.write_tests(resolved, unheard, against=argument.against, model=model)
        written = current.written
        if written.agreement is not None:
            desk.window.say(agreement_in_words(written.agreement, name))
        if written.suspicious:
            listed = "; ".join(f"{one.call} {one.result}: {one.why}" for one in written.suspicious)
            desk.window.say(
                f"this looks wrong, so a test of it has to be ticked by you: {listed}", types.MessageType.Warning
            )
        if not written.tests:
            desk.window.say(written.reason, types.MessageType.Warning)
            return None
        if not await _apply(desk, current, name, has_opinion=argument.wait):
            return None
        names = [test.name for test in written.tests]
        desk.searches.pin_tests(current, names, are_right=argument.wait)
        return current
    except CertoError as error:
        desk.window.say(str(error), types.MessageType.Error)
        return None


async def _is_there(desk: EditorSession, current: CurrentTests) -> bool:
    """Return True once a search would see a test that was added; editors tell of their edits a little later."""
    place = current.proposal.place
    assert place is not None  # there are tests
    path = current.resolved.root / place.path
    with anyio.move_on_after(ARRIVAL_SECONDS):
        while True:
            document = desk.documents.of_file(path)
            text = document.whole if document is not None else read_source(path) if path.exists() else ""
            if any(f"def {test.name.partition('[')[0]}(" in text for test in current.written.tests):
                return True
            await anyio.sleep(0.05)
    desk.window.say(f"save {place.path}, then search again: until then no search sees the tests")
    return False


async def _apply(desk: EditorSession, current: CurrentTests, name: str, *, has_opinion: bool) -> bool:
    """Offer the tests as one edit, and return True if it was applied.

    They start ticked but for those with a doubt. Where the user `has_opinion`, because a tick says what is right, none
    does.

    Raises:
        BadRequest: The editor makes no files for a server, and the test file is new.
        StaleText: The test file has changed meanwhile.
    """
    written = current.written
    summary = f"{tests_in_words(written)}: {gain_in_words(written)}. {PRESENT.format(name=name)}"
    if not desk.client.change_annotations and desk.client.questions:
        listed = "; ".join(f"{test.name} {reason_in_words(test)}" for test in written.tests)
        if await desk.window.ask(f"{summary} {listed}", types.MessageType.Info, (ADD,)) != ADD:
            return False
    elif not desk.client.change_annotations:
        desk.window.say(summary, types.MessageType.Info)
    if not desk.client.change_annotations and not written.ticked_names:
        desk.window.say("no test was added, for each may state what is wrong", types.MessageType.Warning)
        return False
    _need_unchanged(desk, current)
    result = await desk.window.apply(_edit(desk, current, name, has_opinion=has_opinion), f"Tests of {name}")
    is_applied = result is not None and result.applied
    if desk.client.change_annotations and is_applied:
        desk.window.say(summary, types.MessageType.Info)
    return is_applied


def _need_unchanged(desk: EditorSession, current: CurrentTests) -> None:
    """Check that the test file has the text that the tests were written for, and that the editor can change it."""
    place = current.proposal.place
    assert place is not None  # there are tests
    path = current.resolved.root / place.path
    if place.text is None and not (desk.client.creates_files and desk.client.document_changes):
        raise BadRequest(
            f"this editor makes no files for a server, and {place.path} is new; add the tests with "
            f"`certo tests {current.resolved.path}::{current.resolved.target.qualname} --apply`"
        )
    document = desk.documents.of_file(path)
    now = document.whole if document is not None else read_source(path) if path.exists() else None
    if now != place.text:
        raise StaleText(f"{place.path} has changed while its tests were written; ask for them again")


def _edit(desk: EditorSession, current: CurrentTests, name: str, *, has_opinion: bool) -> types.WorkspaceEdit:
    """Return the edit, each test with an annotation that says why it is worth having."""
    place = current.proposal.place
    assert place is not None  # there are tests
    path = current.resolved.root / place.path
    document = desk.documents.of_file(path)
    uri = document.uri if document is not None else uri_of(path)
    index = LineIndex(place.text or "", desk.client.encoding)
    annotated = desk.client.change_annotations and desk.client.document_changes
    edits: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = []
    unticked = {test.name for test in current.written.tests if has_opinion or test.doubt}
    offered = current.proposal if annotated else with_selected(current.proposal, current.written.ticked_names)
    parts = list(offered.edits())
    if annotated and not unticked:
        parts = _with_comment(parts, name)
    for edit, test in parts:
        where = lsp_range(index, edit.span)
        if annotated:
            edits.append(types.AnnotatedTextEdit(annotation_id=test or NEEDED, range=where, new_text=edit.replacement))
        else:
            edits.append(types.TextEdit(range=where, new_text=edit.replacement))
    if not desk.client.document_changes:
        plain = [edit for edit in edits if isinstance(edit, types.TextEdit)]
        return types.WorkspaceEdit(changes={uri: plain})
    version = document.version if document is not None else None
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    if place.text is None:
        options = types.CreateFileOptions(overwrite=False, ignore_if_exists=False)
        changes.append(types.CreateFile(uri=uri, options=options, annotation_id=NEEDED if annotated else None))
    changes.append(types.TextDocumentEdit(text_document=identifier, edits=edits))
    annotations = _annotations(current.written.tests, place.path, unticked) if annotated else None
    return types.WorkspaceEdit(document_changes=changes, change_annotations=annotations)


def _with_comment(parts: list[tuple[TextEdit, str | None]], name: str) -> list[tuple[TextEdit, str | None]]:
    """Return the parts of an edit with a comment before the tests.

    An editor lets its user choose only if some part needs to be confirmed: where all tests start ticked, this one does.
    """
    at = next(number for number, (_, test) in enumerate(parts) if test is not None)
    first = parts[at][0]
    gap = first.replacement[: len(first.replacement) - len(first.replacement.lstrip())]
    comment = TextEdit(first.span, f"{gap}# Written by certo: these tests state what {name} did.")
    return [*parts[:at], (comment, COMMENT), *parts[at:]]


def _annotations(
    tests: tuple[WrittenTest, ...], path: str, unticked: Collection[str]
) -> dict[str, types.ChangeAnnotation]:
    """Return a box for each test, those `unticked` to be ticked, and boxes for the imports and a comment."""
    needed = types.ChangeAnnotation(
        label=f"imports in {path}", needs_confirmation=False, description="all tests need it"
    )
    comment = types.ChangeAnnotation(
        label="a comment", needs_confirmation=True, description="says that certo wrote the tests"
    )
    return {
        NEEDED: needed,
        **({} if unticked else {COMMENT: comment}),
        **{
            test.name: types.ChangeAnnotation(
                label=test.name,
                needs_confirmation=test.name in unticked,
                description=f"{test.call} {test.result}; {test.doubt or reason_in_words(test)}",
            )
            for test in tests
        },
    }
