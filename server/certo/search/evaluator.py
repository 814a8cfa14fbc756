"""Evaluators that users bring: a function or a class, sync or async, that says what a candidate is worth in numbers."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.problem import Problem

SCORE = "score"
"""The name of the number that counts; all others are recorded beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluator:
    """Somebody's evaluator by its `name`, and the `files` that what it says depends on: its own, and those it names."""

    name: str
    function: Callable[[Candidate, Problem], object]
    files: tuple[Path, ...]

    async def measure(self, candidate: Candidate, problem: Problem) -> dict[str, float]:
        """What it says of a candidate: numbers by their names, of which one is the score.

        Raises:
            ValueError: it returned no such thing, or a number that is not finite. Whatever else it raises.
        """
        said = self.function(candidate, problem)
        if inspect.isawaitable(said):
            said = await said
        numbers: Mapping[object, object] = said if isinstance(said, Mapping) else {SCORE: said}
        finite: dict[str, float] = {}
        if SCORE not in numbers:
            raise ValueError(f"it returned {said!r}, in which there is no {SCORE!r}")
        for name, number in numbers.items():
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise ValueError(f"it returned {number!r} as {name!r}, which is no number")
            if not math.isfinite(number):
                raise ValueError(f"it returned {number} as {name!r}; only finite numbers count")
            finite[str(name)] = float(number)
        return finite


def as_evaluator(brought: object, name: str) -> Evaluator:
    """The evaluator that something is: a class of one or one itself, with `evaluate`; or a function in its place.

    `evaluate` gets the candidate and the problem, a function the whole text of the file as the candidate has it. Both
    return a number, or a mapping of names to numbers with a "score" in it, now or when awaited. What else the numbers
    depend on, such as its test data, it may name as `files`.

    Raises:
        BadSetting: it is none of these.
    """
    made = brought() if inspect.isclass(brought) else brought
    evaluate = getattr(made, "evaluate", None)
    files = (*_own(made), *_named(made))
    if callable(evaluate):
        return Evaluator(name=name, function=evaluate, files=files)
    if not callable(made):
        raise BadSetting(
            f"the evaluator {name!r} is a {type(made).__name__}; it must be a function, or have evaluate()"
        )
    function = made
    return Evaluator(name=name, function=lambda candidate, _: function(candidate.text), files=files)


def _own(made: object) -> Iterator[Path]:
    """The files of what was brought: its module's, and all others of the package that it stands in."""
    name = getattr(made, "__module__", "")
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None:
        return
    here = Path(file)
    yield here
    if "." in name or here.name == "__init__.py":
        yield from sorted(path for path in here.parent.rglob("*.py") if path != here)


def _named(made: object) -> tuple[Path, ...]:
    files: Iterable[str | Path] = getattr(made, "files", ())
    return tuple(map(Path, files))
