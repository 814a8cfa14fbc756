"""Test files that a project runs by name: in its Makefile, in the configuration of tox, nox or CI, or in setup.py.

Such a file may be called anything, and pytest does not find it by itself. The files are read as lines of text: a word
counts if its line starts Python or a test runner and it names a file of the project that holds tests.
"""

from __future__ import annotations

import fnmatch
import os
import re
from typing import Callable, Iterator, List, Set

_FILES = (
    *("Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", "tasks.py", "noxfile.py", "tox.ini", "setup.cfg"),
    *("setup.py", "pyproject.toml", ".travis.yml", ".gitlab-ci.yml", "azure-pipelines.yml", "appveyor.yml"),
    *(".appveyor.yml", ".circleci/config.yml", "runtests.sh", "run_tests.sh"),
)
_FOLDERS = (".github/workflows",)
_MAX_CHARACTERS = 100_000

_RUNS_TESTS = re.compile(r"\b(?:pytest|py\.test|unittest|trial|nose2?|nosetests|coverage|test_suite|python[\d.]*)\b")
_TAKES_MODULES = re.compile(r"\b(?:unittest|trial|nose2?|nosetests|test_suite)\b")
_WORD = re.compile(r"[\w./*?-]+")


class NamedTests:
    """The test files that a project names. `has_tests` says that a file, by its absolute path, holds tests."""

    def __init__(self, root: str, has_tests: Callable[[str], bool]):
        self._root = root
        self._has_tests = has_tests
        self._files: Set[str] = set()
        self._patterns: Set[str] = set()
        self._folders: Set[str] = set()
        for line in lines_of(root):
            if _RUNS_TESTS.search(line):
                self._read(line)

    def _read(self, line: str) -> None:
        takes_modules = _TAKES_MODULES.search(line) is not None
        for word in _WORD.findall(line):
            name = word.partition("::")[0]
            if os.path.isdir(os.path.join(self._root, name)):
                self._folders.add(os.path.normpath(os.path.join(self._root, name)))
            if name.endswith(".py") and ("*" in name or "?" in name):
                self._patterns.add(os.path.basename(name))
            elif name.endswith(".py"):
                self._files.add(os.path.normpath(os.path.join(self._root, name)))
            elif takes_modules and all(part.isidentifier() for part in name.split(".")):
                self._files.update(self._module(name))

    def _module(self, name: str) -> List[str]:
        """Return the files that a dotted name may stand for, the class or test behind a module left out."""
        parts = name.split(".")
        stems = [os.path.join(self._root, *parts[:end]) for end in range(1, len(parts) + 1)]
        # The package of the module is imported as well, but that holds tests only if it is what was named.
        return [stem + ".py" for stem in stems] + [os.path.join(stems[-1], "__init__.py")]

    def is_in_folder(self, file: str) -> bool:
        """True if an absolute path lies in a folder that is named on such a line."""
        return any(file.startswith(os.path.join(folder, "")) for folder in self._folders)

    def __contains__(self, file: str) -> bool:
        """True if an absolute path is that of such a file."""
        named = file in self._files or any(fnmatch.fnmatch(os.path.basename(file), each) for each in self._patterns)
        return named and self._has_tests(file)


def lines_of(root: str) -> Iterator[str]:
    """Yield the lines of the files in which a project says how its tests are run."""
    for name in (*_FILES, *_workflows(root)):
        try:
            with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
                text = file.read(_MAX_CHARACTERS)
        except OSError:
            continue
        # A command may go on behind a backslash, and one of nox has its words in brackets.
        yield from text.replace("\\\n", " ").splitlines()


def _workflows(root: str) -> Iterator[str]:
    for folder in _FOLDERS:
        try:
            names = sorted(os.listdir(os.path.join(root, folder)))
        except OSError:
            continue
        yield from (folder + "/" + name for name in names if name.endswith((".yml", ".yaml")))
