"""Commands: each checks its argument, works in the background, and answers at once."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from certo.edits.target import ByLine, ByName
from certo.features.arguments import check
from certo.features.editor.conversion import uri_of
from certo.features.editor.session import EditorSession
from certo.features.errors import name_of
from certo.features.lsp.apply_edit import apply
from certo.features.lsp.last_commit import begin_comparison
from certo.features.lsp.more_actions import show_more
from certo.features.lsp.offers import MORE
from certo.features.lsp.progress import TOKEN_PREFIX, shown_working, watch
from certo.features.lsp.search_end import conclude, may_ask
from certo.features.lsp.search_start import begin, led_by, request_again, request_of
from certo.features.lsp.virtual_documents import Aspect, uri_of_candidate
from certo.features.lsp.written_tests import offer_tests
from certo.presentation.phrases import tests_of
from certo.presentation.status import passed_on, short_name, why
from certo.protocol.commands import (
    CandidateArguments,
    CommandAnswer,
    CompareArguments,
    GenerateArguments,
    MoreArguments,
    RetryArguments,
    SearchArguments,
    TestsArguments,
    TracebackArguments,
)
from certo.protocol.wire import Wire
from certo.search.board import CandidateState
from certo.sessions.acceptance.acceptance import need_passed
from certo.sessions.ambient.tracebacks import place_in_traceback
from certo.sessions.applied import AppliedEdit
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.live import LiveSearch
from certo.sessions.suspects import test_of
from certo.vocabulary.display import amount
from certo.vocabulary.errors import CandidateNotFound, CertoError
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Report

AGAIN = "Verify it as it is"
"""Label of the button that verifies the current text after an edit turned out otherwise than verified."""


async def accept(desk: EditorSession, live: LiveSearch, candidate_id: str) -> None:
    """Apply a candidate, or show the reason why not; the search is removed once its candidate is in the text."""
    try:
        applied = await apply(desk, live, candidate_id)
        if applied is not None:
            await tell(desk, live, applied)
    except CertoError as refused:
        desk.window.say(str(refused), types.MessageType.Error)


async def tell(desk: EditorSession, live: LiveSearch, applied: AppliedEdit) -> None:
    """Show invisible facts: that changes were merged, or that the text is not the verified one.

    Raises:
        CertoError: It must be verified again, and cannot be.
    """
    name = short_name(live.resolved.target)
    if applied.exact is False:
        sentence = (
            f"`{name}` in {live.path} is not what was verified: the text changed while the edit was on its way. "
            "Look at it, and undo it or run its tests."
        )
        if not desk.client.questions:
            desk.window.say(sentence, types.MessageType.Warning)
        elif await desk.window.ask(sentence, types.MessageType.Warning, (AGAIN,)) == AGAIN:
            await _verify(desk, live, name)
    elif applied.merged:
        passed = amount(tests_of(applied.report.verdicts)[0], "test")
        desk.window.say(f"`{name}` was merged with your changes and verified again, by {passed}.")


async def _verify(desk: EditorSession, live: LiveSearch, name: str) -> None:
    """Verify a function in its current text and show the result."""
    resolved = desk.searches.resolve(await desk.request(desk.uri_of(live), ByName.of(live.resolved.target)))
    standing = await desk.searches.verify(resolved, live.run.models)
    report = standing.report
    kind = types.MessageType.Info if report.verified else types.MessageType.Warning
    desk.window.say(f"`{name}` as it is now {_standing(report)}.", kind)


def _standing(report: Report) -> str:
    if report.failure is not None:
        found = report.failure.findings[0].message if report.failure.findings else report.failure.ruling.value
        return f"does not pass: {report.failure.verifier}: {' '.join(found.split())}"
    if report.verified:
        return f"is verified by {amount(tests_of(report.verdicts)[0], 'test')}"
    return f"passes its checks, but {report.caveat}: it is NOT VERIFIED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: name, type of its one argument, and handler; expected failures are CertoErrors."""

    name: str
    argument: type[Wire]
    run: Callable[[EditorSession, Any], Awaitable[CommandAnswer]]


