"""Starting a search from the editor: where it is about, and whether one runs there already."""

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
from certo.sessions.suspects import resolve_failing_test, test_of
from certo.verification.dynamic.fault_localization import Located, Suspect
from certo.vocabulary.errors import BadRequest, StaleText
from certo.vocabulary.guidance import Example
from certo.vocabulary.text import Span


async def request_of(desk: EditorSession, argument: Wish) -> Request:
    """The wish that a client's arguments make.

    Raises:
        StaleText: the document is not the version that was looked at.
        BadRequest: there is no such document, or a position was given in one that is not open.
    """
    return await desk.request(
        argument.uri,
        place_of(desk, argument),
        instruction=argument.instruction,
        selected=_selected(desk, argument),
        flags=argument.settings,
        background=argument.background,
    )


def _selected(desk: EditorSession, argument: Wish) -> Span | None:
    """The stretch of the module's text that the user has selected."""
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
    """A place of a document in our own terms; raises what `request_of` does."""
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
    desk: EditorSession, aim: ResolvedRequest, *, instead_of: LiveSearch | None = None
) -> tuple[LiveSearch, bool]:
    """Begin a search, and say so, or find the one that runs for that function.

    A finished one makes room for it, and so does the one it is made `instead_of`, which may run.
    """
    if instead_of is not None and instead_of.acceptance.successor is not None:
        return instead_of.acceptance.successor, False
    others = [
        each for each in desk.searches.of_document(aim.request.document) if each.resolved.target.is_same(aim.target)
    ]
    for other in others:
        if other.running and other is not instead_of and other.acceptance.successor is None:
            return other, False
    olds = {each.id: each for each in (*others, instead_of) if each is not None}
    return desk.searches.begin(aim, desk.loans, olds.values()), True


async def next_suspects(desk: EditorSession, request: Request) -> tuple[Request, Located | None]:
    """The wish about what is to blame for the test that it points at, and what was found; any other as it is.

    Raises:
        BadRequest: the wish points at nothing, or at a test that passes, cannot be run, or executes no function.
        BrokenWorld: nothing can be run here.
    """
    aim = desk.searches.resolve(request)
    test = test_of(aim)
    return (request, None) if test is None else await led_by(desk, aim, test)


async def led_by(desk: EditorSession, aim: ResolvedRequest, test: str) -> tuple[Request, Located]:
    """The wish about what is to blame for the test an aim points at, and what was found; raises what `led` does."""
    found = await resolve_failing_test(aim, test, desk.searches.environ)
    first, *others = [await _about(desk, aim, suspect, test) for suspect in found.searched]
    return replace(first, then=tuple(others)), found


async def _about(desk: EditorSession, aim: ResolvedRequest, suspect: Suspect, test: str) -> Request:
    """The wish of an aim, about one of the functions that may be to blame for its test."""
    path = aim.root / suspect.path
    document = desk.documents.of_file(path)
    request = await desk.request(
        uri_of(path) if document is None else document.uri,
        ByName.of(suspect.target),
        instruction=aim.request.instruction,
        flags=aim.request.flags,
        background=aim.request.background,
    )
    return replace(request, test=test)


async def request_again(desk: EditorSession, old: LiveSearch, argument: Again) -> Request:
    """The wish of a search once more, with what is said besides; what is not said stays as it was.

    Raises:
        BadRequest: the example is none, or the document cannot be read.
        CandidateNotFound: the search has no such candidate.
        StaleText: the function was changed, so that the candidate named has no place in it any more.
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
        flags={**(asked.flags or {}), **(argument.settings or {})},
    )
    request = replace(request, test=asked.test)
    try:
        return guided(old, request, said)
    except StaleText:
        if argument.candidate_id is not None:
            raise
        # What is said of the candidate that was shown may mean something where that has no place any more.
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
    """The candidate that is named, or else the one that the user looks at, when there is something to say of it."""
    if argument.candidate_id is None:
        return desk.shown_row(old) if argument.feedback.strip() else None
    return old.row(argument.candidate_id)
