"""What every model must do, whatever answers behind it."""

from __future__ import annotations

import anyio
import pytest

from certo.llm.model import ChatModel
from certo.llm.prompt import Delta, Finish, Message, Prompt, Reply, Sampling, Usage
from certo.vocabulary.errors import ModelFailed
from support.models.provider_plays import FOREVER, RETRY_SECONDS, Fault, Play, Stage, ask

SCHEMA = {
    "type": "object",
    "properties": {"passed": {"type": "boolean"}},
    "required": ["passed"],
    "additionalProperties": False,
}


class ChatModelContract:
    """Checks for one kind of model; a subclass offers where it is tried as the fixture `stage`.

    `tells_usage`, `tells_filtered` and `tells_retry` say what the wire behind it can say at all.
    """

    tells_usage = True
    tells_filtered = True
    tells_retry = True

    async def test_the_deltas_are_the_answer(self, stage: Stage) -> None:
        play = Play(pieces=("def f():\n", "    return ", "'é 🙂 \u2028'", "\n"))
        deltas, reply = await heard(stage.model(play), ask())
        assert reply.text == play.text
        assert len(deltas) >= 2
        assert "".join(delta.text for delta in deltas) == play.text
        assert stands(deltas) == play.text
        assert reply.finish is Finish.COMPLETE
        assert reply.calls == 1
        assert reply.model != ""

    async def test_answers_are_streamed(self, stage: Stage) -> None:
        model = stage.model(Play(pieces=("first", *("late",) * 9), gap=0.01))
        first = anyio.Event()

        def listen(delta: Delta) -> None:
            if delta.at == 0:
                first.set()

        replies: list[Reply] = []

        async def answer() -> None:
            replies.append(await model.answer(ask(), heard=listen))

        async with anyio.create_task_group() as group:
            group.start_soon(answer)
            with anyio.fail_after(100):
                await first.wait()
            assert replies == []
        assert replies[0].text == "first" + "late" * 9

    async def test_the_question_arrives_as_it_was_put(self, stage: Stage) -> None:
        prompt = Prompt(
            messages=(
                Message(role="system", text="You write Python."),
                Message(role="user", text='implement "f"\n\twith é and 🙂'),
                Message(role="assistant", text="def f(): pass"),
                Message(role="user", text="that fails"),
            ),
            sampling=Sampling(max_tokens=321),
        )
        await stage.model(Play()).answer(prompt)
        [asked] = stage.witness.asked
        assert asked.messages == tuple((message.role, message.text) for message in prompt.messages)
        assert asked.max_tokens == 321
        assert asked.schema is None

    async def test_a_schema_is_passed_on(self, stage: Stage) -> None:
        reply = await stage.model(Play(pieces=('{"passed": true}',))).answer(ask(schema=SCHEMA))
        assert reply.text == '{"passed": true}'
        assert stage.witness.asked[0].schema == SCHEMA

    async def test_an_answer_that_was_cut_says_so(self, stage: Stage) -> None:
        reply = await stage.model(Play(finish=Finish.CUT)).answer(ask())
        assert reply.finish is Finish.CUT
        assert reply.text == Play().text

    async def test_an_answer_that_was_withheld_says_so(self, stage: Stage) -> None:
        expected = Finish.FILTERED if self.tells_filtered else Finish.COMPLETE
        assert (await stage.model(Play(finish=Finish.FILTERED)).answer(ask())).finish is expected

    async def test_usage_is_reported_not_invented(self, stage: Stage) -> None:
        took = Usage(input_tokens=12, output_tokens=34)
        model = stage.model(Play(usage=took), Play(usage=None))
        assert (await model.answer(ask())).usage == (took if self.tells_usage else None)
        assert (await model.answer(ask())).usage is None

    @pytest.mark.parametrize("pieces", [(), ("x", "y")])
    async def test_an_answer_that_breaks_off_is_none(self, stage: Stage, pieces: tuple[str, ...]) -> None:
        model = stage.model(Play(pieces=pieces, fault=Fault.BROKEN_OFF), Play())
        with pytest.raises(ModelFailed) as failure:
            await model.answer(ask())
        assert failure.value.transient
        assert failure.value.received is bool(pieces)
        assert (await model.answer(ask())).text == Play().text

    async def test_lasting_and_passing_refusals_differ(self, stage: Stage) -> None:
        model = stage.model(Play(fault=Fault.REFUSED), Play(fault=Fault.BUSY), Play())
        with pytest.raises(ModelFailed) as refused:
            await model.answer(ask())
        assert not refused.value.transient
        assert not refused.value.received
        with pytest.raises(ModelFailed) as busy:
            await model.answer(ask())
        assert busy.value.transient
        assert busy.value.retry_after == (RETRY_SECONDS if self.tells_retry else None)
        assert model.name.partition(":")[0] in str(busy.value)
        assert (await model.answer(ask())).text == Play().text

    async def test_cancelling_reaches_the_other_side(self, stage: Stage) -> None:
        model = stage.model(FOREVER, Play(pieces=("one", *("more",) * 1000), gap=0.05), Play())
        async with anyio.create_task_group() as group:
            group.start_soon(model.answer, ask())
            await stage.witness.until(asked=1)
            group.cancel_scope.cancel()
        await stage.witness.until(left=1)
        async with anyio.create_task_group() as group:
            await model.answer(ask(), heard=lambda _: group.cancel_scope.cancel())
        await stage.witness.until(left=2)
        assert (await model.answer(ask())).text == Play().text

    async def test_many_may_ask_at_once(self, stage: Stage) -> None:
        plays = [Play(pieces=tuple(f"{number}.{piece} " for piece in range(5)), gap=0.002) for number in range(20)]
        model = stage.model(*plays)
        texts: list[str] = []

        async def answer() -> None:
            deltas, reply = await heard(model, ask())
            assert stands(deltas) == reply.text
            texts.append(reply.text)

        async with anyio.create_task_group() as group:
            for _ in plays:
                group.start_soon(answer)
        assert sorted(texts) == sorted(play.text for play in plays)

    async def test_cancelling_one_call_spares_others(self, stage: Stage) -> None:
        model = stage.model(FOREVER, Play(pieces=("a",) * 20, gap=0.01))
        async with anyio.create_task_group() as group:
            loser = anyio.CancelScope()

            async def lose() -> None:
                with loser:
                    await model.answer(ask())

            group.start_soon(lose)
            await stage.witness.until(asked=1)
            reply = await _answer_and(model, loser.cancel)
        assert reply.text == "a" * 20


async def heard(model: ChatModel, prompt: Prompt) -> tuple[list[Delta], Reply]:
    """Return an answer, with all that was told of it on the way."""
    deltas: list[Delta] = []
    reply = await model.answer(prompt, heard=deltas.append)
    return deltas, reply


def stands(deltas: list[Delta]) -> str:
    """What whoever listens has in the end."""
    text = ""
    for delta in deltas:
        text = text[: delta.at] + delta.text
    return text


async def _answer_and(model: ChatModel, act: object) -> Reply:
    """Return an answer, during which something is done after the first piece."""
    assert callable(act)
    return await model.answer(ask(), heard=lambda delta: act() if delta.at == 0 else None)
