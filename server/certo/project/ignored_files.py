"""Files that git ignores and a run does not need to import; they are hidden from runs."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import field
from pathlib import Path

from anyio.lowlevel import checkpoint

from certo.project.git import GitFailed, find_git, reading_git
from certo.project.visible_entries import nested_repositories, other_names
from certo.vocabulary.records import dataclass

MAX_ITEMS = 1000
"""So many files and directories can be hidden, for each is work in every run; see `too_many`."""

_MAX_NAMED = 3

_MAX_LISTED = 50_000
_MAX_LOOKED_AT = 5_000
"""Maximum number of entries examined in an ignored directory; if none of them is code, it is taken to hold none."""

_MAX_LATE = 50
"""The same for each of the directories that are left when so many were examined."""

_MAX_DEEP = 40
_MANY = 20
"""Number of ignored files in a directory from which on hiding the whole directory is tried."""

_CODE = (".py", ".pyi", ".pyc", ".pyo", ".pyx", ".pyd", ".pth", ".so", ".dll", ".dylib", ".egg-link", "py.typed")
_CONFIGURATIONS = frozenset(
    {
        *("pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"),
        *("mypy.ini", ".mypy.ini", "ruff.toml", ".ruff.toml", "pyrightconfig.json", ".coveragerc"),
    }
)
"""Configuration files that Python tools read, which a user may well keep unversioned."""

_OF_TOOLS = frozenset(
    {
        *("__pycache__", "site-packages", ".tox", ".nox", ".eggs", ".hypothesis"),
        *(".pytest_cache", ".mypy_cache", ".ruff_cache"),
    }
)
_INSTALLED = (".egg-info", ".dist-info")
"""Directories of installed packages and of files derived from the code; nothing of the user's own."""

_VERSIONS = frozenset({"version.py", "_version.py", "__version__.py"})
_GENERATED = ("_pb2.py", "_pb2_grpc.py", ".pyd", ".so", ".dylib", ".dll")
"""Names and endings of modules that tools generate and packages import."""

_OF_A_KIND = frozenset({"node_modules"})
"""Directories hidden whole without a look: they are large, and Python imports nothing from them."""

_ENVIRONMENTS = frozenset({"pyvenv.cfg", "conda-meta"})
_OF_ENVIRONMENTS = _ENVIRONMENTS | frozenset(
    {
        *("bin", "etc", "include", "lib", "lib64", "share", "scripts", "sbin", "libexec", "var", "src", "man", "doc"),
        *("library", "libs", "dlls", "tools", "pkgs", "envs", "ssl", "compiler_compat", ".lock", ".gitignore"),
        *("cachedir.tag", ".gitkeep"),
    }
)
"""The parts of an environment that are no user's own, and `src`, where pip keeps packages with their data."""

_PLACEHOLDERS = frozenset({".gitkeep", ".keep", ".gitignore", ".gitattributes", ".DS_Store"})


def _unsaid(_problem: str) -> None:
    pass


async def ignored_paths(root: Path, environ: Mapping[str, str]) -> frozenset[str]:
    """Return all that git ignores below `root`, code included; a directory stands for all there is in it."""
    return frozenset(name.rstrip("/") for name in _outermost(await _ask_all(root, environ, _unsaid)))


def ignored_code(root: Path, ignored: Iterable[str], kept: Iterable[Path] = ()) -> tuple[str, ...]:
    """Return those of the `ignored` paths below `root` that may hold code of the user's own, sorted.

    Left out are environments and directories around the places `kept`, caches of tools, installed packages, and modules
    that tools generate, without which the package could not be imported.
    """
    around = {parent for place in kept for parent in (place, *place.parents)}
    return tuple(sorted(path for path in ignored if root / path not in around and not _is_made_by_tools(root, path)))


def _is_made_by_tools(root: Path, path: str) -> bool:
    parts = path.split("/")
    if any(part in _OF_TOOLS or part.endswith(_INSTALLED) for part in parts):
        return True
    places = [root.joinpath(*parts[: depth + 1]) for depth in range(len(parts))]
    if any((place / marker).exists() for place in places for marker in _ENVIRONMENTS):
        return True
    return parts[-1] in _VERSIONS or parts[-1].endswith(_GENERATED)


