"""Candidate interpreters of a project, in order of preference."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import takewhile
from pathlib import Path

from certo.project.configuration import Declared
from certo.project.root import is_marked, is_too_wide
from certo.sandbox.process.command import ask
from certo.vocabulary.records import dataclass

_OWN_NAMES = (".venv", "venv", "env", ".env")
_CONDA_NAMES = (".conda", "conda", "env", ".env", "envs/default", ".pixi/envs/default")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """A candidate interpreter: an executable to try, and a description of it.

    `fallback` marks interpreters that do not belong to the project and must therefore be able to run its tests.
    """

    executable: Path
    what: str
    fallback: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEnd:
    """A place without an executable, as a sentence."""

    why: str


async def leads(root: Path, declared: Declared, environ: Mapping[str, str]) -> AsyncIterator[Lead | DeadEnd]:
    """Yield the places of a project's interpreter, best first and lazily.

    The order: the active environment, `.venv` and its like in the root, a conda environment in the root, the
    environments of poetry, pdm and uv, `.venv` and its like in the directories around it up to the repository's, the
    Python that `.python-version` names, PATH, and certo's own interpreter.
    """
    for found in (*_active(root, environ), *_in_root(root), *_conda_in_root(root)):
        yield found
    async for found in _poetry(root, declared, environ):
        yield found
    for found in (*_pdm(root), *_uv(root, environ), *_around(root), *_pyenv(root, environ), *_on_path(environ)):
        yield found
    yield Lead(executable=Path(sys.executable), what="certo's own interpreter", fallback=True)


def other_environments(root: Path, executable: Path) -> tuple[str, ...]:
    """Return the names of the environments in the root, but for the one that `executable` belongs to."""
    own = executable.parent.parent
    names = [name for name in _OWN_NAMES if (root / name / "pyvenv.cfg").is_file()]
    return tuple(name for name in names if (root / name).resolve() not in (own, own.resolve()))


def python_of(environment: Path) -> Path:
    """Return the interpreter of a virtual or conda environment, whether or not it exists."""
    named = environment / "bin" / "python"
    return named if named.exists() else environment / "bin" / "python3"


def _active(root: Path, environ: Mapping[str, str]) -> Iterator[Lead | DeadEnd]:
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        value = environ.get(variable)
        if not value:
            continue
        prefix = Path(value)
        if variable == "CONDA_PREFIX" and environ.get("CONDA_DEFAULT_ENV") in ("base", "root"):
            yield DeadEnd(why=f"the active conda environment ({value}) is conda's own base environment")
        elif prefix.resolve() == Path(sys.prefix).resolve() and not prefix.resolve().is_relative_to(root.resolve()):
            yield DeadEnd(why=f"the active environment ({value}) is the one certo is installed in, not the project's")
        else:
            yield Lead(executable=python_of(prefix), what=f"the active environment {variable}={value}")


def _in_root(root: Path) -> Iterator[Lead | DeadEnd]:
    """Yield virtual environments by their usual names; one without pyvenv.cfg is mentioned only under a sure name."""
    for name in _OWN_NAMES:
        if (root / name / "pyvenv.cfg").is_file():
            yield Lead(executable=python_of(root / name), what=f"the project's own environment {name}")
        elif name in (".venv", "venv") and (root / name).is_dir() and not (root / name / "conda-meta").is_dir():
            yield DeadEnd(why=f"{name} ({root / name}) is no virtual environment: it has no pyvenv.cfg")
    if not any((root / name).exists() for name in (".venv", "venv")):
        yield DeadEnd(why=f"there is no .venv or venv in {root}")


def _around(root: Path) -> Iterator[Lead]:
    """Yield the environments in the directories above, up to the repository's: its projects may share one.

    Without a repository, as in an unpacked archive, the outermost directory that is marked as a project counts.
    """
    places = [root, *takewhile(lambda place: not is_too_wide(place), root.parents)]
    marked = [number for number, place in enumerate(places) if is_marked(place)]
    repository = next((number for number in marked if (places[number] / ".git").exists()), max(marked, default=0))
    for outer in places[1 : repository + 1]:
        for name in _OWN_NAMES:
            if (outer / name / "pyvenv.cfg").is_file():
                yield Lead(executable=python_of(outer / name), what=f"the environment {name} of {outer}")


def _conda_in_root(root: Path) -> Iterator[Lead]:
    for name in _CONDA_NAMES:
        if (root / name / "conda-meta").is_dir():
            yield Lead(executable=python_of(root / name), what=f"the project's conda environment {name}")


async def _poetry(root: Path, declared: Declared, environ: Mapping[str, str]) -> AsyncIterator[Lead | DeadEnd]:
    if "poetry" not in declared.tools and not (root / "poetry.lock").is_file():
        return
    program = shutil.which("poetry", path=environ.get("PATH", ""))
    if program is None:
        yield DeadEnd(why="the project uses poetry, but there is no poetry on the PATH to ask for its environment")
        return
    try:
        answer = await ask((program, "env", "info", "-p"), environ=environ, directory=root)
    except TimeoutError:
        yield DeadEnd(why=f"poetry ({program}) did not say in time where its environment is")
        return
    except OSError as error:
        yield DeadEnd(why=f"poetry ({program}) cannot be started: {error.strerror or error}")
        return
    place = answer.out.strip()
    if answer.status == 0 and place:
        yield Lead(executable=python_of(Path(place)), what=f"the project's poetry environment {place}")
    else:
        yield DeadEnd(why="poetry has made no environment for the project yet (`poetry install` does)")


def _pdm(root: Path) -> Iterator[Lead]:
    if text := _line_of(root / ".pdm-python"):
        yield Lead(executable=Path(text), what="the Python pdm uses for the project, which .pdm-python names")


def _uv(root: Path, environ: Mapping[str, str]) -> Iterator[Lead | DeadEnd]:
    """Yield uv's environment if the user has moved it; its default `.venv` was tried before."""
    value = environ.get("UV_PROJECT_ENVIRONMENT")
    if value and (root / "uv.lock").is_file():
        yield Lead(executable=python_of(root / value), what=f"the project's uv environment {root / value}")


def _pyenv(root: Path, environ: Mapping[str, str]) -> Iterator[Lead | DeadEnd]:
    version = _line_of(root / ".python-version")
    if not version:
        return
    home = Path(environ.get("PYENV_ROOT") or Path(environ.get("HOME", "~")).expanduser() / ".pyenv")
    executable = python_of(home / "versions" / version)
    if executable.exists():
        yield Lead(executable=executable, what=f"the Python .python-version names, {version}", fallback=True)
    else:
        yield DeadEnd(why=f".python-version names {version}, which pyenv has not installed (`pyenv install {version}`)")


def _on_path(environ: Mapping[str, str]) -> Iterator[Lead | DeadEnd]:
    """Yield the first python3 and the first python on PATH; only one if both are one file in one directory.

    The directory counts, because an environment's program is a link to the Python it was made from.
    """
    seen: set[tuple[str, str]] = set()
    for name in ("python3", "python"):
        found = shutil.which(name, path=environ.get("PATH", ""))
        if found is None:
            yield DeadEnd(why=f"there is no {name} on the PATH")
            continue
        place = (os.path.realpath(Path(found).parent), os.path.realpath(found))
        if place not in seen:
            seen.add(place)
            yield Lead(executable=Path(found), what=f"PATH's {name}", fallback=True)


def _line_of(path: Path) -> str:
    """Return the first line of a small text file that is neither empty nor a comment, or an empty string."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return ""
    return next((line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
