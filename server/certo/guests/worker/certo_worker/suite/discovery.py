"""The tests that may reach the target: those whose file imports its module, however indirectly, and that lead to it."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections import defaultdict
from typing import Callable, DefaultDict, Dict, Iterable, List, NamedTuple, Sequence, Set, Tuple

from certo_worker.observation.clock import passed
from certo_worker.suite import doctest_sources
from certo_worker.suite.django_settings import settings_module
from certo_worker.suite.module_import import names_of
from certo_worker.suite.named_tests import NamedTests
from certo_worker.suite.pytest_config import Configured
from certo_worker.suite.reach import Reach, whole_word

# A statement in a docstring is taken for one too: an edge too many costs one test file more to look at.
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(\S+)[ \t]+import\b[ \t]*(\([^)]*\)|[^\n#;]*)|import[ \t]+([^\n#;]+))", re.MULTILINE
)
_WORD = re.compile(r"[^\W\d]\w*")
# Modules in strings: "shop.urls", "shop.config.Base", "shop.main:app"; an application of Django may be one word.
_QUOTED = re.compile(rb"""["']([A-Za-z_]\w*(?:\.\w+)+)(?::\w+)?["']""")
_APPLICATION = re.compile(rb"""["']([A-Za-z_]\w*(?:\.[a-z_]\w*)*)["'.]""")
_PARTS_OF_APPLICATIONS = (".models", ".apps", ".admin")
_BY_TEXT = re.compile(rb"\b(?:import_module|__import__|iter_modules|walk_packages|entry_points|load_module)\b")


class Imports:
    """Import graph of Python files below one root; `texts` replace the contents of some files."""

    def __init__(self, root: str, files: Iterable[str], texts: Dict[str, bytes]):
        self.texts: Dict[str, bytes] = {}
        self._named: DefaultDict[str, Set[str]] = defaultdict(set)
        for file in files:
            try:
                self.texts[file] = texts[file] if file in texts else _read(file)
            except OSError:
                continue
            for _directory, name in names_of(file, root):
                self._named[name].add(file)

    def settings(self, module: str) -> Set[str]:
        """Return the files that a dotted name may stand for, and those beside them that they import."""
        found = self._named.get(module, set())
        beside = {other for file in found for other in self._imported(file, self.texts[file])}
        return found | {other for other in beside if os.path.dirname(other) in map(os.path.dirname, found)}

    def importers(self, target: str, is_test: Callable[[str], bool], settings: Set[str]) -> Set[str]:
        """Return the files that import `target`, directly or through others; `target` itself is one of them.

        A framework imports the modules that files other than tests name in strings. Those named in the `settings` of
        Django may be its applications.
        """
        imported_by: DefaultDict[str, Set[str]] = defaultdict(set)
        for file, text in self.texts.items():
            for imported in self._imported(file, text):
                imported_by[imported].add(file)
            for imported in set() if is_test(file) else self._named_in(text):
                imported_by[imported].add(file)
        for file in settings:
            for imported in self._applications(self.texts[file]):
                imported_by[imported].add(file)
        # A module that imports others by a text may import the target, if it lies in the same package.
        around = _top_package(target)
        by_text = {file for file, text in self.texts.items() if _BY_TEXT.search(text) and file.startswith(around)}
        found = {target, *by_text}
        new = sorted(found)
        while new:
            for file in imported_by[new.pop()]:
                if file not in found:
                    found.add(file)
                    new.append(file)
        return found

    def _imported(self, file: str, text: bytes) -> Set[str]:
        """Return the files whose code runs when the import statements of `file` run."""
        found: Set[str] = set()
        for source, names, plain in _IMPORT.findall(text):
            if plain:
                for part in plain.decode("utf-8", "replace").split(","):
                    found.update(self._with_packages(part.split(" as ")[0].strip()))
                continue
            words = [word for word in _WORD.findall(names.decode("utf-8", "replace")) if word != "as"]
            origin = source.decode("utf-8", "replace")
            if origin.startswith("."):
                found.update(self._relative(file, origin, words))
            else:
                found.update(self._with_packages(origin))
                for word in words:
                    found.update(self._named.get(origin + "." + word, ()))
        return found

    def _named_in(self, text: bytes) -> Set[str]:
        """Return the files of modules that strings of a text name."""
        return {file for quoted in set(_QUOTED.findall(text)) for file in self._with_packages(quoted.decode("ascii"))}

    def _applications(self, text: bytes) -> Set[str]:
        """Return the files that Django imports for the applications that strings of a text name."""
        names = {name.decode("ascii") for name in _APPLICATION.findall(text)}
        return {file for name in names for part in _PARTS_OF_APPLICATIONS for file in self._with_packages(name + part)}

    def _with_packages(self, name: str) -> List[str]:
        """Return the files of a dotted name and of the packages that contain it."""
        parts = name.split(".")
        return [file for end in range(len(parts)) for file in self._named.get(".".join(parts[: end + 1]), ())]

    def _relative(self, file: str, origin: str, words: List[str]) -> List[str]:
        directory = os.path.dirname(file)
        level = len(origin) - len(origin.lstrip("."))
        for _ in range(level - 1):
            directory = os.path.dirname(directory)
        start = os.path.join(directory, *origin[level:].split(".")) if origin[level:] else directory
        stems = [start] + [os.path.join(start, word) for word in words]
        possible = [path for stem in stems for path in (stem + ".py", os.path.join(stem, "__init__.py"))]
        return [path for path in possible if path in self.texts]


def _top_package(file: str) -> str:
    """Return the directory of the outermost package that a file lies in, or of the file, with a separator."""
    directory = os.path.dirname(file)
    while os.path.isfile(os.path.join(os.path.dirname(directory), "__init__.py")):
        directory = os.path.dirname(directory)
    return os.path.join(directory, "")


def _read(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()


MAX_FILES = 20000
MAX_SECONDS = 5.0
MAX_TESTS = 200
MAX_DOCUMENTS = 50

_TOO_MANY = "{} test files may reach the target, and only the {} likeliest were run; name those that matter"

_BY_NAME = ("test.py", "tests.py")
_HAS_TESTS = re.compile(rb"^[ \t]*(?:async[ \t]+)?def[ \t]+test|\bTestCase\b", re.MULTILINE)

_NEVER = {"node_modules", "build", "dist", "site-packages", "__pycache__", "venv", "env"}


class Found(NamedTuple):
    """The test files that may reach the target, relative to the root, the likeliest first.

    `left_out` has by file the test functions that cannot, as `Class.test`, and `dropped` are files that import the
    target and have only such functions. `documents` are files with doctests that the project runs. `stopped` is a
    sentence if the search ended before its end.
    """

    paths: List[str]
    left_out: Dict[str, Set[str]]
    dropped: List[str]
    documents: List[str]
    stopped: str


def find(root: str, path: str, qualname: str, texts: Dict[str, str], first: Sequence[str] = ()) -> Found:
    """Find the tests that may reach a target, those in `first` first; `texts` by path replace files of those names."""
    root = os.path.abspath(root)
    files, stopped = python_files(root)
    overlaid = {os.path.join(root, name): text.encode("utf-8", "surrogatepass") for name, text in texts.items()}
    target = os.path.join(root, path)
    files += sorted({target, *overlaid}.difference(files))
    graph, configured = Imports(root, files, overlaid), Configured(root)
    patterns = [*configured.python_files, "test_*.py", "*_test.py"]

    def has_tests(file: str) -> bool:
        return _HAS_TESTS.search(graph.texts.get(file, b"")) is not None

    named = NamedTests(root, has_tests)
    is_run = _runs(root, configured.testpaths, named)

    def is_test(file: str) -> bool:
        """True if a file is called like one of tests, or, in projects that run it by name, like all of them."""
        by_name = file in named or (os.path.basename(file) in _BY_NAME and has_tests(file))
        return by_name or _is_test(file, patterns)

    settings = graph.settings(settings_module(root))
    importers = graph.importers(target, is_test, settings)
    reach = Reach(graph.texts, is_test)
    names = reach.names(target, qualname)
    spoken = whole_word(part for part in qualname.split(".") if part != "<locals>")
    stem = whole_word([os.path.splitext(os.path.basename(path))[0]])
    # What Django imports by its settings is there for all tests, as what a conftest.py imports for those below it.
    conftests = {os.path.dirname(file) for file in importers if os.path.basename(file) == "conftest.py"}
    conftests.update([root] if settings & importers else [])
    ranked: List[Tuple[int, bool, bool, str]] = []
    left_out: Dict[str, Set[str]] = {}
    dropped: List[str] = []
    for file in files:
        if not is_test(file) or file not in graph.texts:
            continue
        imports = file in importers or any(_is_below(file, directory) for directory in conftests)
        speaks = spoken.search(graph.texts[file]) is not None
        functions = set() if names is None else reach.left_out(file, names)
        relative = _relative(file, root)
        # A file that imports its module in a way of its own is known by speaking of both.
        if not (imports or (speaks and stem.search(graph.texts[file]))):
            continue
        if functions is not None:
            place = first.index(relative) if relative in first else len(first)
            ranked.append((place, not (speaks and imports), not is_run(file), relative))
            left_out[relative] = functions
        elif is_run(file):
            # Files that the project itself does not run, such as benchmarks, matter only if a name leads to the target.
            dropped.append(relative)
    if len(ranked) > MAX_TESTS:
        stopped = _TOO_MANY.format(len(ranked), MAX_TESTS)
    paths = [file for _place, _indirect, _away, file in sorted(ranked)[:MAX_TESTS]]
    leading = spoken if names is None else whole_word(names)
    documents = [
        _relative(file, root)
        for file in doctest_sources.run_by_project(root, target, graph.texts, importers)
        if not is_test(file) and (file == target or leading.search(doctest_sources.has_examples(file, graph.texts)))
    ]
    return Found(paths, left_out, dropped[: MAX_TESTS - len(paths)], sorted(documents)[:MAX_DOCUMENTS], stopped)


def _relative(file: str, root: str) -> str:
    return os.path.relpath(file, root).replace(os.sep, "/")


def _is_test(file: str, patterns: List[str]) -> bool:
    name = os.path.basename(file)
    return any(fnmatch.fnmatch(file if "/" in pattern else name, pattern) for pattern in patterns)


def _is_below(file: str, directory: str) -> bool:
    return file.startswith(directory + os.sep)


def _runs(root: str, testpaths: List[str], named: NamedTests) -> Callable[[str], bool]:
    """Return a function that is True for the absolute path of a file that the project itself runs, as far as it says.

    As for pytest, `testpaths` may have wildcards, and count only if one of them matches.
    """
    matches = [found for path in testpaths for found in glob.glob(os.path.join(root, path), recursive=True)]
    starts = [os.path.normpath(found) for found in matches]

    def is_run(file: str) -> bool:
        within = any(file == start or _is_below(file, start) for start in starts)
        return not starts or within or file in named or named.is_in_folder(file)

    return is_run


def python_files(root: str) -> Tuple[List[str], str]:
    """Return the project's Python files, without installed, built or hidden ones, and without pipes, which block."""
    found: List[str] = []
    deadline = passed() + MAX_SECONDS
    for directory, below, names in os.walk(root):
        below[:] = sorted(name for name in below if not _is_foreign(directory, name))
        paths = [os.path.join(directory, name) for name in sorted(names) if name.endswith(".py")]
        found.extend(path for path in paths if os.path.isfile(path))
        if len(found) > MAX_FILES:
            return found[:MAX_FILES], "Only the first {} Python files were searched for tests.".format(MAX_FILES)
        if passed() > deadline:
            return found, "The search for tests was ended after {:g} s.".format(MAX_SECONDS)
    return found, ""


def _is_foreign(directory: str, name: str) -> bool:
    path = os.path.join(directory, name)
    return name.startswith(".") or name in _NEVER or os.path.exists(os.path.join(path, "pyvenv.cfg"))
