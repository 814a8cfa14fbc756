"""Spans with ids, parents, times, costs and errors, a JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from certo import LLM, Example, Specification, Strategy, Trace
from certo.vocabulary.errors import AttemptsFailed
from certo.vocabulary.events import ModelLooked
from support.models.scripted_answers import Answers, reply
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(47)

WRONG = "```python\ndef one() -> int:\n    return 2\n```"
RIGHT = "```python\ndef one() -> int:\n    return 1\n```"


def spans(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def test_run_is_one_trace(tmp_path: Path) -> None:
    """A run is one trace down to each call and attempt."""
    runtime = make_runtime(trace=Trace(tmp_path / "trace.jsonl"))
    wanted = Specification(
        name="one",
        description="Return 1.",
        output=int,
        examples=[Example(inputs={}, output=1)],
        llm=LLM(Answers([reply(WRONG, dollars=0.25), reply(RIGHT)])),
    )
    assert await runtime.run(wanted, {}) == 1
    told = spans(tmp_path / "trace.jsonl")
    names = [span["name"] for span in told]
    assert names[-3:] == ["generate", "execute", "run"]
    assert {span["trace_id"] for span in told} == {told[-1]["trace_id"]}
    by_id = {span["span_id"]: span for span in told}
    assert [span["name"] for span in told if span["parent_id"] is None] == ["run"]
    assert {by_id[span["parent_id"]]["name"] for span in told if span["name"] in ("attempt", "model.answer")} == {
        "generate"
    }
    wrong, right = [span for span in told if span["name"] == "attempt"][:2]
    assert (wrong["status"], wrong["attributes"]["verifier.doctests"]) == ("error", "failed")
    assert (right["status"], right["attributes"]["verified"]) == ("ok", True)
    assert right["attributes"]["cost"] > 0
    asked = [span for span in told if span["name"] == "model.answer"]
    assert asked[0]["attributes"]["dollars"] == 0.25
    assert asked[0]["attributes"]["tokens.input"] == 10
    assert all(span["start"] <= span["end"] for span in told)


def test_look_ups_are_spans(tmp_path: Path) -> None:
    seen = {"slot": 0, "attempt": 1, "model": "openai:m", "number": 1, "tool": "read_file", "arguments": "{}"}
    event = ModelLooked(**seen, result="LIMIT = 10", characters=10)
    Trace(tmp_path / "t.jsonl").hear(SimpleNamespace(id="5eac"), event)
    (span,) = spans(tmp_path / "t.jsonl")
    assert (span["name"], span["attributes"]["tool"]) == ("look_up", "read_file")
    assert span["attributes"]["tool.result"] == "LIMIT = 10"


async def test_what_fails_says_so(tmp_path: Path) -> None:
    runtime = make_runtime(trace=Trace(str(tmp_path / "t.jsonl")))
    wanted = Specification(name="one", description="Return 1.", output=int, llm=LLM(Answers([reply(RIGHT)])))
    with pytest.raises(AttemptsFailed):
        await runtime.generate(wanted, strategy=Strategy(verify=lambda code: "x" in code, num_candidates=1))
    last = spans(tmp_path / "t.jsonl")[-1]
    assert (last["name"], last["status"]) == ("generate", "error")
    assert last["error"].startswith("AttemptsFailed: one was not written")
