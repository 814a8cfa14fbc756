"""From a wish about a failing test to one about the function that is to blame for it."""

from __future__ import annotations

from dataclasses import replace

from certo.edits.target import ByName
from certo.features.convert import uri_of
from certo.features.desk import Desk
from certo.sessions.locating import locate_for, test_of
from certo.sessions.request import Request
from certo.sessions.stating import Aim
from certo.verification.locating import Located
from certo.verification.suspects import Suspect


async def led(desk: Desk, request: Request) -> tuple[Request, Located | None]:
    """The wish about what is to blame for the test that it points at, and what was found; any other as it is.

    Raises:
        BadRequest: the wish points at nothing, or at a test that passes, cannot be run, or executes no function.
        BrokenWorld: nothing can be run here.
    """
    aim = desk.searches.aim(request)
    test = test_of(aim)
    return (request, None) if test is None else await led_by(desk, aim, test)


async def led_by(desk: Desk, aim: Aim, test: str) -> tuple[Request, Located]:
    """The wish about what is to blame for the test an aim points at, and what was found; raises what `led` does."""
    found = await locate_for(aim, test, desk.searches.environ)
    first, *others = [await _about(desk, aim, suspect, test) for suspect in found.searched]
    return replace(first, then=tuple(others)), found


async def _about(desk: Desk, aim: Aim, suspect: Suspect, test: str) -> Request:
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
