"""Hidden files of a project that its tests need, and messages about hidden files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from certo.sandbox.confinement.secrets import REPOSITORIES
from certo.verification.dynamic.results import RunResults
from certo.vocabulary.verdict import Ruling

_MAX_NAMED = 5

_CERTIFICATES = (".pem", ".key", ".p12", ".pfx", ".jks")
_OF_CERTIFICATES = re.compile(r"\bssl\b|\bpem\b|certificate|private key", re.IGNORECASE)
"""Words in errors of C libraries that could not read a key; they do not name the file."""


def missed(root: Path, hidden: Iterable[str], results: RunResults) -> tuple[str, ...]:
    """Return the hidden files that tests may have failed for: files they opened, or that a message names."""
    said = [told.message for told in results.tests.values() if told.ruling is not Ruling.PASSED]
    said += results.uncollected.values()
    if not said and results.suite_status in (None, 0, 1):
        return ()
    words = "\n".join(said)
    opened = {os.path.relpath(os.path.realpath(path), root.resolve()).replace(os.sep, "/") for path in results.wanted}
    opened |= {os.path.relpath(path, root).replace(os.sep, "/") for path in results.wanted}
    return tuple(path for path in hidden if path in opened or _is_spoken_of(root, path, words))


def beside(paths: Iterable[str], hidden: Iterable[str]) -> tuple[str, ...]:
    """Return the hidden files in the folders of `paths`, which are most likely data of the same kind."""
    places = {path.rpartition("/")[0] for path in paths}
    return tuple(path for path in hidden if path.rpartition("/")[0] in places)


def _is_spoken_of(root: Path, path: str, words: str) -> bool:
    name = path.rpartition("/")[2]
    if name in REPOSITORIES:
        return re.search(rf"\b{re.escape(name[1:])}\b", words) is not None
    if (root / path).is_dir():
        # A folder may be named like many other things, so its name counts only as part of a path.
        return re.search(rf"(?<![\w.-]){re.escape(name)}(?=[/\\'\"])", words) is not None
    return name in words or (name.endswith(_CERTIFICATES) and _OF_CERTIFICATES.search(words) is not None)


def remarks(hidden: Iterable[str], ignored: Sequence[str], shown: Sequence[str]) -> list[str]:
    """Return messages about files that are hidden because they look like secrets or are `ignored` by git.

    Repositories are not mentioned, as every project has one.
    """
    said = [f"the tests need {_listed(shown)}, so runs can read {'it' if len(shown) == 1 else 'them'}"] if shown else []
    files = [path for path in hidden if path.rpartition("/")[2] not in REPOSITORIES]
    said += [f"hidden from runs because it looks like a secret: {_listed(files)}"] if files else []
    return [*said, *([f"hidden from runs because git ignores it: {_listed(ignored)}"] if ignored else [])]


def _listed(paths: Sequence[str]) -> str:
    more = [f"and {len(paths) - _MAX_NAMED} more"] if len(paths) > _MAX_NAMED else []
    return ", ".join([*map(_printable, paths[:_MAX_NAMED]), *more])


def _printable(path: str) -> str:
    return path if path.isprintable() else ascii(path)
