"""Survey of a project: changed files are outlined, and valid knowledge is read from its journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

import anyio

import certo
from certo.knowledge.repo_map import MAX_LINES, nearest, take_map
from certo.knowledge.repo_memory import RepoMemory, holding
from certo.project.configuration import read_declared
from certo.project.listing import Listing, list_files
from certo.sandbox.executor import Executor, Limits, Message, Program, Work, own_interpreter
from certo.storage.journal import Journal
from certo.storage.knowledge import Stamp
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.knowledge import Listed, Outline, Outlined
from certo.vocabulary.records import dataclass

PROGRAM = Program(home=Path(certo.__file__).resolve().parents[1], module="certo.knowledge.outline_program")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outliner:
    """Outlines files of the project at `root` within `seconds` of processor time."""

    root: Path
    executor: Executor
    seconds: float

    async def outline(
        self,
        files: Iterable[Listed],
        hashes: Mapping[str, str],
        tell: Callable[[list[Outlined]], None],
    ) -> bool:
        """Outline files in this order, reporting in batches; return True if all of them were read.

        `hashes` are those of the last outlines. Outlines are optional: if nothing can be run, there are none.
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
    """True if a file is one to outline."""
    return listed.path.endswith(".py")


def _outlined(fields: Mapping[str, Any], listed: Mapping[str, Listed]) -> Outlined:
    outline = fields["outline"]
    return Outlined(
        listed=listed[fields["path"]],
        hash=fields["hash"],
        outline=None if outline is None else Outline.from_fields(outline),
    )


SECONDS = 5.0
"""Maximum time for outlining files per search; the next search continues."""


@dataclass(slots=True, kw_only=True)
class ProjectIndex:
    """Index of one project: its files, and its journal's knowledge.

    `look` lists the files and outlines changed ones; outlines go to the journal at once, after which `written` is
    called. `texts` are unsaved documents by path.
    """

    root: Path
    journal: Journal
    executor: Executor
    environ: Mapping[str, str]
    texts: Mapping[str, str] = field(default_factory=dict)
    written: Callable[[], None] = lambda: None
    listing: Listing = field(default_factory=lambda: Listing(files=()))
    fresh: dict[str, Outline] = field(default_factory=dict)

    async def look(self, near: str = "", *, seconds: float = SECONDS) -> bool:
        """Survey the files, nearest first; return True if all were read.

        Raises:
            sqlite3.Error: The journal cannot be read.
        """
        self.listing = await list_files(self.root, self.environ)
        learned = self.journal.learned
        stamps = await self._stamps()
        files = {each.path: each for each in self.listing.files if is_outlined(each)}
        # In an incomplete listing, a missing file may merely be out of sight.
        if self.listing.whole and (gone := stamps.keys() - files.keys()):
            learned.gone(gone)
            self.written()
        changed = [path for path, each in files.items() if path not in stamps or not stamps[path].is_of(each)]
        await anyio.lowlevel.checkpoint()
        outliner = Outliner(root=self.root, executor=self.executor, seconds=seconds)
        hashes = {path: stamp.hash for path, stamp in stamps.items()}
        return await outliner.outline((files[path] for path in nearest(changed, near)), hashes, self._take)

    async def _stamps(self) -> dict[str, Stamp]:
        """Return the stamps of all files outlined before, yielding to other tasks."""
        stamps: dict[str, Stamp] = {}
        while more := self.journal.learned.stamps(after=next(reversed(stamps), "")):
            stamps.update(more)
            await anyio.lowlevel.checkpoint()
        return stamps

    def _take(self, read: list[Outlined]) -> None:
        self.journal.learned.outlined(read)
        self.fresh.update((each.listed.path, each.outline) for each in read if each.outline is not None)
        self.written()

    async def memory(self, near: str = "") -> RepoMemory:
        """Return the valid knowledge about the project, with the outlines nearest to `near`.

        Raises:
            sqlite3.Error: The journal cannot be read.
        """
        paths = [each.path for each in self.listing.files]
        outlined = nearest((each.path for each in self.listing.files if is_outlined(each)), near)[:MAX_LINES]
        outlines = {
            **self.journal.learned.outlines(outlined),
            **{p: self.fresh[p] for p in outlined if p in self.fresh},
        }
        claims = await holding(self.journal.learned.claims(), self.root, paths, self.texts)
        return RepoMemory(map=await take_map(self.listing, outlines, read_declared(self.root)), claims=claims)
