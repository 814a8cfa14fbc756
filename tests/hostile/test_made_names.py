"""Candidates that make names at run time are refused before they run, for in the tests' process none could be held."""

from __future__ import annotations

import pytest

from certo.verification.static.policy import PolicyOptions, PolicyVerifier
from certo.vocabulary.text import Span, TextEdit
from certo.vocabulary.verdict import Ruling
from hostile.attacks.noticing import MAKING, Making
from hostile.row import HONEST, MODULE
from hostile.rows import by_name
from support.search.rewrites import edited, problem_about


@pytest.mark.parametrize("row", by_name(MAKING))
async def test_a_made_name_is_refused_by_reading(row: Making) -> None:
    problem = problem_about(MODULE, "double")
    candidate = edited(problem, TextEdit(Span(0, len(MODULE)), row.text("")))
    verdict = await PolicyVerifier(PolicyOptions()).judge(candidate, problem)
    assert verdict.ruling is Ruling.FAILED, row.why
    assert all("reaches the interpreter's internals" in each.message for each in verdict.findings), verdict.findings
    honest = edited(problem, TextEdit(Span(0, len(MODULE)), HONEST))
    assert (await PolicyVerifier(PolicyOptions()).judge(honest, problem)).ruling is Ruling.PASSED
