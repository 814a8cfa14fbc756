"""Fault localization: from a failing test to the functions of the project that most likely cause it.

Suspicion is the Ochiai coefficient of a line: failed(line) / sqrt(all failed * (failed(line) + passed(line))), after
Abreu et al., "An evaluation of similarity coefficients for software fault localization", 2006. A function is as
suspicious as its most suspicious line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from certo.edits.offsets import SourceMap
from certo.edits.source import parse_source, read_source
from certo.edits.target import functions
from certo.project.testfiles import is_test_file, short_test_name
from certo.sandbox.executor import Finished
from certo.verification.dynamic.permissions import green, looks_refused
from certo.verification.dynamic.results import complaint
from certo.verification.dynamic.spectra import Lines, Spectra, Spectrum, Stage, run_spectra
from certo.verification.file_rules import FOLDERS_OF_TESTS
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A function that the failing test executes, and its suspicion from 0 to 1; `path` is relative to the root.

    `lines` counts its lines with that suspicion. `depth` is the number of frames between it and the failure, or None if
    it is not in the traceback. `untried` is set if no passing test executes it.
    """

    path: str
    target: Target
    suspicion: float
    lines: int
    depth: int | None
    untried: bool


def suspects(failing: Sequence[Spectrum], passing: Sequence[Spectrum], texts: Mapping[str, str]) -> tuple[Suspect, ...]:
    """Return the functions in `texts`, by path, that a failing test executes, the likeliest first.

    A hole comes before any other suspect if the test failed in it or no passing test executes it. Among equally
    suspicious functions, one nearer to the failure comes first, then one with more suspicious lines, as any of them may
    be wrong. `__repr__` comes after its equals, because pytest calls it to describe a failed assertion.
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
    """Return the first line that runs when the function is called; a body may be just a docstring."""
    return min(source.line_of(target.body.start), target.line + target.signature.count("\n") + 1)


def _ochiai(path: str, line: int, failing: Sequence[Spectrum], passing: Sequence[Spectrum]) -> float:
    """Return the Ochiai coefficient of one line."""
    failed = sum(line in each.lines.get(path, ()) for each in failing)
    passed = sum(line in each.lines.get(path, ()) for each in passing)
    return failed / math.sqrt(len(failing) * (failed + passed)) if failed else 0.0


MAX_OTHER_TESTS_SECONDS = 10.0
"""The time for the other tests of the file, which only make suspicion more precise, as the user is waiting."""

MIN_RELATIVE_SUSPICION = 0.75
"""The share of the greatest suspicion from which another function is named as well."""

MAX_OTHER_SUSPECTS = 3
"""The number of other suspects that are named."""

MAX_SEARCHED_SUSPECTS = 5
"""The number of suspects that are searched one after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The suspects for a failing `test`: all functions that it executes, the likeliest first."""

    test: str
    suspects: tuple[Suspect, ...]

    @property
    def suspect(self) -> Suspect:
        """The function to repair."""
        return self.suspects[0]

    @property
    def others(self) -> tuple[Suspect, ...]:
        """The suspects that are nearly as suspicious; none if the first one is a hole."""
        best, *rest = self.suspects
        near = [
            each
            for each in rest
            if each.suspicion >= MIN_RELATIVE_SUSPICION * best.suspicion and not best.target.is_hole
        ]
        return tuple(near[:MAX_OTHER_SUSPECTS])

    @property
    def searched(self) -> tuple[Suspect, ...]:
        """The suspects to search one after another until a repair is found; only the first if it is a hole."""
        return self.suspects[: 1 if self.suspect.target.is_hole else MAX_SEARCHED_SUSPECTS]

    @property
    def sentence(self) -> str:
        """The result in words, for the user."""
        chosen = f"{short_test_name(self.test)} fails, and {described(self.suspect)} is the likeliest cause of it"
        if not self.others:
            return f"{chosen}."
        return f"{chosen}; it may also be {', '.join(map(described, self.others))}."


def described(suspect: Suspect) -> str:
    """Return the short name of a function with its place."""
    return f"{suspect.target.short_name} ({suspect.path}:{suspect.target.line})"


async def locate(stage: Stage, test: str) -> Located:
    """Return the suspects for a failing test, which is named by its node id.

    Raises:
        BadRequest: It passes, cannot be run, or executes no function of the project.
        BrokenWorld: Nothing can be run at all.
    """
    stage, failing, passing = await _tried(stage, test)
    company = Spectra()
    file, mine = test.partition("::")[0], [each.told.id for each in (*failing, *passing)]
    # Only lines that the failing test executes can be suspicious, so nothing else is traced in the others.
    executed = _union(failing)
    seconds = min(MAX_OTHER_TESTS_SECONDS, stage.options.total_seconds)
    await run_spectra(stage, (file,), company, skip=mine, within=executed, seconds=seconds)
    passing += [each for name, each in company.tests.items() if name in green(company.results)]
    found = suspects(failing, passing, _texts(stage, executed))
    if not found:
        raise BadRequest(
            f"{short_test_name(test)} fails ({failing[0].told.message}), and executes no function of the project but "
            "tests; name the function to repair"
        )
    return Located(test=test, suspects=found)


async def _tried(stage: Stage, test: str) -> tuple[Stage, list[Spectrum], list[Spectrum]]:
    """Run the test with all its parameters, under the strictest policy that does not seem to make it fail."""
    for policy in stage.executor.policies:
        stage = replace(stage, policy=policy)
        spectra = Spectra()
        finished = await run_spectra(stage, (test,), spectra, seconds=stage.options.total_seconds)
        failing = [each for each in spectra.tests.values() if each.told.ruling is Ruling.FAILED]
        said = [each.told.message for each in failing] or [*spectra.results.uncollected.values(), finished.printed]
        if green(spectra.results) or not any(map(looks_refused, said)):
            break
    if not failing:
        raise BadRequest(_why_not(test, spectra, finished))
    return stage, failing, [each for name, each in spectra.tests.items() if name in green(spectra.results)]


def _why_not(test: str, spectra: Spectra, finished: Finished) -> str:
    """Return why there is nothing to repair for a test that did not fail."""
    name, results = short_test_name(test), spectra.results
    if results.no_pytest:
        return f"{name} cannot be run, for the project's Python has no pytest; `certo doctor` says how to install it"
    if results.uncollected:
        path, said = next(iter(results.uncollected.items()))
        return f"{name} cannot be run, for {path} cannot be collected: {said}"
    if results.running is not None:
        killed = results.how_it_was_killed(finished)
        return f"{name} {killed}, so that nothing is known of what it executed; name the function"
    if green(results):
        return f"{name} passes; there is nothing to repair for it"
    if results.tests:
        return f"{name} is skipped: {next(iter(results.tests.values())).message}"
    return f"pytest does not run {test}: {complaint(finished.printed)}"


def _union(spectra: Iterable[Spectrum]) -> Lines:
    """Return the lines that any of the tests executed, without those of test files."""
    found: dict[str, frozenset[int]] = {}
    for spectrum in spectra:
        for file, lines in spectrum.lines.items():
            if not is_of_tests(file):
                found[file] = found.get(file, frozenset()) | lines
    return found


def is_of_tests(path: str) -> bool:
    """True if the file serves only tests."""
    place = PurePosixPath(path)
    return is_test_file(path) or place.name == "conftest.py" or bool(FOLDERS_OF_TESTS.intersection(place.parts[:-1]))


def _texts(stage: Stage, files: Iterable[str]) -> Mapping[str, str]:
    """Return the texts of files that can be read and parsed, by path."""
    found = {}
    for file in files:
        try:
            text = stage.texts[file] if file in stage.texts else read_source(stage.root / file)
            parse_source(text, file)
        except BadRequest:
            continue
        found[file] = text
    return found
