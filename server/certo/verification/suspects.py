"""Which function of a project is most likely to blame for a test that fails, by what the tests execute.

The suspicion of a line is Ochiai's coefficient of what executes it and what fails, as Abreu, Zoeteweij and van Gemund
have it ("On the Accuracy of Spectrum-based Fault Localization", TAIC PART 2007); that of a function is the greatest of
its lines', as Sohn and Yoo aggregate them ("FLUCCS", ISSTA 2017).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from certo.edits.offsets import SourceMap
from certo.edits.target import functions
from certo.verification.spectra import Spectrum
from certo.vocabulary.problem import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A function at `path`, seen from the root, that the failing test executes, and how suspicious it is, up to 1.

    `lines` counts those of its lines that are so suspicious. `depth` says how many frames inside of it the test failed,
    from 0, None where it is not among them. `untried` says that no test that passes executes it.
    """

    path: str
    target: Target
    suspicion: float
    lines: int
    depth: int | None
    untried: bool


def suspects(failing: Sequence[Spectrum], passing: Sequence[Spectrum], texts: Mapping[str, str]) -> tuple[Suspect, ...]:
    """The functions in `texts`, by path, that a failing test executes, the likeliest first.

    A hole counts for more than any suspicion where the test failed in it, or nothing that passes executes it. Among
    equals the one in which the test failed comes first, and then the one with the most lines that are so suspicious,
    for each of these may be wrong. `__repr__` stands back, since pytest calls it when it says what an assertion
    found.
    """
    found = [suspect for path, text in texts.items() for suspect in _suspects_in(path, text, failing, passing)]
    return tuple(sorted(found, key=_order))


def _order(suspect: Suspect) -> tuple[bool, float, float, bool, int, str, int]:
    missing = suspect.target.is_hole and (suspect.depth == 0 or suspect.untried)
    depth = math.inf if suspect.depth is None else suspect.depth
    shows = suspect.target.name == "__repr__"
    return not missing, -suspect.suspicion, depth, shows, -suspect.lines, suspect.path, suspect.target.line


def _suspects_in(path: str, text: str, failing: Sequence[Spectrum], passing: Sequence[Spectrum]) -> Iterator[Suspect]:
    source, known = SourceMap(text), functions(text)
    own = {line: target for target in known for line in _lines_of(target, source)}
    depths: dict[int, int] = {}
    for number, (file, line) in enumerate(_frames(failing)):
        if file == path and line in own:
            depths.setdefault(own[line].span.start, number)
    for target in known:
        lines = {line for line, owner in own.items() if owner is target and line >= _first(target, source)}
        coefficients = [_ochiai(path, line, failing, passing) for line in lines]
        suspicion = max(coefficients, default=0.0)
        if suspicion:
            yield Suspect(
                path=path,
                target=target,
                suspicion=suspicion,
                lines=coefficients.count(suspicion),
                depth=depths.get(target.span.start),
                untried=not any(lines & each.lines.get(path, frozenset()) for each in passing),
            )


def _frames(failing: Iterable[Spectrum]) -> Iterator[tuple[str, int]]:
    for each in failing:
        yield from each.frames


def _lines_of(target: Target, source: SourceMap) -> range:
    return range(source.line_of(target.span.start), source.line_of(target.span.end) + 1)


def _first(target: Target, source: SourceMap) -> int:
    """The first line that runs when the function does, and not when it is defined; a docstring may be all there is."""
    return min(source.line_of(target.body.start), target.line + target.signature.count("\n") + 1)


def _ochiai(path: str, line: int, failing: Sequence[Spectrum], passing: Sequence[Spectrum]) -> float:
    """The coefficient of one line: how far executing it and failing go together."""
    failed = sum(line in each.lines.get(path, ()) for each in failing)
    passed = sum(line in each.lines.get(path, ()) for each in passing)
    return failed / math.sqrt(len(failing) * (failed + passed)) if failed else 0.0
