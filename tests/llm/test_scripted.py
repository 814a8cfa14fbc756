"""A model that answers from a script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from certo.llm.prompt import Finish, Usage
from certo.llm.scripted import ScriptedModel, ScriptedReply, read_script
from certo.vocabulary.errors import BadSetting, ModelFailed
from support.models.provider_plays import ask


async def test_a_script_is_read_from_a_file(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    lines = [
        {"text": "x" * 40, "inputTokens": 3, "outputTokens": 4, "finish": "cut"},
        {"failure": "not today", "transient": True, "retryAfter": 1.5},
    ]
    script.write_text(json.dumps(lines))
    model = read_script(script)
    told: list[str] = []
    reply = await model.answer(ask(), heard=lambda delta: told.append(delta.text))
    assert [len(piece) for piece in told] == [16, 16, 8]
    assert (reply.text, reply.finish) == ("x" * 40, Finish.CUT)
    assert reply.usage == Usage(input_tokens=3, output_tokens=4)
    with pytest.raises(ModelFailed, match=r"scripted:script\.json: not today") as failure:
        await model.answer(ask())
    assert (failure.value.transient, failure.value.retry_after, failure.value.received) == (True, 1.5, False)
    with pytest.raises(ModelFailed, match="no more lines"):
        await model.answer(ask())


async def test_script_lines_are_used_in_order() -> None:
    model = ScriptedModel(ScriptedReply(text=f"{number}") for number in range(3))
    assert [(await model.answer(ask())).text for _ in range(3)] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[]", "at least 1 item"),
        ("{", "wrong at its beginning"),
        ('[{"txt": "x"}]', r"wrong at 0\.txt"),
        ('[{"text": "x", "gapSeconds": -1}]', "greater than or equal to 0"),
    ],
)
def test_invalid_scripts_are_refused(tmp_path: Path, written: str, said: str) -> None:
    script = tmp_path / "script.json"
    script.write_text(written)
    with pytest.raises(BadSetting, match=said):
        read_script(script)


def test_a_missing_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"none\.json cannot be read: No such file"):
        read_script(tmp_path / "none.json")
