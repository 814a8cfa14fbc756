"""Conversations stand in streams, with ids and times, once each, and are saved and loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo import LLM, ContextLog, QualitativeCriteria, Specification, Strategy, generate
from certo.llm.prompt import Message
from certo.vocabulary.errors import BadSetting
from support.models.scripted_answers import Answers, reply
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(46)

QUESTION = Message(role="user", text="How many?")
WRONG = Message(role="assistant", text="many")
AGAIN = Message(role="user", text="A number!")


def test_continued_conversation_stays_in_stream() -> None:
    log = ContextLog()
    assert log.add("main", [QUESTION], WRONG, model="m") == "main-1"
    assert log.add("main", [QUESTION, WRONG, AGAIN], Message(role="assistant", text="3"), model="m") == "main-1"
    assert [entry.text for entry in log.streams["main-1"]] == ["How many?", "many", "A number!", "3"]
    assert [entry.model for entry in log.streams["main-1"]] == ["", "m", "", "m"]


def test_parted_streams_share_common_messages() -> None:
    log = ContextLog()
    log.add("attempt", [QUESTION], WRONG, model="m")
    for answer in ("three", "3"):
        log.add("attempt", [QUESTION, WRONG, AGAIN], Message(role="assistant", text=answer), model="m")
    first, second = log.streams["attempt-1"], log.streams["attempt-2"]
    assert [entry.id for entry in first[:3]] == [entry.id for entry in second[:3]]
    texts = [entry.text for entry in log.everything()]
    assert texts == ["How many?", "many", "A number!", "three", "3"]
    assert [entry.at for entry in log.everything()] == sorted(entry.at for entry in log.everything())


def test_saved_log_is_loaded_unchanged(tmp_path: Path) -> None:
    log = ContextLog()
    log.add("judge", [QUESTION], WRONG, model="m")
    log.save(tmp_path / "log.json")
    assert ContextLog.load(tmp_path / "log.json") == log
    (tmp_path / "other.json").write_text("[]", encoding="utf-8")
    for name in ("other.json", "none.json"):
        with pytest.raises(BadSetting, match=name):
            ContextLog.load(tmp_path / name)


async def test_each_runtime_has_its_streams(tmp_path: Path) -> None:

    async def ask(log: ContextLog) -> None:
        code = "```python\ndef one() -> int:\n    return 1\n```"
        judge = QualitativeCriteria("It is short.", LLM(Answers([reply("true")])))
        wanted = Specification(name="one", description="Return 1.", output=int, llm=LLM(Answers([reply(code)])))
        async with make_runtime(log=log):
            if log is first:
                await generate(wanted, strategy=Strategy(verify=judge))
            await LLM(Answers([reply("no"), reply("1")]), output_schema=int)("How many?")

    first, second = ContextLog(), ContextLog()
    for log in (first, second):
        await ask(log)
    assert [len(first.streams[name]) for name in ("attempt-1", "judge-1")] == [3, 3]
    assert "1" in [entry.text for entry in second.everything()]
    assert {name.partition("-")[0] for name in second.streams} == {"main"}
