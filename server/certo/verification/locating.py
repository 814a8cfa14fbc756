"""From a test that fails to the function of the project that is most likely to blame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from certo.edits.source import parse_source, read_source
from certo.project.testfiles import is_test_file
from certo.sandbox.executor import Finished
from certo.verification.complaint import complaint
from certo.verification.needs import green, looks_refused
from certo.verification.protected import FOLDERS_OF_TESTS
from certo.verification.spectra import Lines, Spectra, Spectrum, Stage, run_spectra
from certo.verification.suspects import Suspect, suspects
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.verdict import Ruling

COMPANY_SECONDS = 10.0
"""How long the other tests of the file are run, which only sharpen the view: somebody waits."""

NEARLY = 0.75
"""How much of the greatest suspicion makes it worth to name another function."""

MOST_OTHERS = 3
"""How many of these are named."""

MOST_SEARCHED = 5
"""How many suspects are searched one after the other at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """What may be to blame for a failing `test`: all it executes, the likeliest first."""

    test: str
    suspects: tuple[Suspect, ...]

    @property
    def suspect(self) -> Suspect:
        """The function to repair."""
        return self.suspects[0]

    @property
    def others(self) -> tuple[Suspect, ...]:
        """Those that are nearly as suspicious; where something is still to be written, that is it."""
        best, *rest = self.suspects
        near = [each for each in rest if each.suspicion >= NEARLY * best.suspicion and not best.target.is_hole]
        return tuple(near[:MOST_OTHERS])

    @property
    def searched(self) -> tuple[Suspect, ...]:
        """Those that are searched until something is found; where something is still to be written, that alone."""
        return self.suspects[: 1 if self.suspect.target.is_hole else MOST_SEARCHED]

    @property
    def sentence(self) -> str:
        """What a user reads of it."""
        chosen = f"{name_of(self.test)} fails, and {described(self.suspect)} is the likeliest cause of it"
        if not self.others:
            return f"{chosen}."
        return f"{chosen}; it may also be {', '.join(map(described, self.others))}."


def name_of(test: str) -> str:
    """A test as the user would name it: "test_change", "TestTill.test_change"."""
    return ".".join(test.split("::")[1:])


def described(suspect: Suspect) -> str:
    """A function as the user would name it, and where it stands."""
    return f"{suspect.target.short_name} ({suspect.path}:{suspect.target.line})"


async def locate(stage: Stage, test: str) -> Located:
    """Find what is to blame for a failing test, which is named by its node id.

    Raises:
        BadRequest: it passes, cannot be run, or executes no function of the project.
        BrokenWorld: nothing can be run at all.
    """
    stage, failing, passing = await _tried(stage, test)
    company = Spectra()
    file, mine = test.partition("::")[0], [each.told.id for each in (*failing, *passing)]
    executed = _union(failing)
    seconds = min(COMPANY_SECONDS, stage.options.total_seconds)
    await run_spectra(stage, (file,), company, skip=mine, within=executed, seconds=seconds)
    passing += [each for name, each in company.tests.items() if name in green(company.hearing)]
    found = suspects(failing, passing, _texts(stage, executed))
    if not found:
        raise BadRequest(
            f"{name_of(test)} fails ({failing[0].told.message}), and executes no function of the project but tests; "
            "name the function to repair"
        )
    return Located(test=test, suspects=found)


async def _tried(stage: Stage, test: str) -> tuple[Stage, list[Spectrum], list[Spectrum]]:
    """Run the test with all its parameters, under the strictest policy that does not seem to be what it fails for."""
    for policy in stage.executor.policies:
        stage = replace(stage, policy=policy)
        spectra = Spectra()
        finished = await run_spectra(stage, (test,), spectra, seconds=stage.options.total_seconds)
        failing = [each for each in spectra.tests.values() if each.told.ruling is Ruling.FAILED]
        said = [each.told.message for each in failing] or [*spectra.hearing.uncollected.values(), finished.printed]
        if green(spectra.hearing) or not any(map(looks_refused, said)):
            break
    if not failing:
        raise BadRequest(_why_not(test, spectra, finished))
    return stage, failing, [each for name, each in spectra.tests.items() if name in green(spectra.hearing)]


def _why_not(test: str, spectra: Spectra, finished: Finished) -> str:
    """Why there is nothing to repair for a test of which nothing failed."""
    name, hearing = name_of(test), spectra.hearing
    if hearing.no_pytest:
        return f"{name} cannot be run, for the project's Python has no pytest; `certo doctor` says how to install it"
    if hearing.uncollected:
        path, said = next(iter(hearing.uncollected.items()))
        return f"{name} cannot be run, for {path} cannot be collected: {said}"
    if hearing.running is not None:
        killed = hearing.how_it_was_killed(finished)
        return f"{name} {killed}, so that nothing is known of what it executed; name the function"
    if green(hearing):
        return f"{name} passes; there is nothing to repair for it"
    if hearing.tests:
        return f"{name} is skipped: {next(iter(hearing.tests.values())).message}"
    return f"pytest does not run {test}: {complaint(finished.printed)}"


def _union(spectra: Iterable[Spectrum]) -> Lines:
    """The lines that any of them executed, but those of tests."""
    found: dict[str, frozenset[int]] = {}
    for spectrum in spectra:
        for file, lines in spectrum.lines.items():
            if not is_of_tests(file):
                found[file] = found.get(file, frozenset()) | lines
    return found


def is_of_tests(path: str) -> bool:
    """Whether a file serves tests alone."""
    place = PurePosixPath(path)
    return is_test_file(path) or place.name == "conftest.py" or bool(FOLDERS_OF_TESTS.intersection(place.parts[:-1]))


def _texts(stage: Stage, files: Iterable[str]) -> Mapping[str, str]:
    """The texts of files that can be worked on."""
    found = {}
    for file in files:
        try:
            text = stage.texts[file] if file in stage.texts else read_source(stage.root / file)
            parse_source(text, file)
        except BadRequest:
            continue
        found[file] = text
    return found
