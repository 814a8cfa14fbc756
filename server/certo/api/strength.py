"""Test strength from Python: how many small changes of a function in a project its tests notice."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import anyio

from certo.edits.source import read_source
from certo.edits.target import ByName
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.evidence.strength import strength_of_current
from certo.vocabulary.strength import TestStrength


async def measure_strength(
    path: str | os.PathLike[str], name: str, *, settings: Mapping[str, object] | None = None
) -> TestStrength:
    """Return how many small changes of the function `name` in the file at `path` its tests notice.

    The tests run in certo's sandbox, under the project's own interpreter. `settings` are by their dotted names and come
    before those of the project.

    Raises:
        BadRequest: There is no such function, or a setting is wrong.
        BrokenWorld: Nothing can be run here.
    """
    document = Path(await anyio.Path(path).absolute())
    asked = Request(document=document, text=read_source(document), place=ByName(name), flags=settings)
    resolved = resolve_request(asked, os.environ)
    context = await find_execution_context(resolved, os.environ)
    return (await strength_of_current(resolved, context, _unheard)).strength


def _unheard(message: str) -> None:
    """Drop a message: the caller waits for the answer alone."""
