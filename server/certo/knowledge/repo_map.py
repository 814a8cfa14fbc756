"""Map of a repository: folders, modules, commands, tests and dependencies; equal files give equal words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

import anyio

from certo.project.configuration import Declared
from certo.project.listing import Listing
from certo.project.testfiles import is_test_file
from certo.vocabulary.knowledge import Outline
from certo.vocabulary.records import dataclass

ROLES = ("package", "tests", "docs", "config", "other")
"""Roles of a file, in display order."""

_TESTS = frozenset({"test", "tests", "testing"})
_BOOKS = frozenset({"doc", "docs"})
_CONFIGURATION = frozenset({"makefile", "dockerfile", "setup.py", "noxfile.py", "conftest.py"})
_CONFIGURATION_ENDINGS = (".toml", ".cfg", ".ini", ".yaml", ".yml", ".json", ".lock")
_DOCUMENT_ENDINGS = (".md", ".rst", ".txt")
_DOCUMENT_BEGINNINGS = ("license", "changelog", "readme")


def role_of(path: str) -> str:
    """Return the role of a file, one of ROLES."""
    folder, _, name = path.lower().rpartition("/")
    folders = folder.split("/")
    if not _TESTS.isdisjoint(folders) or (name.endswith(".py") and is_test_file(path)):
        return "tests"
    if name in _CONFIGURATION or name.endswith(_CONFIGURATION_ENDINGS) or name.startswith("requirements"):
        return "config"
    if not _BOOKS.isdisjoint(folders) or name.endswith(_DOCUMENT_ENDINGS) or name.startswith(_DOCUMENT_BEGINNINGS):
        return "docs"
    return "package" if name.endswith(".py") else "other"


MAX_LINES = 200
"""Maximum number of lines per section."""

_LINE = 240
"""Maximum length of a line."""


_AT_ONCE = 500
"""Number of paths examined before other tasks get a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepoMap:
    """Knowledge about a repository from its files alone.

    `folders` maps each folder to its number of files by role, subfolders excluded; `whole` is True if these are all.
    `shared` are files used by several tests. `outlines` are those of Python files by path. A path `near` puts what is
    closest to it first.
    """

    folders: Mapping[str, Mapping[str, int]]
    shared: tuple[str, ...] = ()
    whole: bool = True
    declared: Declared = field(default_factory=Declared)
    outlines: Mapping[str, Outline] = field(default_factory=dict)

    def overview(self) -> str:
        """Return the repository in one sentence."""
        roles = Counter[str]()
        for counts in self.folders.values():
            roles.update(counts)
        if not roles:
            return "no file of it is known"
        counted = ", ".join(f"{roles[role]} {role}" for role in ROLES if roles[role])
        return f"{'' if self.whole else 'more than '}{roles.total()} files: {counted}"

    def sections(self, near: str = "") -> Mapping[str, tuple[str, ...]]:
        """Return the lines of each section that has any, one fact per line."""
        said = {
            "architecture": (*self._folders(near), *self._modules(near)),
            "entrypoints": tuple(self._entrypoints()),
            "testing": tuple(self._testing()),
            "dependencies": tuple(self._dependencies()),
        }
        return {name: tuple(_bounded(lines)) for name, lines in said.items() if lines}

    def _folders(self, near: str) -> Iterator[str]:
        """Yield a line per folder with files: their number by role, and the purpose of its package."""
        for folder in sorted(self.folders, key=lambda folder: (distance(folder, near), folder)):
            counts = self.folders[folder]
            counted = ", ".join(f"{counts[role]} {role}" for role in ROLES if counts.get(role))
            package = self.outlines.get(f"{folder}/__init__.py")
            yield f"{folder or '.'}/ ({counted}){_behind(package.doc if package else '')}"

    def _modules(self, near: str) -> Iterator[str]:
        """Yield a line per module: its first sentence and its definitions."""
        for path in nearest((path for path in self.outlines if role_of(path) == "package"), near):
            outline = self.outlines[path]
            shown = "; ".join(symbol.shown for symbol in outline.symbols)
            if outline.doc or shown:
                yield f"{path}{_behind(outline.doc)}{' | ' if shown else ''}{shown}"

    def _entrypoints(self) -> Iterator[str]:
        for name, called in self.declared.scripts:
            yield f"the command {name} calls {called}"
        for path, outline in sorted(self.outlines.items()):
            if role_of(path) == "package" and (outline.is_main or path.endswith("__main__.py")):
                yield f"{path} can be run{_behind(outline.doc)}"

    def _testing(self) -> Iterator[str]:
        if self.declared.test_paths:
            yield f"pytest looks in {', '.join(self.declared.test_paths)}"
        for folder in sorted(self.folders):
            if count := self.folders[folder].get("tests", 0):
                yield f"{folder or '.'}/ has {count} {'file' if count == 1 else 'files'} of tests"
        for path in self.shared:
            yield f"{path} has what tests share"

    def _dependencies(self) -> Iterator[str]:
        if self.declared.oldest is not None:
            yield f"Python {'.'.join(map(str, self.declared.oldest))} or newer"
        yield from self.declared.distributions


async def take_map(listing: Listing, outlines: Mapping[str, Outline], declared: Declared) -> RepoMap:
    """Make the map of the listed files, yielding to other tasks."""
    folders: dict[str, Counter[str]] = {}
    shared: list[str] = []
    for number, each in enumerate(listing.files):
        if number % _AT_ONCE == 0:
            await anyio.lowlevel.checkpoint()
        folder, _, name = each.path.rpartition("/")
        folders.setdefault(folder, Counter())[role_of(each.path)] += 1
        if name == "conftest.py":
            shared.append(each.path)
    return RepoMap(folders=folders, shared=tuple(shared), whole=listing.whole, declared=declared, outlines=outlines)


def distance(folder: str, near: str) -> int:
    """Return the number of steps between a folder and the folder of `near`; 0 if `near` is empty."""
    if not near:
        return 0
    one, other = folder.split("/") if folder else [], near.split("/")[:-1]
    common = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        common += 1
    return len(one) + len(other) - 2 * common


def nearest(paths: Iterable[str], near: str) -> list[str]:
    """Return paths by distance from `near`, which comes first itself; in their own order if it is empty."""
    steps: dict[str, int] = {}

    def place(path: str) -> tuple[bool, int, str]:
        folder = path.rpartition("/")[0]
        if folder not in steps:
            steps[folder] = distance(folder, near)
        return path != near, steps[folder], path

    return sorted(paths, key=place)


def _behind(doc: str) -> str:
    return f": {doc}" if doc else ""


def _bounded(lines: tuple[str, ...]) -> Iterator[str]:
    for line in lines[:MAX_LINES]:
        whole = " ".join(line.split())
        yield whole if len(whole) <= _LINE else f"{whole[: _LINE - 1]}…"
    if len(lines) > MAX_LINES:
        yield f"and {len(lines) - MAX_LINES} more"
