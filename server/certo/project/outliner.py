"""Outlining the Python files of a project in a process that can be killed, and only those that have changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import certo
from certo.sandbox.executor import Executor, Limits, Message, Program, Work
from certo.sandbox.own import own_interpreter
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.outline import Listed, Outline, Outlined

PROGRAM = Program(home=Path(certo.__file__).resolve().parents[1], module="certo.project.outlining")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outliner:
    """Outlines the files of the project at `root`, with no more than so many `seconds` of processor time."""

    root: Path
    executor: Executor
    seconds: float

    async def outline(
        self,
        files: Iterable[Listed],
        hashes: Mapping[str, str],
        tell: Callable[[list[Outlined]], None],
    ) -> bool:
        """Outline these files in this order, telling some at a time; returns whether all of them were read.

        `hashes` are those of their bytes when they were outlined last. Outlines are a help and no more: where nothing
        can be run, none are told.
        """
        listed = {each.path: each for each in files}
        if not listed:
            return True

        def heard(message: Message) -> None:
            tell([_outlined(fields, listed) for fields in message["files"] if fields["path"] in listed])

        work = Work(
            program=PROGRAM,
            request={"paths": list(listed), "known": {path: hashes[path] for path in listed if path in hashes}},
            interpreter=own_interpreter(),
            root=self.root,
            limits=Limits.within(self.seconds, output_mebibytes=64),
        )
        try:
            return (await self.executor.run(work, heard)).complete
        except BrokenWorld:
            return False


def is_outlined(listed: Listed) -> bool:
    """Whether a file is one to outline."""
    return listed.path.endswith(".py")


def _outlined(fields: Mapping[str, Any], listed: Mapping[str, Listed]) -> Outlined:
    outline = fields["outline"]
    return Outlined(
        listed=listed[fields["path"]],
        hash=fields["hash"],
        outline=None if outline is None else Outline.from_fields(outline),
    )
