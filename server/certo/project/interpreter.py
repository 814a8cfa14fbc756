"""Choice of the Python that runs the project's code."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path

from certo.project.configuration import Declared, read_declared
from certo.project.interpreter_candidates import DeadEnd, Lead, leads, python_of
from certo.project.interpreter_probe import OLDEST, Probed, UnusableInterpreter, probe
from certo.project.root import is_too_wide
from certo.sandbox.executor import Interpreter
from certo.vocabulary.errors import NoInterpreter
from certo.vocabulary.records import dataclass


def readable_places(spellings: Iterable[Path], root: Path) -> tuple[Path, ...]:
    """Return the smallest set of directories that holds the `spellings`, outer ones first.

    Left out are the project's `root` and everything in it, which a run shows with the candidate laid over it; and `/`,
    the home directory and everything above it.
    """
    shown = {root, root.resolve()}
    kept: list[Path] = []
    for place in sorted(spellings, key=lambda place: (len(place.parts), place)):
        covered = any(place.is_relative_to(outer) for outer in (*kept, *shown))
        if not covered and not is_too_wide(place):
            kept.append(place)
    return tuple(kept)


_OLDEST_WORDS = ".".join(map(str, OLDEST))


async def find_interpreter(root: Path, *, chosen: str | None, environ: Mapping[str, str]) -> Interpreter:
    """Choose the Python that runs the code of the project at `root`.

    `chosen` is the user's setting: a program, an environment's directory, or a name on the PATH; if it is unusable,
    nothing else is tried. Otherwise the project's own environments come first, and are accepted even without pytest,
    since doctests run without it. A project without an environment gets the first interpreter on PATH, or certo's own,
    that can import pytest and lacks nothing the project declares; if each lacks something, the first with pytest, and
    `why` names the missing parts. `environ` is the user's environment.

    Raises:
        NoInterpreter: The chosen one cannot be used, or there is none at all; the message says what to do.
    """
    declared = read_declared(root)
    if chosen:
        return await _take_chosen(root, chosen, declared, environ)
    look = _Look(root=root, declared=declared)
    async for lead in leads(root, declared, environ):
        if isinstance(lead, DeadEnd):
            look.tried.append(lead.why)
        elif (interpreter := await look.at(lead)) is not None:
            return interpreter
    if look.second_best is not None:
        return replace(look.second_best, tried=tuple(look.tried))
    raise NoInterpreter(
        f"no usable Python (>= {_OLDEST_WORDS}) for {root}: {'; '.join(look.tried)}. "
        "Make one with `python3 -m venv .venv && .venv/bin/python -m pip install pytest`, or name one in the setting "
        "`interpreter`."
    )


@dataclass(kw_only=True)
class _Look:
    """One search for an interpreter: attempts so far, and the best incomplete one."""

    root: Path
    declared: Declared
    tried: list[str] = field(default_factory=list)
    second_best: Interpreter | None = None

    async def at(self, lead: Lead) -> Interpreter | None:
        """Return the interpreter of one lead if it is suitable; note the reason if not."""
        found = await probe(lead.executable, self.declared.distributions)
        if isinstance(found, UnusableInterpreter):
            self._pass_over(lead, "", found.reason)
        elif found.version < OLDEST:
            self._pass_over(lead, found.dotted, f"is older than Python {_OLDEST_WORDS}")
        elif not lead.fallback:
            return _interpreter(found, self.root, why=lead.what, tried=self.tried)
        elif found.pytest is None:
            self._pass_over(lead, found.dotted, "cannot import pytest")
        else:
            why = f"{lead.what}: the project has no environment of its own, and this one can import pytest"
            lacks = _lacks(found, self.declared)
            if not lacks:
                return _interpreter(found, self.root, why=why, tried=self.tried)
            self._pass_over(lead, found.dotted, lacks)
            if self.second_best is None:
                self.second_best = _interpreter(found, self.root, why=f"{why}, but it {lacks}", tried=self.tried)
        return None

    def _pass_over(self, lead: Lead, version: str, reason: str) -> None:
        place = f"{lead.executable}, {version}" if version else f"{lead.executable}"
        self.tried.append(f"{lead.what} ({place}): {reason}")


def _lacks(found: Probed, declared: Declared) -> str:
    """Return the reason an interpreter cannot import the project, by its declarations; empty if there is none."""
    if declared.oldest is not None and found.version[:2] < declared.oldest:
        return f"is older than the Python {'.'.join(map(str, declared.oldest))} the project asks for"
    if found.missing:
        return f"lacks what the project declares: {', '.join(found.missing)}"
    return ""


async def _take_chosen(root: Path, chosen: str, declared: Declared, environ: Mapping[str, str]) -> Interpreter:
    executable = _spelled_out(root, chosen, environ)
    advice = "set `interpreter` to a Python program or an environment's directory, or unset it"
    if not executable.exists():
        raise NoInterpreter(f"the interpreter {chosen!r} of your settings does not exist ({executable}); {advice}")
    found = await probe(executable, declared.distributions)
    if isinstance(found, UnusableInterpreter):
        raise NoInterpreter(f"the interpreter {chosen!r} of your settings {found.reason}; {advice}")
    if found.version < OLDEST:
        raise NoInterpreter(
            f"the interpreter {chosen!r} of your settings is Python {found.dotted}, and certo needs {_OLDEST_WORDS} or "
            f"later to run code under; {advice}"
        )
    return _interpreter(found, root, why=f"the setting interpreter = {chosen!r}", tried=())


def _spelled_out(root: Path, chosen: str, environ: Mapping[str, str]) -> Path:
    """Return the program the setting means: a name on the PATH, an environment's directory, or a path."""
    if os.sep not in chosen and not chosen.startswith("~") and not (root / chosen).exists():
        found = shutil.which(chosen, path=environ.get("PATH", ""))
        return Path(found) if found else root / chosen
    path = root / Path(chosen).expanduser()
    return python_of(path) if path.is_dir() else path


def _interpreter(found: Probed, root: Path, *, why: str, tried: list[str] | tuple[str, ...]) -> Interpreter:
    return Interpreter(
        executable=found.executable,
        version=found.version,
        readable=readable_places(found.spellings, root),
        why=why,
        tried=tuple(tried),
        pytest=found.pytest,
    )
