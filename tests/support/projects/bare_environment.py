"""An environment with pytest and nothing else, as users have; ours is full of plug-ins that take time."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from certo.sandbox.executor import Interpreter
from support.projects.environments import make_environment

_PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")

HYPOTHESIS = ("hypothesis", "sortedcontainers")
"""What an environment has in addition if its tests need Hypothesis."""

_KEPT = Path(sys.prefix) / "bare"
"""Where environments are kept from one run of the tests to the next: in our own, with which they go."""


def bare_environment(place: Path, *more: str) -> Path:
    """Make an environment at `place` with a copy of our pytest and its dependencies, and return its Python.

    The distributions in `more` are copied as well.
    """
    python = make_environment(place)
    [packages] = place.glob("lib/python*/site-packages")
    for name in (*_PYTEST, *more):
        distribution = importlib.metadata.distribution(name)
        for file in distribution.files or ():
            if ".." not in file.parts:
                (packages / file).parent.mkdir(parents=True, exist_ok=True)
                # The times are copied as well, so that the bytecode beside the sources still counts.
                shutil.copy2(distribution.locate_file(file), packages / file)
    return python


@functools.cache
def bare_python(*more: str) -> Path:
    """Return the Python of such an environment, made once for these versions of Python and of its distributions."""
    names = (*_PYTEST, *more)
    parts = [sys.version, sys.base_prefix, *(f"{name} {importlib.metadata.version(name)}" for name in names)]
    place = _KEPT / hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    if not place.is_dir():
        _KEPT.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=_KEPT) as fresh:
            bare_environment(Path(fresh) / "made", *more)
            try:
                (Path(fresh) / "made").rename(place)
            except OSError:
                # Other tests that run beside these were faster; theirs is the same.
                if not place.is_dir():
                    raise
    return place / "bin" / "python"


def bare_interpreter(*more: str) -> Interpreter:
    """Return that Python as the interpreter of a project."""
    python = bare_python(*more)
    major, minor, micro = sys.version_info[:3]
    return Interpreter(
        executable=python,
        version=(major, minor, micro),
        readable=tuple(sorted({python.parents[1], Path(sys.base_prefix)})),
        why="the tests' projects have it",
        pytest=pytest.__version__,
    )


def bare_environ() -> dict[str, str]:
    """Return the variables of a user in whose shell `python` is that Python."""
    return {**os.environ, "PATH": os.pathsep.join([str(bare_python().parent), os.environ.get("PATH", os.defpath)])}
