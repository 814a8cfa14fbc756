"""A model's lessons of a search are read as JSON, and none is believed without a quotation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from certo.generation.model.options import GenerationOptions, MemoryOptions
from certo.generation.model.templates import load
from certo.knowledge.reflection import MAX_CLAIMS, Reflection
from certo.vocabulary.errors import ModelFailed
from certo.vocabulary.knowledge import SECTIONS, Claim, PastAttempt, Quote
from support.models.model_generator import problem_of
from support.models.scripted_answers import Answers, busy, reply

pytestmark = pytest.mark.acceptance(64)

TEXT = "def f(x):\n    return x + 1\n"
TRY = PastAttempt(
    search="5eac",
    candidate="aaa",
    number=1,
    path="mod.py",
    qualname="f",
    at=0.0,
    diff="-    return x + 1\n+    return x\n",
    failure="`tests`: assert 1 == 2",
)
SAID = {"section": "gotchas", "claim": "f counts\nfrom one", "quotes": [{"path": "mod.py", "text": "return x + 1"}]}


def reflection() -> Reflection:
    return Reflection(problem=problem_of(TEXT), templates=load(Path("/project"), ""), options=GenerationOptions())


async def claims(*answers: object, retries: int = 0) -> tuple[Claim, ...]:
    texts = [answer if isinstance(answer, str) else json.dumps({"value": answer}) for answer in answers]
    return await reflection().claims(Answers([reply(text) for text in texts]), [TRY], "5eac", retries=retries)


async def test_claims_are_read_with_their_quotations() -> None:
    (claim,) = await claims([SAID])
    assert (claim.section, claim.text, claim.search, claim.candidate) == ("gotchas", "f counts from one", "5eac", "")
    assert claim.quotes == (Quote(path="mod.py", text="return x + 1"),)
    (same,) = await claims([{**SAID, "claim": "F counts from ONE"}])
    assert same.key == claim.key, "said again, it takes the place of what was said before"
    assert await claims([]) == ()
    assert len(await claims([{**SAID, "claim": str(number)} for number in range(50)])) == MAX_CLAIMS


@pytest.mark.parametrize(
    "quotes",
    [[], [{"path": "mod.py", "text": ")"}], [{"path": "mod.py", "text": "x" * 500}]],
    ids=["none", "short", "long"],
)
async def test_claims_without_real_evidence_are_dropped(quotes: list[object]) -> None:
    assert [claim.text for claim in await claims([{**SAID, "quotes": quotes}, SAID])] == ["f counts from one"]


async def test_malformed_answers_are_asked_again_never_run() -> None:
    ran = "__import__('pathlib').Path('/tmp/never').touch()"
    wrong = [ran, f"<output>[{ran}]</output>", [{**SAID, "section": "weather"}], [SAID]]
    (claim,) = await claims(*wrong, retries=3)
    assert claim.text == "f counts from one"
    with pytest.raises(ModelFailed, match="did not say what was learned in a form that can be used"):
        await claims(*wrong, retries=2)
    with pytest.raises(ModelFailed, match="no more calls"):
        await reflection().claims(Answers([busy()]), [TRY], "5eac", retries=1)


def test_the_prompt_has_file_attempts_and_sections() -> None:
    question = reflection().question([TRY])
    assert all(f"- {name}: {what}" in question for name, what in SECTIONS.items())
    assert TEXT in question
    assert "+    return x\n```\n\nIt did not pass: `tests`: assert 1 == 2" in question
    assert question.endswith("assert 1 == 2")
    assert reflection().question([]).endswith("Nothing.")


def test_retries_are_limited() -> None:
    with pytest.raises(ValueError, match="from 0 to 10, not 11"):
        MemoryOptions(repo_memory_max_retries=11)
    assert MemoryOptions() == MemoryOptions(model=None, repo_memory_failure_policy="warn", repo_memory_max_retries=2)