def too_many(ignored: Sequence[str]) -> str:
    """Return a message about ignored files that are too many to be hidden, or nothing."""
    left = ignored[MAX_ITEMS:]
    if not left:
        return ""
    named = ", ".join(left[:_MAX_NAMED])
    return (
        f"git ignores {len(ignored)} files and directories apart from each other, and {MAX_ITEMS} can be hidden; runs "
        f"can read the others, such as {named}; gather them in a directory of their own"
    )


async def ignored_files(
    root: Path, environ: Mapping[str, str], kept: Iterable[Path] = (), tell: Callable[[str], None] = _unsaid
) -> tuple[str, ...]:
    """Return the files and directories below `root` that git ignores, as relative POSIX paths, directories first.

    A directory stands for all there is in it. Left out are Python's code, what was installed in environments, caches of
    tools and the places `kept`; and links, for what they lead to is the file. Repositories within the project are asked
    for themselves, and other names of ignored files are ignored, too. Where git cannot say, there is nothing.
    That, and what was not looked at, is what `tell` is told, one line each.
    """
    named = await _ask_all(root, environ, tell)
    looking = _Looking(root=root, kept=frozenset(place for place in kept if root in place.parents))
    files: set[str] = set()
    directories: set[str] = set()
    for number, name in enumerate(_outermost(named)):
        if number % 100 == 0 or name.endswith("/"):
            await checkpoint()
        if name.endswith("/"):
            inner = looking.parts_of(name.rstrip("/"))
            if looking.cut_short:
                tell(_about_rest(looking.cut_short[0]))
            directories.update(path for path in inner if (root / path).is_dir())
            files.update(path for path in inner if not (root / path).is_dir())
        elif looking.may_hide(name):
            files.add(name)
    files.update(path for path in other_names(root, directories | files) if looking.may_hide(path))
    directories, files = _gathered(root, directories, files)
    return (*sorted(directories), *sorted(files))


def _about_rest(place: str) -> str:
    return (
        f"git ignores {place}, which holds code and more than {_MAX_LOOKED_AT} entries; runs can read those of them "
        f"that were not looked at; keep code apart from data"
    )


async def _ask_all(root: Path, environ: Mapping[str, str], tell: Callable[[str], None]) -> list[str]:
    """Return what git ignores in a directory, and in the repositories in it."""
    named = await _ask_git(root, environ, tell)
    hidden = {name.rstrip("/") for name in named}
    for inner in nested_repositories(root, hidden):
        named += [f"{inner}/{name}" for name in await _ask_git(root / inner, environ, tell)]
    return named


