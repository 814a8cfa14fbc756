"""Retrying from the editor: the same wish on the text as it is now, with what the user says of what came before."""

from __future__ import annotations

from dataclasses import replace

from certo.edits.given import example_that, examples_in
from certo.edits.target import ByName
from certo.features.desk import Desk
from certo.protocol.commands import Again, GivenExample
from certo.search.board import Row
from certo.sessions.live import LiveSearch
from certo.sessions.request import Request
from certo.sessions.retrying import Said, guided
from certo.vocabulary.errors import StaleText
from certo.vocabulary.example import Example


async def request_again(desk: Desk, old: LiveSearch, argument: Again) -> Request:
    """The wish of a search once more, with what is said besides; what is not said stays as it was.

    Raises:
        BadRequest: the example is none, or the document cannot be read.
        CandidateNotFound: the search has no such candidate.
        StaleText: the function was changed, so that the candidate named has no place in it any more.
    """
    asked = old.aim.request
    said = Said(
        feedback=argument.feedback.strip(),
        examples=_examples(argument, after=len(asked.guidance.examples)),
        row=_row(desk, old, argument),
    )
    request = await desk.request(
        desk.uri_of(old),
        ByName.of(old.aim.target),
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


def _row(desk: Desk, old: LiveSearch, argument: Again) -> Row | None:
    """The candidate that is named, or else the one that the user looks at, when there is something to say of it."""
    if argument.candidate_id is None:
        return desk.shown_row(old) if argument.feedback.strip() else None
    return old.row(argument.candidate_id)
