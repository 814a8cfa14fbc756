"""From a request about a failing test to one about the function that is to blame for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from certo.edits.source import read_source
from certo.edits.target import ByName
from certo.sessions.locating import locate_for, test_of
from certo.sessions.request import Request
from certo.sessions.stating import take_aim
from certo.vocabulary.problem import Target
from certo.vocabulary.visible import visible


async def led(request: Request, progress: Console, say: Callable[[str], None]) -> Request:
    """The request about what is to blame for the test that it points at, which is told; any other as it is.

    Raises:
        BadRequest: the request points at nothing, or at a test that passes, cannot be run, or executes no function.
        BrokenWorld: nothing can be run here.
    """
    aim = take_aim(request, os.environ)
    test = test_of(aim)
    if test is None:
        return request
    say(f"finding out why {aim.target.name} fails")
    found = await locate_for(aim, test, os.environ)
    progress.print(Text(visible(found.sentence)), soft_wrap=True)
    first, *others = (_about(request, aim.root / each.path, each.target, test) for each in found.searched)
    return replace(first, then=tuple(others))


def _about(request: Request, document: Path, target: Target, test: str) -> Request:
    """The same request, about one of the functions that may be to blame for its test."""
    return replace(request, document=document, text=read_source(document), place=ByName.of(target), test=test)
