"""Test files in which calls of a function are observed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from certo.edits.source import read_source
from certo.project.testfiles import find_test_files
from certo.vocabulary.errors import BadRequest

MAX_FILES = 8
"""Maximum number of test files that are run."""


def files_that_name(root: Path, path: str, qualname: str, unsaved: Mapping[str, str]) -> tuple[str, ...]:
    """Return the test files that name a function, relative to the root; those with most mentions first."""
    parts = [part for part in qualname.split(".") if not part.startswith("__")]
    names = [re.compile(rf"\b{re.escape(part)}\b") for part in parts]
    module = re.compile(rf"\b{re.escape(Path(path).stem)}\b")
    ranked: list[tuple[int, str]] = []
    for file in find_test_files(root):
        relative = file.relative_to(root).as_posix()
        try:
            text = unsaved[relative] if relative in unsaved else read_source(file)
        except BadRequest:
            continue
        last = len(names[-1].findall(text)) if names else len(module.findall(text))
        if last and (relative != path):
            ranked.append((-last - 1000 * bool(module.search(text)), relative))
    return tuple(relative for _, relative in sorted(ranked)[:MAX_FILES])
