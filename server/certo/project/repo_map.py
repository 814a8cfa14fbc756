"""The map of a repository: its folders, modules, commands, tests and needs, in the same words for the same files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from certo.project.declared import Declared
from certo.project.roles import role_of
from certo.vocabulary.outline import Outline

MOST_LINES = 200
"""So many lines a section of the map has."""

_ROLES = ("package", "tests", "docs", "config", "other")

_LINE = 240
"""How long a line is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepoMap:
    """What is known of a repository by its files alone.

    `paths` are all that may be read, in order, and `whole` says that there are no others; `outlines` those of Python
    files that were read, by path. Whoever is `near` a path wants what lies next to it first.
    """

    paths: tuple[str, ...]
    whole: bool = True
    declared: Declared = field(default_factory=Declared)
    outlines: Mapping[str, Outline] = field(default_factory=dict)

    def overview(self) -> str:
        """The repository in one sentence."""
        roles = Counter(role_of(path) or "other" for path in self.paths)
        counted = ", ".join(
            f"{roles[role]} {role}" for role in ("package", "tests", "docs", "config", "other") if roles[role]
        )
        return f"{'' if self.whole else 'more than '}{len(self.paths)} files: {counted or 'none'}"

    def sections(self, near: str = "") -> Mapping[str, tuple[str, ...]]:
        """What the files themselves say in each section that they say anything about, a line for each fact."""
        said = {
            "architecture": (*self._folders(near), *self._modules(near)),
            "entrypoints": tuple(self._entrypoints()),
            "testing": tuple(self._testing()),
            "dependencies": tuple(self._dependencies()),
        }
        return {name: tuple(_bounded(lines)) for name, lines in said.items() if lines}

    def _folders(self, near: str) -> Iterator[str]:
        """A line for each folder with files in it: how many of which role, and what its package says it is."""
        roles: dict[str, Counter[str]] = {}
        for path in self.paths:
            roles.setdefault(path.rpartition("/")[0], Counter())[role_of(path) or "other"] += 1
        for folder in sorted(roles, key=lambda folder: (distance(f"{folder}/", near), folder)):
            counted = ", ".join(f"{count} {role}" for role, count in sorted(roles[folder].items()))
            package = self.outlines.get(f"{folder}/__init__.py")
            yield f"{folder or '.'}/ ({counted}){_behind(package.doc if package else '')}"

    def _modules(self, near: str) -> Iterator[str]:
        """A line for each module of a package that has anything to say: its first sentence, and what it defines."""
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
        tests = Counter(path.rpartition("/")[0] or "." for path in self.paths if role_of(path) == "tests")
        for folder, count in sorted(tests.items()):
            yield f"{folder}/ has {count} {'file' if count == 1 else 'files'} of tests"
        for path in self.paths:
            if path.rpartition("/")[2] == "conftest.py":
                yield f"{path} has what tests share"

    def _dependencies(self) -> Iterator[str]:
        if self.declared.oldest is not None:
            yield f"Python {'.'.join(map(str, self.declared.oldest))} or newer"
        yield from self.declared.distributions


def distance(path: str, near: str) -> int:
    """How many steps from folder to folder lead from one path to another; from or to nowhere it is none."""
    if not near:
        return 0
    one, other = path.split("/")[:-1], near.split("/")[:-1]
    common = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), None)
    common = min(len(one), len(other)) if common is None else common
    return len(one) + len(other) - 2 * common


def nearest(paths: Iterable[str], near: str) -> list[str]:
    """Paths in the order of their distance from one of them, and that one first of all; else in their own order."""
    return sorted(paths, key=lambda path: (path != near, distance(path, near), path))


def _behind(doc: str) -> str:
    return f": {doc}" if doc else ""


def _bounded(lines: tuple[str, ...]) -> Iterator[str]:
    for line in lines[:MOST_LINES]:
        whole = " ".join(line.split())
        yield whole if len(whole) <= _LINE else f"{whole[: _LINE - 1]}…"
    if len(lines) > MOST_LINES:
        yield f"and {len(lines) - MOST_LINES} more"
