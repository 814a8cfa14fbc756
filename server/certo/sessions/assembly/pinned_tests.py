"""Tests of a baseline that certo wrote, and that judge no candidate of a request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from certo.edits.pinned_tests import digest, pinned_tests
from certo.edits.source import read_source
from certo.edits.target import definition_of
from certo.llm.models import ModelChoice
from certo.sessions.assembly.models import choice_of
from certo.vocabulary.errors import BadRequest, BadSetting
from certo.vocabulary.problem import Baseline

if TYPE_CHECKING:
    from certo.sessions.assembly.problem_statement import ProjectMemory, ResolvedRequest


def pinned_in(resolved: ResolvedRequest, baseline: Baseline, memory: ProjectMemory | None) -> frozenset[str]:
    """Return those tests of a baseline that may not judge; the `memory` knows all tests that certo wrote.

    Every language model of the settings may be the author of a candidate, so none of them is the author of its tests.
    """
    known = memory.pinned() if memory is not None else {}
    definition = definition_of(resolved.request.text, resolved.target)
    if not known or definition is None:
        return frozenset()
    return pinned_tests(
        known,
        [test.id for test in baseline.tests if not test.is_doctest],
        target=(resolved.path, resolved.target.qualname, digest(definition.node)),
        authors=set(_authors(choice_of(resolved.settings))),
        read=lambda path: _text_at(resolved, path),
    )


def _authors(choice: ModelChoice) -> Iterator[str]:
    """Yield the shown names of the models in the settings; one that is not set up writes nothing."""
    for name in ("", *choice.named):
        with suppress(BadSetting):
            yield choice.choose(name).shown


def _text_at(resolved: ResolvedRequest, path: str) -> str:
    """Return the text of a file, as its editor has it; empty if it cannot be read."""
    try:
        return resolved.unsaved[path] if path in resolved.unsaved else read_source(resolved.root / path)
    except (BadRequest, OSError):
        return ""
