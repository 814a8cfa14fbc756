"""The editor's own model: the request to the editor, and its failures."""

from __future__ import annotations

import json
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from certo.llm.editor import EditorAnswer, EditorModel
from certo.llm.prompt import Finish, Message, Prompt, Reply, Sampling, Usage
from certo.llm.streamed_reply import MAX_CHARACTERS
from certo.vocabulary.errors import ModelFailed
from support.models.editor_with_model import EditorStage, editor_stage
from support.models.provider_plays import FOREVER, Play, ask


class Answering(EditorStage):
    """An editor that answers each question at once, with the response given."""

    response: dict[str, Any]
    asked: list[dict[str, Any]]

    def write(self, frame: bytes) -> None:
        message = json.loads(frame.partition(b"\r\n\r\n")[2])
        self.asked = [*getattr(self, "asked", []), message]
        self.send({"id": message["id"], **self.response})


async def told(response: dict[str, Any], prompt: Prompt | None = None) -> tuple[Reply, dict[str, Any]]:
    """The reply to a prompt, and the question as it went over the wire."""
    async with anyio.create_task_group() as group:
        stage = Answering(group)
        stage.response = response
        try:
            reply: Reply | ModelFailed = await stage.model().answer(prompt or ask())
        except ModelFailed as failure:
            reply = failure
        group.cancel_scope.cancel()
    if isinstance(reply, ModelFailed):
        raise reply
    return reply, stage.asked[0]


async def test_the_whole_question_crosses_the_wire() -> None:
    prompt = Prompt(
        messages=(Message(role="system", text="Be brief."), Message(role="user", text="f?")),
        sampling=Sampling(temperature=0.5, top_p=0.9, seed=3, max_tokens=9, stop=("x",)),
        schema={"type": "object"},
        schema_name="verdict",
    )
    _, asked = await told({"result": {"text": "def f(): ..."}}, prompt)
    asked["params"].pop("token")
    assert asked["method"] == "certo/model/ask"
    assert asked["params"] == {
        "model": "best",
        "messages": [{"role": "system", "text": "Be brief."}, {"role": "user", "text": "f?"}],
        "sampling": {"temperature": 0.5, "topP": 0.9, "seed": 3, "maxTokens": 9, "stop": ["x"]},
        "schema": {"type": "object"},
        "schemaName": "verdict",
    }


async def test_an_editor_may_answer_all_at_once() -> None:
    reply, _ = await told({"result": {"text": "def f(): ...", "usage": {"inputTokens": 3, "outputTokens": 2}}})
    assert (reply.text, reply.finish, reply.model) == ("def f(): ...", Finish.COMPLETE, "editor:best")
    assert reply.usage == Usage(input_tokens=3, output_tokens=2)


@pytest.mark.parametrize(
    ("response", "said"),
    [
        ({"result": None}, "answered certo/model/ask with what is no answer: its result"),
        ({"result": {"finish": "stop"}}, "what is no answer: finish: Input should be 'complete', 'cut' or 'filtered'"),
        ({"result": {"usage": {"inputTokens": -1, "outputTokens": 2}}}, r"usage\.inputTokens"),
        ({"result": {}}, "answered without a word"),
        ({"error": {"code": -32601, "message": "no such method"}}, "did not answer: no such method"),
        ({"error": {"code": -32603, "message": "", "data": ["what"]}}, "did not answer: Internal Error"),
        ({"error": {"code": -32603, "message": "x", "data": {"transient": "maybe"}}}, "did not answer: x"),
    ],
)
async def test_what_is_no_answer_is_told(response: dict[str, Any], said: str) -> None:
    with pytest.raises(ModelFailed, match=said) as failure:
        await told(response)
    assert failure.value.transient is (response.get("result") == {})
    assert not failure.value.received


async def test_editors_without_a_model_are_not_asked() -> None:
    async with editor_stage() as stage:
        model = stage.model(Play())
        stage.client.offered = False
        with pytest.raises(ModelFailed, match=r"editor:best: this editor offers certo no model.*model\.name"):
            await model.answer(ask())
        assert stage.witness.asked == []


async def test_a_slow_editor_is_told_to_stop() -> None:
    async with editor_stage() as stage:
        stage.model(FOREVER)
        model = EditorModel(stage.client, seconds=0.05, group="models.mine")
        with pytest.raises(ModelFailed, match=r"not finished its answer after 0.05 s \(models.mine.seconds\)"):
            await model.answer(ask())
        await stage.witness.until(left=1)


async def test_an_answer_without_an_end_is_stopped() -> None:
    class Endless:
        offered = True

        async def ask(self, prompt: Prompt, model: str, heard: Any, /) -> EditorAnswer:
            while True:
                heard("x" * 1_000_000)
                await anyio.lowlevel.checkpoint()

    with pytest.raises(ModelFailed, match=f"more than {MAX_CHARACTERS} characters") as failure:
        await EditorModel(Endless()).answer(ask())
    assert failure.value.received


async def test_malformed_pieces_of_answers_are_ignored(caplog: pytest.LogCaptureFixture) -> None:
    async with editor_stage() as stage:
        for params in (None, [], {"token": 3}, {"token": "unknown", "text": "secret words"}):
            stage.send({"method": "certo/model/delta", "params": params})
        assert (await stage.model(Play()).answer(ask())).text == Play().text
    assert caplog.text.count("ignored a piece of an answer") == 3
    assert "secret words" not in caplog.text
