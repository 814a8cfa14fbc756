"""Which of the hidden files of a project its tests need, and what to say of those and of the others."""

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
"""What C libraries say that could not read a key; nobody tells us which."""


def missed(root: Path, hidden: Iterable[str], hearing: RunResults) -> tuple[str, ...]:
    """Return which of the hidden files the tests may have failed for: they were opened, or are spoken of."""
    said = [told.message for told in hearing.tests.values() if told.ruling is not Ruling.PASSED]
    said += hearing.uncollected.values()
    if not said and hearing.suite_status in (None, 0, 1):
        return ()
    words = "\n".join(said)
    opened = {os.path.relpath(os.path.realpath(path), root.resolve()).replace(os.sep, "/") for path in hearing.wanted}
    opened |= {os.path.relpath(path, root).replace(os.sep, "/") for path in hearing.wanted}
    return tuple(path for path in hidden if path in opened or _is_spoken_of(root, path, words))


def beside(paths: Iterable[str], hidden: Iterable[str]) -> tuple[str, ...]:
    """Return what of the hidden files stands in the same directories as some paths: data of one kind, most likely."""
    places = {path.rpartition("/")[0] for path in paths}
    return tuple(path for path in hidden if path.rpartition("/")[0] in places)


def _is_spoken_of(root: Path, path: str, words: str) -> bool:
    name = path.rpartition("/")[2]
    if name in REPOSITORIES:
        return re.search(rf"\b{re.escape(name[1:])}\b", words) is not None
    if (root / path).is_dir():
        # Many a directory is called as something else is, too: as part of a path it is meant.
        return re.search(rf"(?<![\w.-]){re.escape(name)}(?=[/\\'\"])", words) is not None
    return name in words or (name.endswith(_CERTIFICATES) and _OF_CERTIFICATES.search(words) is not None)


def remarks(hidden: Iterable[str], ignored: Sequence[str], shown: Sequence[str]) -> list[str]:
    """Return what the user should read about what is hidden, for it looks like a secret or is `ignored` by git.

    Of repositories, which all have, nothing is said.
    """
    said = [f"the tests need {_listed(shown)}, so runs can read {'it' if len(shown) == 1 else 'them'}"] if shown else []
    files = [path for path in hidden if path.rpartition("/")[2] not in REPOSITORIES]
    said += [f"hidden from runs, for it looks like a secret: {_listed(files)}"] if files else []
    return [*said, *([f"hidden from runs, for git ignores it: {_listed(ignored)}"] if ignored else [])]


def _listed(paths: Sequence[str]) -> str:
    more = [f"and {len(paths) - _MAX_NAMED} more"] if len(paths) > _MAX_NAMED else []
    return ", ".join([*map(_printable, paths[:_MAX_NAMED]), *more])


def _printable(path: str) -> str:
    return path if path.isprintable() else ascii(path)
