"""Calls for text, values, one of several words, vectors, and the content of an image."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from certo import (
    AICall,
    AIClassify,
    AIEmbed,
    AIExtract,
    AIGenerate,
    AIScan,
    Image,
    Message,
    PromptTemplate,
    RetryConfig,
    airetry,
)
from certo.llm.prompt import Finish
from certo.vocabulary.errors import BadRequest, BadSetting, ModelFailed
from support.models.model_server import NDJSON, Page, Question, line, model_server
from support.models.scripted_answers import Answers, reply
from support.runtime import make_runtime

pytestmark = pytest.mark.acceptance(79, 101)

PNG = b"\x89PNG\r\n\x1a\n and so on"


class Town(BaseModel):
    """What is asked for here."""

    name: str
    people: int


async def test_a_value_is_of_its_type() -> None:
    model = Answers([reply('{"name": "Ulm", "people": 1}'), reply('{"name": "Bonn", "people": 2}')])
    call = await AIExtract("Which town is in $where?", return_type=Town, model=model, where="the south").run()
    assert call.last_output == Town(name="Ulm", people=1)
    assert model.asked[0].schema["required"] == ["name", "people"]
    assert [message.role for message in model.asked[0].messages] == ["system", "user"]
    await call("And in the west?")
    assert call.last_output == Town(name="Bonn", people=2)
    assert [message.role for message in model.asked[1].messages] == ["system", "user", "assistant", "user"]


async def test_misfit_is_a_failed_sample() -> None:
    """An answer that is none is a failed sample that says why."""
    model = Answers([reply("Ulm"), reply('{"name": "Ulm", "people": 1}')])
    call = AIExtract("Which town?", return_type=Town, model=model, config=RetryConfig(catch_errors=True))
    await call.run()
    assert (call.success, call.config.calls, call.last_output) == (False, 0, None)
    assert str(call.error) == "AIExtract got no answer that fits: it holds no JSON"
    await airetry(lambda call: call.last_output.people == 1, call)
    assert (call.success, call.last_output) == (True, Town(name="Ulm", people=1))
    assert "The answer cannot be used: it holds no JSON." in model.asked[1].messages[-1].text


async def test_fitting_sample_is_chosen() -> None:
    """Of several samples the call stands at one that fits and the others count as lost."""
    model = Answers([reply("Ulm"), reply("3"), reply("many")])
    call = await AIExtract("How many?", return_type=int, model=model, config=RetryConfig(n_samples=3)).run()
    assert (call.last_output, call.active_sample_id, call.config.calls) == (3, 2, 1)
    assert [(node.wins, node.visits, node.success) for node in call.samples] == [
        (0, 2, None),
        (0, 1, False),
        (0, 0, True),
        (0, 1, False),
    ]


async def test_one_of_several_words() -> None:
    model = Answers([reply('{"value": "cat"}'), reply("mouse"), reply('"bird"')])
    call = await AIClassify("Miaow", choices={"cat": "it meows", "dog": "it barks"}, model=model).run()
    assert call.last_output == "cat"
    assert (
        model.asked[0].messages[0].text == "Choose the one of these that fits best:\n- cat: it meows\n- dog: it barks"
    )
    call = AIClassify("Miaow", choices=["cat", "dog"], model=model)
    with pytest.raises(ModelFailed, match="AIClassify got no answer that fits"):
        await call.run()
    with pytest.raises(ModelFailed, match="AIClassify got no answer that fits"):
        await call.run()


@pytest.mark.parametrize("answer", ["pear", "Pear.", "Answer: pear", '"pear"', '{"fruit": "Pear"}'])
async def test_a_bare_word_is_a_choice(answer: str) -> None:
    call = await AIClassify("Green and soft", choices=["apple", "pear"], model=Answers([reply(answer)])).run()
    assert (call.last_output, call.success) == ("pear", True)
    assert call.samples[1].data.value == "pear"
    with pytest.raises(KeyError, match="there is no node 2"):
        call.samples[2]


@pytest.mark.parametrize("finish", [Finish.CUT, Finish.FILTERED])
async def test_ambiguous_prefix_is_no_choice(finish: Finish) -> None:
    """A word that may be the beginning of another is no choice."""
    call = AIClassify("Round", choices=["pea", "pear"], model=Answers([reply("pea", finish=finish)]))
    with pytest.raises(ModelFailed, match="AIClassify got no answer that fits"):
        await call.run()


async def test_default_choices_are_truth_values() -> None:
    model = Answers([reply("unknown"), reply('{"value": "true"}')])
    call = AIClassify("There are $n planets.", n=8, model=model, config=RetryConfig(catch_errors=True))
    await call.run()
    assert call.last_output == "unknown"
    assert (await call.run()).last_output == "true"
    assert model.asked[0].schema["properties"]["value"]["enum"] == ["true", "false", "unknown"]


@pytest.mark.parametrize("choices", [[], {}, "cat"])
def test_empty_choices_are_refused(choices: Any) -> None:
    with pytest.raises(BadSetting, match="give the words to choose from"):
        AIClassify("Miaow", choices=choices)


async def test_vectors_for_one_text_or_for_several() -> None:
    model = Answers([reply("[[1, 2.5]]"), reply("[[1, 2.5], [0, 1]]")])
    assert (await AIEmbed("a", model=model).run()).last_output == [1, 2.5]
    call = await AIEmbed(["a $what", "b"], model=model, what="text").run()
    assert call.last_output == [[1, 2.5], [0, 1]]
    assert [message.text for message in model.asked[1].messages] == ["a text", "b"]
    assert (model.asked[1].embedding, model.asked[1].sampling.max_tokens) == (True, 0)
    with pytest.raises(BadRequest, match="no reply to vectors"):
        await call("And c?")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("[[1], [2]]", "there are 2 vectors for 1 texts"),
        ("[[1, NaN]]", "no list of lists of numbers"),
        ("[[true]]", "no list of lists of numbers"),
        ("[[]]", "no list of lists of numbers"),
        ("{}", "no list of lists of numbers"),
        ("[[1]", "it holds no JSON"),
    ],
)
async def test_what_is_no_vector_is_refused(answer: str, said: str) -> None:
    with pytest.raises(ModelFailed, match=said):
        await AIEmbed("a", model=Answers([reply(answer)])).run()


async def test_vectors_of_different_lengths_are_refused() -> None:
    with pytest.raises(ModelFailed, match="of different lengths"):
        await AIEmbed(["a", "b"], model=Answers([reply("[[1], [1, 2]]")])).run()


@pytest.mark.parametrize("texts", [[], "", ["a", ""]])
def test_there_has_to_be_something_to_embed(texts: Any) -> None:
    with pytest.raises(BadSetting, match="none of them empty"):
        AIEmbed(texts)


async def test_images_are_read_at_the_run(tmp_path: Path) -> None:
    """Images are looked at and files are read when it is run."""
    file, model = tmp_path / "here.png", Answers([reply("A cat."), reply("Grey.")])
    call = AIScan("What is it?", image_path=file, image_url="https://example.org/there.png", model=model)
    file.write_bytes(PNG)
    await call.run()
    (turn,) = model.asked[0].messages
    assert [image.media_type for image in turn.images] == ["image/png", ""]
    assert turn.images[1] == Image(url="https://example.org/there.png")
    await call("Which colour?")
    assert [len(message.images) for message in model.asked[1].messages] == [2, 0, 0]
    assert call.last_output == "Grey."


async def test_images_are_put_in_once(tmp_path: Path) -> None:
    """Also where the first run is refused for want of a value."""
    (tmp_path / "x.png").write_bytes(PNG)
    template, model = PromptTemplate(name="look", texts=("What of $what?",)), Answers()
    call = AIScan(template, image_path=tmp_path / "x.png", model=model)
    with pytest.raises(BadSetting, match="needs a value"):
        await call.run()
    call.values["what"] = "it"
    await call.run()
    assert [len(turn.images) for turn in model.asked[0].messages] == [1]


@pytest.mark.parametrize("content", [None, b"plain text", b"RIFF\x24\x00\x00\x00WAVEfmt "])
async def test_what_is_no_image_is_told(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "x.png").write_bytes(content)
    with pytest.raises(BadRequest, match=r"cannot be read|is no image that models look at"):
        await AIScan("What is it?", image_path=[tmp_path / "x.png"], model=Answers()).run()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: AIScan("What?"), "has nothing to look at"),
        (lambda: AIScan(Message(role="system", text="s"), image_url="https://x"), "has to be the user's"),
        (lambda: AIExtract("x", return_type=print), "is a function; an answer is checked against a type"),
    ],
)
def test_a_call_that_cannot_be_is_refused(make: Callable[[], AICall], said: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(said)):
        make()


async def test_each_kind_over_ollamas_http(tmp_path: Path) -> None:
    (tmp_path / "x.gif").write_bytes(b"GIF89a")

    def answer(question: Question) -> Page:
        if question.path == "/api/embed":
            told = {"model": "m", "embeddings": [[0.5, 1.0]], "prompt_eval_count": 2}
            return Page(kind="application/json", pieces=(json.dumps(told).encode(),))
        said = '{"value": "cat"}' if "format" in question.body else "A cat."
        told = {"model": "m", "done": True, "done_reason": "stop", "message": {"role": "assistant", "content": said}}
        return Page(kind=NDJSON, pieces=(line(told),))

    async with model_server(answer) as server:
        runtime = make_runtime()
        runtime.settings = {**runtime.settings, "model.name": "ollama:m", "model.base_url": server.url}
        async with runtime:
            outputs = [
                (await call.run()).last_output
                for call in (
                    AIGenerate("What is it?"),
                    AIClassify("Miaow", choices=["cat", "dog"]),
                    AIEmbed("Miaow"),
                    AIScan("What is it?", image_path=tmp_path / "x.gif"),
                )
            ]
    assert outputs == ["A cat.", "cat", [0.5, 1.0], "A cat."]
    assert server.questions[-1].body["messages"][0]["images"] == ["R0lGODlh"]
