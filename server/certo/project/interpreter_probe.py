"""Probe of a Python interpreter: its version and paths, reported by itself in a separate process."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
from anyio.lowlevel import RunVar

from certo.sandbox.process.command import SECONDS, ask
from certo.vocabulary.records import dataclass

OLDEST = (3, 8)
"""Oldest Python supported by the programs that run beside the user's code."""

_MARK = "certo-probe:"

# It must at least start under any Python, so that an old one can be reported as too old. The current directory is
# removed from the path first, because nothing in it may shadow the standard library. The library that knows what is
# installed takes longer to import than all the rest, so the names of its folders are read first.
_PROGRAM = r"""
import sys
sys.path[:] = [entry for entry in sys.path if entry]
import json
facts = {
    "version": list(sys.version_info[:3]),
    "executable": sys.executable,
    "prefixes": [sys.prefix, sys.exec_prefix, getattr(sys, "base_prefix", ""), getattr(sys, "base_exec_prefix", "")],
    "path": sys.path,
}
if sys.version_info >= (3, 8):
    import importlib.util, os, re, site, sysconfig
    facts["libraries"] = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"),
                          sysconfig.get_config_var("LIBDIR")]
    facts["user_site"] = site.getusersitepackages() if site.ENABLE_USER_SITE else None
    def normal(name):
        return re.sub("[-_.]+", "-", name).lower()
    installed = {}
    for place in sys.path:
        for folder in os.listdir(place) if os.path.isdir(place) and os.access(place, os.R_OK) else ():
            if folder.endswith(".dist-info") and os.path.isfile(os.path.join(place, folder, "METADATA")):
                name, _, version = folder[:-len(".dist-info")].partition("-")
                installed.setdefault(normal(name), version)
    def version_of(name):
        if installed.get(normal(name)):
            return installed[normal(name)]
        import importlib.metadata
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return None
    facts["pytest"] = version_of("pytest") if importlib.util.find_spec("pytest") else None
    facts["missing"] = [name for name in sys.argv[2:] if version_of(name) is None]
sys.stdout.write("\n" + sys.argv[1] + json.dumps(facts) + "\n")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """Report of an interpreter about itself.

    `executable` is its own path if it knows it, so that shim scripts are seen through. `prefix` is the environment's
    directory, `base_prefix` the installation's. `places` are existing directories it may read code from, as it spells
    them: prefixes, standard library, `sys.path`, and user site-packages if enabled. `spellings` are these and those of
    its own directory, each as `spellings_of` says. `pytest` is the version it can import, `missing` the requested
    distributions that it lacks.
    """

    executable: Path
    version: tuple[int, int, int]
    prefix: Path
    base_prefix: Path
    places: tuple[Path, ...]
    spellings: frozenset[Path]
    pytest: str | None
    missing: tuple[str, ...] = ()

    @property
    def dotted(self) -> str:
        """The version as people write it."""
        return ".".join(map(str, self.version))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusableInterpreter:
    """A program that cannot serve as an interpreter; `reason` completes "it …"."""

    reason: str


_Question = tuple[Path, tuple[str, ...], tuple[tuple[str, str], ...]]
_Stamp = tuple[int, int, int] | None

_reports: dict[_Question, tuple[tuple[_Stamp, ...], Probed]] = {}
"""The reports of interpreters, each with stamps of the files it depends on."""

_asking: RunVar[dict[_Question, anyio.Lock]] = RunVar("certo.project.asking")
"""The questions that are being asked in this event loop; those who have the same one wait for its answer."""


async def probe(executable: Path, distributions: Sequence[str] = ()) -> Probed | UnusableInterpreter:
    """Return the report of `executable` about itself, including which of `distributions` it lacks.

    It is not asked again before it, or a directory that it reads code from, has changed. A script that starts another
    program is asked each time, because it may start a different one.
    """
    question = (executable, tuple(distributions), tuple(_environment().items()))
    try:
        asking = _asking.get()
    except LookupError:
        asking = {}
        _asking.set(asking)
    async with asking.setdefault(question, anyio.Lock()):
        if question in _reports:
            stamps, known = _reports[question]
            if stamps == _stamps(known):
                return known
        found = await _ask(executable, distributions)
        if isinstance(found, Probed) and found.executable == executable:
            _reports[question] = _stamps(found), found
        return found


def _stamps(found: Probed) -> tuple[_Stamp, ...]:
    return tuple(map(_stamp, (found.executable, found.prefix / "pyvenv.cfg", *found.places)))


def _stamp(path: Path) -> _Stamp:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


async def _ask(executable: Path, distributions: Sequence[str]) -> Probed | UnusableInterpreter:
    """Start `executable` once and return its report.

    It runs with an environment without the user's keys, outside any directory of the project, with empty standard
    input, for at most SECONDS; on timeout or cancellation it is killed with all its children.
    """
    command = [str(executable), "-E", "-B", "-c", _PROGRAM, _MARK, *distributions]
    try:
        answer = await ask(command, environ=_environment())
    except TimeoutError:
        return UnusableInterpreter(reason=f"did not answer within {SECONDS:g} s")
    except OSError as error:
        return UnusableInterpreter(reason=f"cannot be started ({error.strerror or error})")
    facts = next((line[len(_MARK) :] for line in answer.out.splitlines() if line.startswith(_MARK)), None)
    if facts is None:
        return UnusableInterpreter(reason=f"is not a working Python (exit code {answer.status}: {answer.last_words})")
    return _understood(executable, json.loads(facts))


def _environment() -> dict[str, str]:
    """Return HOME, which determines user site-packages, and PATH, which shims need to find their target."""
    kept = {name: os.environ[name] for name in ("HOME", "PATH", "PYENV_ROOT", "PYENV_VERSION") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8"}


def _understood(executable: Path, facts: dict[str, Any]) -> Probed:
    major, minor, micro = facts["version"]
    own = Path(facts["executable"] or executable)
    spelled = [*facts["prefixes"], *facts.get("libraries", ()), facts.get("user_site"), *facts["path"]]
    places = dict.fromkeys(Path(place) for place in spelled if place)
    executable = own if own.is_file() else executable
    existing = tuple(place for place in places if place.is_dir())
    return Probed(
        executable=executable,
        version=(major, minor, micro),
        prefix=Path(facts["prefixes"][0]),
        base_prefix=Path(facts["prefixes"][2] or facts["prefixes"][0]),
        places=existing,
        spellings=spellings_of(executable, existing),
        pytest=facts.get("pytest"),
        missing=tuple(facts.get("missing", ())),
    )


def spellings_of(executable: Path, places: Iterable[Path]) -> frozenset[Path]:
    """Return the directories of `executable` and `places`, as spelled and as resolved.

    Among them is every directory in the executable's chain of links, because following a link requires seeing it.
    """
    every = (*places, *_link_directories(executable))
    return frozenset(each for place in every for each in (place, place.resolve()))


_MAX_LINKS = 40


def _link_directories(executable: Path) -> Iterator[Path]:
    """Yield the directory of the executable and of each link on the way to the real file."""
    hop = executable
    for _ in range(_MAX_LINKS):
        yield hop.parent
        if not hop.is_symlink():
            return
        hop = Path(os.path.normpath(hop.parent / hop.readlink()))
