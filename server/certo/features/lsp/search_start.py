"""Start of a search from the editor: its place, and a search that already runs there."""

from __future__ import annotations

from dataclasses import replace

from certo.edits.examples import example_that, examples_in
from certo.edits.positions import Position
from certo.edits.target import ByLine, ByName, ByOffset, Place
from certo.features.editor.conversion import uri_of
from certo.features.editor.session import EditorSession
from certo.protocol.commands import Again, GivenExample, TargetArguments, Wish
from certo.search.board import CandidateState
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.retry import Said, guided
from certo.sessions.suspects import in_turn, resolve_failing_test, test_of
from certo.verification.dynamic.fault_localization import Located, Suspect
from certo.vocabulary.errors import BadRequest, StaleText
from certo.vocabulary.guidance import Example
from certo.vocabulary.text import Span


async def request_of(desk: EditorSession, argument: Wish) -> Request:
    """Return the request in a client's arguments.

    Raises:
        StaleText: The document has another version than the arguments.
        BadRequest: There is no such document, or a position was given in one that is not open.
    """
    request = await desk.request(
        argument.uri,
        place_of(desk, argument),
        instruction=argument.instruction,
        goal=argument.goal or "",
        selected=_selected(desk, argument),
        flags=argument.settings,
        background=argument.background,
        preserve=argument.preserve,
    )
    return replace(request, tests_first=argument.tests_first)


def _selected(desk: EditorSession, argument: Wish) -> Span | None:
    """Return the span of the module's text that the user has selected."""
    if argument.range is None:
        return None
    document = desk.documents.get(argument.uri)
    if document is None:
        raise BadRequest(f"{argument.uri} is not open in the editor; open it, or give no range")
    start, end = (
        document.start + document.index.offset(Position(place.line, place.character))
        for place in (argument.range.start, argument.range.end)
    )
    return Span(start, max(start, end))


def place_of(desk: EditorSession, argument: TargetArguments) -> Place:
    """Return the place of a document; raises the errors of `request_of`."""
    document = desk.documents.get(argument.uri)
    if argument.version is not None and (document is None or argument.version != document.version):
        changed = f"{argument.uri} is not open any more" if document is None else f"{document.name} has changed"
        raise StaleText(f"{changed} since this was offered; look at it again")
    if argument.qualname is not None:
        return ByName(argument.qualname)
    if argument.line is not None:
        above = 0 if document is None else document.whole.count("\n", 0, document.start)
        return ByLine(argument.line + above)
    if document is None:
        raise BadRequest(f"{argument.uri} is not open in the editor; open it, or give a line or qualname")
    assert argument.position is not None  # the argument's own check saw to it
    return ByOffset(
        document.start + document.index.offset(Position(argument.position.line, argument.position.character))
    )


def begin(
    desk: EditorSession, resolved: ResolvedRequest, *, instead_of: LiveSearch | None = None
) -> tuple[LiveSearch, bool]:
    """Begin a search and return True with it, or find the one that runs for that function.

    A finished search is replaced, and so is the one given as `instead_of`, even if it runs.
    """
    if instead_of is not None and instead_of.acceptance.successor is not None:
        return instead_of.acceptance.successor, False
    others = [
        each
        for each in desk.searches.of_document(resolved.request.document)
        if each.resolved.target.is_same(resolved.target)
    ]
    for other in others:
        if other.running and other is not instead_of and other.acceptance.successor is None:
            return other, False
    olds = {each.id: each for each in (*others, instead_of) if each is not None}
    return desk.searches.begin(resolved, desk.loans, olds.values()), True


async def next_suspects(desk: EditorSession, request: Request) -> tuple[Request, Located | None]:
    """Return the request for the function to blame for a test, and the suspects; any other request unchanged.

    Raises:
        BadRequest: The request points at nothing, or at a test that passes, cannot be run, or executes no function.
        BrokenWorld: Nothing can be run here.
    """
    resolved = desk.searches.resolve(request)
    test = test_of(resolved)
    return (request, None) if test is None else await led_by(desk, resolved, test)


async def led_by(desk: EditorSession, resolved: ResolvedRequest, test: str) -> tuple[Request, Located]:
    """Return the request for the function to blame for a test; raises the errors of `next_suspects`."""
    found = await resolve_failing_test(resolved, test, desk.searches.environ)
    return in_turn([await _about(desk, resolved, suspect, test) for suspect in found.searched], found), found


async def _about(desk: EditorSession, resolved: ResolvedRequest, suspect: Suspect, test: str) -> Request:
    """Return the request for one of the suspects of a test."""
    path = resolved.root / suspect.path
    document = desk.documents.of_file(path)
    request = await desk.request(
        uri_of(path) if document is None else document.uri,
        ByName.of(suspect.target),
        instruction=resolved.request.instruction,
        flags=resolved.request.flags,
        background=resolved.request.background,
        preserve=resolved.request.preserve,
    )
    return replace(request, test=test)


async def request_again(desk: EditorSession, old: LiveSearch, argument: Again) -> Request:
    """Return a repeated request with additional guidance; other parts stay.

    Raises:
        BadRequest: The example is invalid, or the document cannot be read.
        CandidateNotFound: The search has no such candidate.
        StaleText: The function has changed so that the named candidate no longer fits.
    """
    asked = old.resolved.request
    said = Said(
        feedback=argument.feedback.strip(),
        examples=_examples(argument, after=len(asked.guidance.examples)),
        row=_row(desk, old, argument),
    )
    request = await desk.request(
        desk.uri_of(old),
        ByName.of(old.resolved.target),
        instruction=asked.instruction if argument.instruction is None else argument.instruction,
        goal=asked.goal,
        # Settings of repairs that nobody asked for, such as that no model is, do not hold for what somebody asks for.
        flags={**({} if asked.ambient else asked.flags or {}), **(argument.settings or {})},
    )
    request = replace(request, second=asked.second, test=asked.test, preserve=asked.preserve)
    try:
        return guided(old, request, said)
    except StaleText:
        if argument.candidate_id is not None:
            raise
        # Feedback on the shown candidate may still be useful without its code, which no longer fits.
        return guided(old, request, replace(said, row=None))


def _examples(argument: Again, *, after: int) -> tuple[Example, ...]:
    match argument.example:
        case None:
            return ()
        case GivenExample(call=call, expected=expected):
            return (example_that(call, expected, number=after + 1),)
        case text:
            return examples_in(text, after=after)


def _row(desk: EditorSession, old: LiveSearch, argument: Again) -> CandidateState | None:
    """Return the named candidate, or the one the user looks at, if there is feedback on it."""
    if argument.candidate_id is None:
        return desk.shown_row(old) if argument.feedback.strip() else None
    return old.row(argument.candidate_id)
