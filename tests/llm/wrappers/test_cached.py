"""An answer that was given once costs nothing the second time, and only whole ones are kept."""

from __future__ import annotations

import os
import stat

import pytest

from certo.llm.prompt import Finish
from certo.llm.sampling import samples
from certo.llm.wrappers.cached import MAX_IN_FOLDER, AnswerFiles, Cached
from certo.vocabulary.errors import ModelFailed
from support.models.scripted_answers import Answers, question, reply


async def test_a_repeated_question_costs_nothing(tmp_path):
    """It is asked once."""
    model = Answers([reply("one", dollars=0.5)])
    first = await Cached(model, AnswerFiles(tmp_path)).answer(question())
    heard = []
    again = await Cached(model, AnswerFiles(tmp_path)).answer(question(background=True), heard=heard.append)
    assert len(model.asked) == 1
    assert (first.text, first.calls, first.dollars) == ("one", 1, 0.5)
    assert (again.text, again.calls, again.dollars, again.usage.output_tokens) == ("one", 0, 0.0, 0)
    assert "".join(delta.text for delta in heard) == "one"


async def test_samples_stay_as_many_as_they_are(tmp_path):
    model = Answers([reply("a"), reply("b"), reply("c")])
    cached = Cached(model, AnswerFiles(tmp_path))
    first = await samples(cached, question(), 3)
    assert sorted(answer.text for answer in first) == ["a", "b", "c"]
    assert [answer.text for answer in await samples(cached, question(), 3)] == [answer.text for answer in first]
    assert len(model.asked) == 3


@pytest.mark.parametrize("finish", [Finish.CUT, Finish.FILTERED])
async def test_incomplete_answers_are_not_cached(tmp_path, finish):
    model = Answers([reply("half", finish=finish)])
    cached = Cached(model, AnswerFiles(tmp_path))
    assert [(await cached.answer(question())).calls for _ in range(2)] == [1, 1]


async def test_a_failure_is_not_kept(tmp_path):
    cached = Cached(Answers([ModelFailed("down"), reply("up")]), AnswerFiles(tmp_path))
    with pytest.raises(ModelFailed):
        await cached.answer(question())
    assert (await cached.answer(question())).text == "up"


async def test_cache_files_are_private_without_the_question(tmp_path):
    await Cached(Answers([reply("42")]), AnswerFiles(tmp_path / "kept")).answer(question("a secret of the project"))
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "secret" not in file.read_text()


@pytest.mark.parametrize("broken", ['{"text": ', "[" * 100_000, "[]", "{}"])
async def test_a_broken_cache_does_not_stop_questions(tmp_path, caplog, broken):
    """Neither does a directory that cannot be written."""
    model = Answers()
    await Cached(model, AnswerFiles(tmp_path)).answer(question())
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    file.write_text(broken)
    assert (await Cached(model, AnswerFiles(tmp_path)).answer(question())).calls == 1
    assert (await Cached(model, AnswerFiles(file / "below")).answer(question())).text == "42"
    assert "could not be kept" in caplog.text


def test_the_oldest_answers_make_room(tmp_path):
    files = AnswerFiles(tmp_path)
    keys = [f"aa{number:03}" for number in range(MAX_IN_FOLDER + 3)]
    for age, key in enumerate(keys):
        files.put(key, reply(key))
        os.utime(tmp_path / "aa" / f"{key}.json", (age, age))
    files.put("bb000", reply("elsewhere"))
    assert files.get(keys[0]) is None
    assert files.get(keys[-1]).text == keys[-1]
    assert files.get("bb000").text == "elsewhere"
    assert len(list((tmp_path / "aa").iterdir())) == MAX_IN_FOLDER
