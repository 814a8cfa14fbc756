"""A wish about a failing test, made into one about the function of the project that is to blame for it."""

from __future__ import annotations

from collections.abc import Mapping

from certo.project.testfiles import test_named
from certo.sessions.stating import Aim, find_world
from certo.verification.locating import Located, locate
from certo.verification.spectra import Stage


def test_of(aim: Aim) -> str | None:
    """The node id of the test that an aim points at; None where it is about an ordinary function."""
    return test_named(aim.path, aim.target.qualname)


async def locate_for(aim: Aim, test: str, environ: Mapping[str, str]) -> Located:
    """Find what is to blame for the test that an aim points at.

    Raises:
        BadRequest: the test passes, cannot be run, or executes no function of the project.
        BrokenWorld: nothing can be run here.
    """
    world = await find_world(aim, environ)
    if aim.request.background:
        world = world.in_background()
    return await locate(
        Stage(
            root=aim.root,
            texts={**aim.unsaved, aim.path: aim.request.text},
            interpreter=world.interpreter,
            executor=world.executor,
            options=aim.settings.tests,
        ),
        test,
    )