async def _ask_git(root: Path, environ: Mapping[str, str], tell: Callable[[str], None]) -> list[str]:
    """Return the paths git ignores in the directory, directories with a final slash; empty if git fails.

    Empty as well if the project itself is ignored, since hiding it is not meant.
    """
    if not any((place / ".git").exists() for place in (root, *root.parents)):
        return []
    program = await find_git(environ)
    if program is None:
        tell(f"there is no git to ask, or none that is new enough; runs can read the files it would ignore in {root}")
        return []
    try:
        git = reading_git(program, root, environ)
        said = await git.ask("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    except GitFailed as error:
        tell(f"{error}; runs can read the files that git would ignore there")
        return []
    names = [os.fsdecode(name) for name in said.split(b"\0", _MAX_LISTED)[:_MAX_LISTED] if name]
    return [] if "./" in names else names


def _outermost(names: Iterable[str]) -> list[str]:
    """Return the names without those that lie in a directory that is named as well."""
    directories = {name for name in names if name.endswith("/")}

    def lies_within(name: str) -> bool:
        parts = name.rstrip("/").split("/")[:-1]
        return any("/".join(parts[:end]) + "/" in directories for end in range(1, len(parts) + 1))

    return [name for name in names if not lies_within(name)]


def _gathered(root: Path, directories: Set[str], files: Set[str]) -> tuple[set[str], set[str]]:
    """Replace many files by their directory if it holds nothing else but a placeholder that keeps it in git."""
    beside: dict[str, set[str]] = defaultdict(set)
    for path in (*directories, *files):
        beside[path.rpartition("/")[0]].add(path.rpartition("/")[2])
    whole = {
        place
        for place, names in beside.items()
        if place and len(names) >= _MANY and names.issuperset(set(_names(root / place)) - _PLACEHOLDERS)
    }
    return (
        {path for path in directories if path.rpartition("/")[0] not in whole} | whole,
        {path for path in files if path.rpartition("/")[0] not in whole},
    )


def _names(place: Path) -> list[str]:
    try:
        return os.listdir(place)
    except OSError:
        return []


def _is_code(name: str) -> bool:
    lowered = name.lower()
    return lowered.endswith(_CODE) or ".so." in lowered or lowered in _CONFIGURATIONS


@dataclass(slots=True, kw_only=True)
class _Looking:
    """Examination of a project's ignored directories; `left` is the number of entries still examined in this one."""

    root: Path
    kept: frozenset[Path]
    left: int = 0
    is_late: bool = False
    unseen: set[str] = field(default_factory=set)
    cut_short: list[str] = field(default_factory=list)
    """The places with code of which some entries were not examined, for want of `left`."""

    def may_hide(self, path: str) -> bool:
        """True if a file can be hidden: it is no code, no link, and not in a kept place."""
        place = self.root / path
        return not _is_code(place.name) and not place.is_symlink() and not self._is_kept(place)

    def parts_of(self, path: str) -> list[str]:
        """Return the parts of a directory that can be hidden: the directory itself unless it contains code."""
        place = self.root / path
        if place.is_symlink() or self._is_kept(place):
            return []
        self.left, self.cut_short = _MAX_LOOKED_AT, []
        return self._look(path, 0)[1]

    def _is_kept(self, place: Path) -> bool:
        return not self.kept.isdisjoint((place, *place.parents))

    def _look(self, path: str, depth: int) -> tuple[bool, list[str]]:
        """Return True if something in a directory must stay visible, and the parts of it that can be hidden."""
        name = path.rpartition("/")[2]
        if name in _OF_A_KIND:
            return False, [path]
        if name in _OF_TOOLS or name.endswith(_INSTALLED) or self.root / path in self.kept:
            return True, []
        if self.left == 0 and depth:
            return self._look_late(path, depth)
        entries = self._entries(path)
        is_whole = self.left > 0
        names = {entry.name for entry in entries}
        if names & _ENVIRONMENTS:
            own = [entry for entry in entries if entry.name.lower() not in _OF_ENVIRONMENTS]
            return True, self._look_at(path, own, depth)[1]
        needed, parts = self._look_at(path, entries, depth)
        if needed and not is_whole:
            self.cut_short.append(path)
        return (True, parts) if needed else (False, [path] if entries else [])

    def _look_at(self, path: str, entries: list[os.DirEntry[str]], depth: int) -> tuple[bool, list[str]]:
        needed = False
        parts: list[str] = []
        for entry in entries:
            inner = f"{path}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if depth == _MAX_DEEP:
                    continue
                seen, within = self._look(inner, depth + 1)
                needed = needed or seen
                parts += within
            elif _is_code(entry.name) or self.root / inner in self.kept:
                needed = True
            elif not entry.is_symlink():
                parts.append(inner)
        return needed, parts

    def _look_late(self, path: str, depth: int) -> tuple[bool, list[str]]:
        """Look once more, but shortly, at a directory that comes after so many entries.

        Directories within it that are left even then are like the rest of it: visible if that has code.
        """
        if self.is_late:
            self.unseen.add(path)
            return False, [path]
        self.left, self.is_late, self.unseen = _MAX_LATE, True, set()
        needed, parts = self._look(path, depth)
        self.left, self.is_late = 0, False
        if needed and self.unseen:
            self.cut_short.append(path)
            parts = [each for each in parts if each not in self.unseen]
        return needed, parts

    def _entries(self, path: str) -> list[os.DirEntry[str]]:
        found: list[os.DirEntry[str]] = []
        try:
            with os.scandir(self.root / path) as entries:
                for entry in entries:
                    if self.left == 0:
                        break
                    self.left -= 1
                    found.append(entry)
        except OSError:
            # A run cannot read it either.
            return []
        return found
