"""A model may look things up before it writes a candidate: read-only, counted, and only what a prompt may quote."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from certo.generation.generator import Ask, GeneratorContext, LookUp
from certo.generation.model.look_ups import TOOLS, LookUps
from certo.generation.model.options import GenerationOptions
from certo.llm.http.anthropic import AnthropicFormat
from certo.llm.http.openai import OpenAIFormat
from certo.llm.prompt import ToolUse
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.problem import Problem
from support.models.model_generator import block, generator, problem_of, text_of
from support.models.model_server import Page, Question, anthropic_pieces, openai_pieces
from support.models.scripted_answers import Answers, reply
from support.models.served_model import served
from support.models.tool_uses import answering, results_in, using
from support.projects.projects import own_interpreter, write_project
from support.projects.repositories import begin

CANARY = "canary-71d0"
HALF = "from limits import LIMIT\n\n\ndef half(n):\n    return n\n"
RIGHT = "def half(n):\n    return min(n // 2, LIMIT)\n"
FILES = {
    ".gitignore": "private/\n.env\nscratch.py\n",
    ".env": f"TOKEN={CANARY}-env\n",
    "private/people.json": f'["{CANARY}-data"]\n',
    "scratch.py": f"from half import half\n\nhalf('{CANARY}-caller')\n",
    "limits.py": "LIMIT = 10\n\n\nclass Till:\n    def total(self):\n        return LIMIT\n",
    "counter.py": "from half import half\n\n\ndef count():\n    return half(8)\n",
    "half.py": HALF,
    "test_half.py": "from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n",
}
FORMATS = [
    pytest.param(OpenAIFormat(), openai_pieces, "openai", id="openai"),
    pytest.param(AnthropicFormat(), anthropic_pieces, "anthropic", id="anthropic"),
]


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    begin(tmp_path)
    write_project(tmp_path, FILES)
    (tmp_path / "people.txt").symlink_to("private/people.json")
    (tmp_path / "outside.txt").symlink_to("/etc/hostname")
    stated = problem_of(HALF, "half", root=tmp_path, path="half.py")
    return replace(stated, ignored=frozenset({"private", ".env", "scratch.py"}))


@pytest.fixture
def looking(problem: Problem) -> LookUps:
    context = GeneratorContext(
        executor=LocalExecutor(SandboxOptions()), interpreter=own_interpreter(), options=GenerationOptions()
    )
    return LookUps(problem, context, 24_000)


async def look(looking: LookUps, tool: str, **arguments: Any) -> str:
    """Return the result of one look-up."""
    return await looking.answer(ToolUse(id="1", name=tool, arguments=json.dumps(arguments)))


def in_turn(*pages: Page) -> Any:
    """Return what answers with these pages, the last one again and again."""
    left = list(pages)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


@pytest.mark.parametrize(("format_", "pieces", "provider"), FORMATS)
async def test_results_reach_the_next_call(problem, format_, pieces, provider):
    asked = using(pieces, ("read_file", {"path": "limits.py"}), ("run", {"code": "from half import half\nhalf(6)"}))
    seen: list[LookUp] = []
    answers = in_turn(asked, answering(pieces, block(RIGHT)))
    async with (
        served(answers, format_, provider=provider) as (model, server),
        generator(model).open(problem, lambda _: None) as proposer,
    ):
        found = await proposer.propose(Ask(looking=seen.append))
    assert text_of(problem, found) == HALF.replace("return n", "return min(n // 2, LIMIT)")
    first, second = (question.body for question in server.questions)
    names = [each.get("function", each)["name"] for each in first["tools"]]
    assert names == [tool.name for tool in TOOLS]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    read, ran = results_in(second)
    assert "LIMIT = 10" in read
    assert ran == "value: 6"
    assert [(each.number, each.tool, each.result) for each in seen] == [(1, "read_file", read), (2, "run", ran)]


@pytest.mark.parametrize(("format_", "pieces", "provider"), FORMATS)
async def test_look_ups_end_with_their_number(problem, format_, pieces, provider):
    """The last call may use no tool, and one that does all the same is told that there was no code."""
    asked = using(pieces, ("find_callers", {"name": "half"}))
    answers = in_turn(asked, asked, asked, answering(pieces, block(RIGHT)))
    async with (
        served(answers, format_, provider=provider) as (model, server),
        generator(model, look_ups=2).open(problem, lambda _: None) as proposer,
    ):
        found = await proposer.propose(Ask())
    assert text_of(problem, found) != HALF
    choices = [question.body.get("tool_choice") for question in server.questions]
    none = "none" if provider == "openai" else {"type": "none"}
    assert choices[2:] == [none, none]
    assert none not in choices[:2]
    assert len(results_in(server.questions[-1].body)) == 2


@pytest.mark.parametrize(("format_", "pieces", "provider"), FORMATS)
async def test_server_without_tools_is_asked_without(problem, format_, pieces, provider):
    def answer(question: Question) -> Page:
        if "tools" not in question.body:
            return answering(pieces, block(RIGHT))
        told = {"error": {"message": "Unsupported parameter: 'tools' is not supported with this model."}}
        return Page(status=400, kind="application/json", pieces=(json.dumps(told).encode(),))

    async with (
        served(answer, format_, provider=provider) as (model, server),
        generator(model).open(problem, lambda _: None) as proposer,
    ):
        assert text_of(problem, await proposer.propose(Ask())) != HALF
    assert [("tools" in question.body) for question in server.questions] == [True, False]
    assert "tool_choice" not in server.questions[1].body


@pytest.mark.parametrize(
    ("name", "rounds", "offered"),
    [("openai:m", 3, True), ("openai:m", 0, False), ("ollama:m", 3, False), ("editor", 3, False)],
)
async def test_only_providers_with_tools_get_them(name, rounds, offered):
    model = Answers([reply(block("def f(n):\n    return n + 1\n"))], name=name)
    problem = problem_of("def f(n):\n    return n\n")
    async with generator(model, look_ups=rounds).open(problem, lambda _: None) as proposer:
        await proposer.propose(Ask())
    assert [bool(prompt.tools) for prompt in model.asked] == [offered]


@pytest.mark.parametrize(
    "path",
    ["../x.py", "/etc/hostname", "outside.txt", ".env", "private/people.json", "people.txt", ".git/config", "no.py"],
)
async def test_hidden_files_are_not_read(looking, path):
    said = await look(looking, "read_file", path=path)
    assert said == f"error: {path} is no file of this project that may be read"


async def test_files_are_read_by_lines(looking):
    said = await look(looking, "read_file", path="./limits.py", first_line=4, last_line=5)
    assert said == "limits.py, lines 4 to 5 of 6:\n\n```\nclass Till:\n    def total(self):\n```"


async def test_names_are_found_by_reading(looking):
    """Files that git ignores are left out."""
    calls = await look(looking, "find_callers", name="half")
    assert "counter.py:5" in calls
    assert "test_half.py:5" in calls
    assert CANARY not in calls
    assert "limits.py:5" in await look(looking, "find_definitions", name="Till.total")
    assert await look(looking, "find_definitions", name="nobody") == "no definitions of nobody were found"


async def test_code_runs_without_ignored_files(looking):
    hidden = ["private/people.json", ".env", "people.txt", "scratch.py"]
    read = "from pathlib import Path\n[Path(limits.__file__).with_name(p).read_text() for p in {}]"
    assert "LIMIT = 10" in await look(looking, "run", code="import limits\n" + read.format(["limits.py"]))
    for name in hidden:
        said = await look(looking, "run", code="import limits\n" + read.format([name]))
        assert "value: ['']" in said or "raised" in said, name
        assert CANARY not in said
    wrote = await look(looking, "run", code="open('new.txt', 'w').write('x')")
    assert "raised" in wrote


async def test_tests_run_on_the_present_files(looking):
    said = await look(looking, "run_test", test="test_half.py::test_half")
    assert "1 failed" in said
    assert "assert 4 == 2" in said


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("write_file", "{}", "there is no tool 'write_file'"),
        ("run", "[]", "no JSON object"),
        ("run", "{", "no JSON"),
        ("run", '{"code": 3}', "code is missing"),
        ("read_file", '{"path": "half.py", "first_line": "1"}', "whole number"),
        ("find_callers", '{"name": "half; import os"}', "no name of Python"),
        ("run_test", '{"test": "-p"}', "may be read"),
    ],
)
async def test_unusable_arguments_are_answered(looking, tool, arguments, why):
    said = await looking.answer(ToolUse(id="1", name=tool, arguments=arguments))
    assert said.startswith("error: ")
    assert why in said