async def execute_command(desk: EditorSession, params: types.ExecuteCommandParams) -> dict[str, Any]:
    """Run one of certo's commands; an expected failure is answered as `failed` and shown in one sentence."""
    command = COMMANDS.get(params.command)
    if command is None:
        raise JsonRpcInvalidParams(f"there is no command {params.command!r}; there are {', '.join(COMMANDS)}")
    argument = check(command.name, command.argument, params.arguments)
    try:
        answer = await command.run(desk, argument)
    except CertoError as error:
        desk.window.say(str(error), types.MessageType.Error)
        answer = CommandAnswer(state="failed", error=str(error), name=name_of(type(error)))
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


async def _generate(desk: EditorSession, argument: GenerateArguments) -> CommandAnswer:
    """Start a search for the function at a place; at a failing test, for the function to blame."""
    resolved = desk.searches.resolve(await request_of(desk, argument))
    test = test_of(resolved)
    if test is None:
        request = replace(resolved.request, tests_first=argument.tests_first or may_ask(desk, resolved))
        return _begin(desk, replace(resolved, request=request))
    desk.start(_generate_for, desk, resolved, test)
    return CommandAnswer(state="locating")


async def _generate_for(desk: EditorSession, resolved: ResolvedRequest, test: str) -> None:
    """Start a search for the function to blame for a test and show it, or the reason why there is none."""
    token = f"{TOKEN_PREFIX}locate:{secrets.token_hex(4)}"
    try:
        async with shown_working(desk, token, f"Certo: {resolved.target.name}", "finding out why it fails"):
            request, found = await led_by(desk, resolved, test)
        _begin(desk, desk.searches.resolve(request))
        desk.window.say(found.sentence, types.MessageType.Info)
    except CertoError as error:
        desk.window.say(str(error), types.MessageType.Error)


def _begin(desk: EditorSession, resolved: ResolvedRequest, *, instead_of: LiveSearch | None = None) -> CommandAnswer:
    """Start a search and show it while it runs."""
    live, new = begin(desk, resolved, instead_of=instead_of)
    if new:
        desk.start(_follow, desk, live)
    return CommandAnswer(search_id=live.id, state="running")


async def _follow(desk: EditorSession, live: LiveSearch) -> None:
    """Show a search while it runs and its end, then the searches that follow it."""
    await watch(desk, live)
    while live.followed_by is not None:
        after = desk.searches.get(live.followed_by)
        desk.window.say(passed_on(live, after), types.MessageType.Info)
        live = after
        await watch(desk, live)
    await conclude(desk, live, execute_command)


async def _cancel(desk: EditorSession, argument: SearchArguments) -> CommandAnswer:
    """End a search; answer after its processes are gone."""
    live = await desk.search(argument.search_id)
    if not live.running:
        return CommandAnswer(search_id=live.id, state="stopped")
    await desk.searches.cancel(live)
    return CommandAnswer(search_id=live.id, state="cancelled")


async def _accept(desk: EditorSession, argument: CandidateArguments) -> CommandAnswer:
    """Begin to accept a candidate; repeated requests have no further effect."""
    if desk.searches.applied(argument.search_id) is not None:
        return CommandAnswer(search_id=argument.search_id, state="accepted")
    live = await desk.search(argument.search_id)
    if live.acceptance.accepting is not None:
        return CommandAnswer(search_id=live.id, candidate_id=live.acceptance.accepting, state="accepting")
    row = _row(desk, live, argument.candidate_id)
    need_passed(row)
    desk.client.need_edits()
    live.acceptance.accepting = row.candidate_id
    desk.start(accept, desk, live, row.candidate_id)
    return CommandAnswer(search_id=live.id, candidate_id=row.candidate_id, state="accepting")


async def _retry(desk: EditorSession, argument: RetryArguments) -> CommandAnswer:
    """Repeat a search for the same function on the current text, with additional guidance."""
    old = await desk.search(argument.search_id)
    resolved = desk.searches.resolve(await request_again(desk, old, argument))
    return _begin(desk, resolved, instead_of=old)


