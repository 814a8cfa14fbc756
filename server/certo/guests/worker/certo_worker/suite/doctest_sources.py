"""The doctests besides those in the target's own docstring: of its module and classes, and of files.

Files, which are other modules or text files, count if the project runs their examples: by its configuration of pytest,
in a line of its Makefile, tox, nox or CI, or by a call of doctest.
"""

from __future__ import annotations

import ast
import doctest
import fnmatch
import os
import re
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Set, Tuple

from certo_worker.suite.named_tests import lines_of
from certo_worker.suite.pytest_config import Configured, default_paths

PREFIX = "doctest:"
_PROMPT = b">>>"
_TEXTS = (".txt", ".rst", ".md")
_GLOBS = ["test*.txt"]
"""pytest's own pattern of text files, which it runs even if nobody asks for doctests."""

_CALL = re.compile(rb"\b(?:testmod|testfile|DocTestSuite|DocFileSuite)\b")
_CALL_ON_MODULES = re.compile(rb"\b(?:testmod|DocTestSuite)\b")
_OWN_FLAGS = re.compile(rb"\boptionflags\b")
_QUOTED = re.compile(rb"""["']([^"'\n]+\.(?:txt|rst|md))["']""")
_FLAG = re.compile(r"-o\s+[A-Z]")
_GLOB_OPTION = re.compile(r"""--doctest-glob[=\s]+["']?([^\s"',\]]+)""")
_WORD = re.compile(r"[\w./-]+")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Source(NamedTuple):
    """One docstring or text file: its `test`, and the id of each example. `is_module` if it has a module's names."""

    test: doctest.DocTest
    ids: List[str]
    path: str
    is_module: bool


def id_of(path: str, line: int) -> str:
    """Return the id of the example at a line of a file."""
    return "{}{}:{}".format(PREFIX, path, line)


def paths_in(ids: Iterable[str]) -> Set[str]:
    """Return the files of the ids that `id_of` makes; other ids are left out."""
    named = (each[len(PREFIX) :].rpartition(":")[0] for each in ids if each.startswith(PREFIX))
    return {name for name in named if name.endswith((".py", *_TEXTS))}


def around(target: Dict[str, Any], root: str) -> List[Source]:
    """Return the doctests of the module and of the classes that a target stands in."""
    return [source for source, outer in _in_module(target["file"], target["text"], root, target["line"]) if outer]


def inside(path: str, text: str, root: str, line: int = 0) -> List[Source]:
    """Return the doctests of a file, apart from the docstring of the function whose `def` is at `line`."""
    if path.endswith(".py"):
        return [source for source, _outer in _in_module(path, text, root, line)]
    return [_source(path, text, path, 0, root, is_module=False)] if ">>>" in text else []


def _in_module(path: str, text: str, root: str, line: int) -> Iterator[Tuple[Source, bool]]:
    """Yield the doctests of a module in order; with each, whether the function at `line` stands in its owner."""
    try:
        tree = ast.parse(text.encode("utf-8", "surrogatepass"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, *_FUNCTIONS)) or not node.body:
            continue
        if isinstance(node, _FUNCTIONS) and node.lineno == line:
            continue
        docstring = ast.get_docstring(node, clean=False)
        if docstring and ">>>" in docstring:
            outer = not isinstance(node, _FUNCTIONS) and any(
                getattr(each, "lineno", 0) == line for each in ast.walk(node)
            )
            name = getattr(node, "name", path)
            yield _source(path, docstring, name, node.body[0].lineno - 1, root, is_module=True), outer


def _source(path: str, text: str, name: str, line: int, root: str, *, is_module: bool) -> Source:
    file = os.path.join(root, path)
    try:
        test = doctest.DocTestParser().get_doctest(text, {}, name, file, line)
    except ValueError:
        # The project's own run of it reports what is malformed.
        test = doctest.DocTest([], {}, name, file, line, text)
    return Source(test, [id_of(path, line + example.lineno + 1) for example in test.examples], path, is_module)


def run_by_project(root: str, target: str, texts: Dict[str, bytes], importers: Set[str]) -> Set[str]:
    """Return the files below `root` whose examples the project runs, as absolute paths.

    `texts` are its Python files, `importers` those that import the file `target`.
    """
    configured = Configured(root)
    found: Set[str] = set()
    words = " ".join(configured.addopts)
    starts = [os.path.join(root, path) for path in default_paths(root)]
    globs = _GLOB_OPTION.findall(words)
    found.update(_files(starts, globs or _GLOBS))
    if "--doctest-modules" in words:
        found.update(file for file in texts if any(_is_in(file, start) for start in starts))
    for line in lines_of(root):
        if "doctest" in line and "sphinx" not in line and not ("-m doctest" in line and _FLAG.search(line)):
            found.update(_named(line, root, starts, texts))
    for file, text in texts.items():
        # With flags of its own, an example may pass there that fails here.
        if _CALL.search(text) and not _OWN_FLAGS.search(text):
            found.update(_called(file, text, root))
            if _CALL_ON_MODULES.search(text) and file in importers:
                found.add(target)
    return found


def _named(line: str, root: str, starts: List[str], texts: Dict[str, bytes]) -> Iterator[str]:
    """Yield the files whose examples a command runs."""
    paths = [os.path.join(root, word) for word in _WORD.findall(line)]
    files = [os.path.normpath(path) for path in paths if path.endswith((".py", *_TEXTS)) and os.path.isfile(path)]
    folders = [os.path.normpath(path) for path in paths if os.path.isdir(path)]
    within = folders or ([] if files else starts)
    yield from files
    yield from _files(within, _GLOB_OPTION.findall(line))
    if "--doctest-modules" in line:
        yield from (file for file in texts if any(_is_in(file, folder) for folder in within))


def _called(file: str, text: bytes, root: str) -> Iterator[str]:
    for quoted in _QUOTED.findall(text):
        name = quoted.decode("utf-8", "replace")
        for directory in (os.path.dirname(file), root):
            path = os.path.normpath(os.path.join(directory, name))
            if os.path.isfile(path) and _is_in(path, root):
                yield path


def _files(starts: List[str], globs: List[str]) -> Iterator[str]:
    """Yield the text files in or below some paths that match a pattern by their name."""
    for start in starts:
        if os.path.isfile(start) and start.endswith(_TEXTS):
            yield os.path.normpath(start)
        for directory, below, names in os.walk(start) if globs else ():
            below[:] = [name for name in below if not name.startswith(".") and name not in ("build", "node_modules")]
            below[:] = [name for name in below if not os.path.exists(os.path.join(directory, name, "pyvenv.cfg"))]
            for name in names:
                if name.endswith(_TEXTS) and any(fnmatch.fnmatch(name, glob) for glob in globs):
                    yield os.path.normpath(os.path.join(directory, name))


def _is_in(file: str, start: str) -> bool:
    start = os.path.normpath(start)
    return file == start or file.startswith(os.path.join(start, ""))


def has_examples(file: str, texts: Dict[str, bytes]) -> bytes:
    """Return the text of a file if it has examples, and nothing otherwise."""
    text = texts.get(file)
    if text is None and not os.path.isfile(file):
        return b""  # To open a pipe waits until somebody writes to it.
    if text is None:
        try:
            with open(file, "rb") as opened:
                text = opened.read(1_000_000)
        except OSError:
            return b""
    return text if _PROMPT in text else b""
