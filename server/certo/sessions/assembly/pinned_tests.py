"""Tests of a baseline that certo wrote, and that judge no candidate of a request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Protocol

from certo.edits.pinned_tests import digest, pinned_tests
from certo.edits.source import read_source
from certo.edits.target import definition_of
from certo.generation.generator import ProblemPreview
from certo.llm.models import ModelChoice
from certo.settings.schema import Settings
from certo.vocabulary.errors import BadRequest, BadSetting
from certo.vocabulary.problem import Baseline


class WrittenBefore(Protocol):
    """Store of what is known of the tests that certo wrote."""

    def pinned(self) -> Mapping[str, str]:
        """Return a line about each of them, by what pytest calls it."""
        ...


def pinned_in(
    place: ProblemPreview, settings: Settings, baseline: Baseline, memory: WrittenBefore | None
) -> frozenset[str]:
    """Return those tests of a baseline that may not judge; the `memory` knows all tests that certo wrote.

    Every language model of the settings may be the author of a candidate, so none of them is the author of its tests.
    """
    known = memory.pinned() if memory is not None else {}
    definition = definition_of(place.text, place.target)
    if not known or definition is None:
        return frozenset()
    return pinned_tests(
        known,
        [test.id for test in baseline.tests if not test.is_doctest],
        target=(place.path, place.target.qualname, digest(definition.node)),
        authors=set(_authors(ModelChoice(default=settings.model, named=settings.models))),
        read=lambda path: _text_at(place, path),
    )


def _authors(choice: ModelChoice) -> Iterator[str]:
    """Yield the shown names of the models in the settings; one that is not set up writes nothing."""
    for name in ("", *choice.named):
        with suppress(BadSetting):
            yield choice.choose(name).shown


def _text_at(place: ProblemPreview, path: str) -> str:
    """Return the text of a file, as its editor has it; empty if it cannot be read."""
    try:
        return place.unsaved[path] if path in place.unsaved else read_source(place.root / path)
    except (BadRequest, OSError):
        return ""