async def _show_diff(desk: EditorSession, argument: CandidateArguments) -> CommandAnswer:
    live = await desk.search(argument.search_id)
    row = _row(desk, live, argument.candidate_id)
    desk.start(_open_diff, desk, live, row)
    return CommandAnswer(search_id=live.id, candidate_id=row.candidate_id, state="shown")


async def _open_diff(desk: EditorSession, live: LiveSearch, row: CandidateState) -> None:
    """Open a candidate's diff in the editor: as a virtual document if supported, else as a file."""
    client = desk.client
    ours = uri_of_candidate(live, row, Aspect.DIFF)
    if client.virtual_documents and client.show_document and await desk.window.show_document(ours):
        return
    path = desk.diffs.write(f"{short_name(live.resolved.target)}-{live.id}-{row.number}", row.diff)
    if not (client.show_document and await desk.window.show_document(uri_of(path))):
        desk.window.say(f"the diff of candidate #{row.number} is in {path}")


async def _dismiss(desk: EditorSession, argument: SearchArguments) -> CommandAnswer:
    desk.searches.forget(await desk.search(argument.search_id))
    return CommandAnswer(search_id=argument.search_id, state="dismissed")


async def _next(desk: EditorSession, argument: SearchArguments) -> CommandAnswer:
    """Show the next passing candidate, from best to worst, then the first again."""
    live = await desk.search(argument.search_id)
    ids = [row.candidate_id for row in live.state.ranked()]
    if not ids:
        raise CandidateNotFound(f"no candidate for `{short_name(live.resolved.target)}` has passed. {why(live)}")
    shown = desk.shown_row(live)
    place = ids.index(shown.candidate_id) + 1 if shown is not None and shown.candidate_id in ids else 0
    desk.view(live).shown = ids[place % len(ids)]
    desk.refresh()
    return CommandAnswer(search_id=live.id, candidate_id=ids[place % len(ids)], state="shown")


async def _diff(desk: EditorSession, argument: CompareArguments) -> CommandAnswer:
    """Begin to compare a function with the last commit."""
    await begin_comparison(desk, argument)
    return CommandAnswer(state="comparing")


async def _traceback(desk: EditorSession, argument: TracebackArguments) -> CommandAnswer:
    """Start a search for the function that a traceback is about, as if the user had pointed at it."""
    path, place = place_in_traceback(argument.traceback, tuple(desk.folders.values()))
    document = desk.documents.of_file(path)
    uri = uri_of(path) if document is None else document.uri
    named = {"line": place.line} if isinstance(place, ByLine) else {"qualname": place.qualname}
    return await _generate(desk, GenerateArguments.model_validate({"uri": uri, **named}))


async def _more(desk: EditorSession, argument: MoreArguments) -> CommandAnswer:
    """Show a menu of the further actions at a place."""
    return await show_more(desk, argument, execute_command)


def _row(desk: EditorSession, live: LiveSearch, candidate_id: str | None) -> CandidateState:
    """Return the named candidate, or the shown one.

    Raises:
        CandidateNotFound: There is no such candidate, or none to show.
    """
    row = live.row(candidate_id) if candidate_id is not None else desk.shown_row(live)
    if row is None:
        raise CandidateNotFound(f"no candidate for `{short_name(live.resolved.target)}` has passed. {why(live)}")
    return row


COMMANDS = {
    command.name: command
    for command in (
        Command(name="certo.generate", argument=GenerateArguments, run=_generate),
        Command(name="certo.tests", argument=TestsArguments, run=offer_tests),
        Command(name="certo.cancel", argument=SearchArguments, run=_cancel),
        Command(name="certo.accept", argument=CandidateArguments, run=_accept),
        Command(name="certo.retry", argument=RetryArguments, run=_retry),
        Command(name="certo.showDiff", argument=CandidateArguments, run=_show_diff),
        Command(name="certo.dismiss", argument=SearchArguments, run=_dismiss),
        Command(name="certo.next", argument=SearchArguments, run=_next),
        Command(name="certo.diff", argument=CompareArguments, run=_diff),
        Command(name="certo.traceback", argument=TracebackArguments, run=_traceback),
        Command(name=MORE, argument=MoreArguments, run=_more),
    )
}
"""All commands by name."""
