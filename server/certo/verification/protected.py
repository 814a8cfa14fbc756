"""Which files decide how a candidate is judged, and are therefore not the candidate's to bring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from certo.sandbox.walls import CONFIGURATIONS

FOLDERS_OF_TESTS = frozenset({"test", "tests"})
"""The names of folders in which everything belongs to tests."""

AT_START = ("sitecustomize.py", "usercustomize.py")
"""What a Python runs before any program, when it finds it."""


def judging_files(root: Path, tests: Iterable[str], readable: Iterable[Path]) -> tuple[str, ...]:
    """The files and folders that decide what becomes of `tests`, as paths relative to `root`, there or not.

    `tests` are pytest's paths, node ids included; `readable` the interpreter's places, some of which may be in there.
    Of a folder named for tests everything counts: fixtures, data and modules that tests share. Beside a test that
    stands among the project's modules only pytest's own files do, for the modules there are what is being judged.
    """
    files = {PurePosixPath(test.partition("::")[0]) for test in tests}
    found = {name for file in files for name in _around(file)}
    found |= {PurePosixPath(name) for name in AT_START}
    found |= {PurePosixPath(place.relative_to(root)) for place in readable if root in place.parents}
    return tuple(sorted(map(str, found)))


def _around(test: PurePosixPath) -> Iterator[PurePosixPath]:
    yield test
    for folder in test.parents:
        yield from (folder / name for name in ("conftest.py", *CONFIGURATIONS))
        if folder.name in FOLDERS_OF_TESTS:
            yield folder
