"""Who imports whom among the project's files: read from their text, without running or parsing any of it."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from typing import DefaultDict, Dict, Iterable, List, Set

from certo_worker.importing import names_of

# A statement in a docstring is taken for one too: an edge too many costs one test file more to look at.
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(\S+)[ \t]+import\b[ \t]*(\([^)]*\)|[^\n#;]*)|import[ \t]+([^\n#;]+))", re.MULTILINE
)
_WORD = re.compile(r"[^\W\d]\w*")


class Imports:
    """The import graph of some Python files below one root; `texts` are given for those that differ on the disk."""

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

    def importers(self, target: str) -> Set[str]:
        """Return the files that import `target`, directly or through others; `target` itself is one of them."""
        imported_by: DefaultDict[str, Set[str]] = defaultdict(set)
        for file, text in self.texts.items():
            for imported in self._imported(file, text):
                imported_by[imported].add(file)
        found = {target}
        new = [target]
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

    def _with_packages(self, name: str) -> List[str]:
        """Return the files of a dotted name and of the packages it lies in."""
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


def whole_word(words: Iterable[str]) -> "re.Pattern[bytes]":
    """Return a pattern that finds one of some names as a whole, in whatever script it is spelled."""
    either = b"|".join(re.escape(word.encode("utf-8")) for word in words)
    return re.compile(rb"(?<![\w\x80-\xff])(?:" + either + rb")(?![\w\x80-\xff])")


def _read(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()
