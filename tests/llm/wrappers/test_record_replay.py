"""A recorded answer is given again from a file, with no network."""

from __future__ import annotations

import stat
from dataclasses import replace

import anyio
import pytest

from certo.llm.prompt import Message
from certo.llm.wrappers.record_replay import Recording, RecordingModel, Replayed, to_file
from certo.vocabulary.errors import BadSetting, ModelFailed
from support.models.scripted_answers import Answers, question, reply

pytestmark = pytest.mark.acceptance(104)


async def test_replay_gives_each_sample_its_answer(tmp_path):
    """No model is asked."""
    path = tmp_path / "answers.jsonl"
    model = Answers([reply("first", dollars=0.25), reply("second")])
    recorded = RecordingModel(model, to_file(path))
    prompts = [question(sample=sample) for sample in (0, 1)]
    answers = [await recorded.answer(prompt) for prompt in prompts]
    replayed = Replayed(model.name, Recording(path))
    again = [await replayed.answer(prompt) for prompt in reversed(prompts)]
    assert list(reversed(again)) == answers
    assert len(model.asked) == 2


async def test_replay_streams_the_text(tmp_path):
    path = tmp_path / "answers.jsonl"
    model = Answers([reply("def f(): ...")])
    await RecordingModel(model, to_file(path)).answer(question())
    heard = []
    await Replayed(model.name, Recording(path)).answer(replace(question(), background=True), heard=heard.append)
    assert [(delta.text, delta.at) for delta in heard] == [("def f(): ...", 0)]


async def test_failures_and_cancelled_questions_are_replayed(tmp_path):
    """A question that was cancelled waits again."""
    path = tmp_path / "answers.jsonl"

    async def never(_):
        await anyio.sleep_forever()

    recorded = RecordingModel(Answers([ModelFailed("no credit left"), never]), to_file(path))
    with pytest.raises(ModelFailed):
        await recorded.answer(question("a"))
    with anyio.move_on_after(0.01):
        await recorded.answer(question("b"))
    replayed = Replayed(recorded.name, Recording(path))
    with pytest.raises(ModelFailed, match=r"^no credit left$"):
        await replayed.answer(question("a"))
    with anyio.move_on_after(0.01) as waited:
        await replayed.answer(question("b"))
    assert waited.cancelled_caught


async def test_a_later_cancelled_question_keeps_the_answer(tmp_path):
    path = tmp_path / "answers.jsonl"

    async def never(_):
        await anyio.sleep_forever()

    recorded = RecordingModel(Answers([reply("kept"), never]), to_file(path))
    await recorded.answer(question())
    with anyio.move_on_after(0.01):
        await recorded.answer(question())
    assert (await Replayed(recorded.name, Recording(path)).answer(question())).text == "kept"


@pytest.mark.parametrize(
    "other",
    [
        question("Something else?"),
        question(sample=1),
        question(max_tokens=101),
        question(schema={"type": "object"}),
        replace(question(), messages=(Message(role="system", text="Be brief."), *question().messages)),
    ],
)
async def test_replay_of_an_unknown_question_fails(tmp_path, other):
    path = tmp_path / "answers.jsonl"
    model = Answers()
    await RecordingModel(model, to_file(path)).answer(question())
    with pytest.raises(ModelFailed, match=r"answers\.jsonl has no answer of scripted:one to the prompt that ends with"):
        await Replayed(model.name, Recording(path)).answer(other)
    with pytest.raises(ModelFailed, match="has no answer of scripted:two"):
        await Replayed("scripted:two", Recording(path)).answer(question())


async def test_a_recording_is_for_its_owner(tmp_path):
    await RecordingModel(Answers(), to_file(tmp_path / "new.jsonl")).answer(question())
    assert stat.S_IMODE((tmp_path / "new.jsonl").stat().st_mode) == 0o600


def test_deeply_nested_recordings_are_refused(tmp_path):
    (tmp_path / "deep.jsonl").write_text("[" * 100_000)
    with pytest.raises(BadSetting, match="line 1 is no recorded answer"):
        Recording(tmp_path / "deep.jsonl")


def test_invalid_recordings_are_refused(tmp_path):
    with pytest.raises(BadSetting, match=r"search\.replay = .*missing\.jsonl cannot be read: No such file[^:]*$"):
        Recording(tmp_path / "missing.jsonl")
    path = tmp_path / "other.jsonl"
    path.write_text('{"key": "k", "failed": "x"}\n{"key": 1, "reply": {"text": 3}}\n')
    with pytest.raises(BadSetting, match="line 2 is no recorded answer"):
        Recording(path)


async def test_unwritable_recordings_name_the_setting(tmp_path):
    with pytest.raises(BadSetting, match=r"search\.record = .* cannot be written"):
        await RecordingModel(Answers(), to_file(tmp_path / "no" / "such" / "place")).answer(question())
