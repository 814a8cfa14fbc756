"""The Python of the README does what the README says, with models that answer from a script."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from certo import Runtime, Strategy
from support.answering import Answers, reply
from support.from_python import make_runtime

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
FIRST, SECOND, THIRD = re.findall(
    r"^```python\n(.*?)^```", README.partition("## From Python")[2].partition("\n## ")[0], re.MULTILINE | re.DOTALL
)

SLUG = """```python
def slugify(title: str) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in title.lower())
    return "-".join(words.split())
```"""


def ran(snippet: str, model: Answers, **names: Any) -> dict[str, Any]:
    """What a snippet defines when its models are this one."""
    scope: dict[str, Any] = {"MODEL": model, **names}
    exec(snippet.replace('"openai:gpt-5-mini"', "MODEL"), scope)
    return scope


async def test_the_first_example_writes_verifies_and_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scope = ran(FIRST, Answers([reply(SLUG, dollars=0.25)]))

    def runtime(**fields: Any) -> Runtime:
        return make_runtime(tmp_path, **fields)

    scope["Runtime"] = runtime
    await scope["main"]()
    shown = capsys.readouterr().out
    assert "def slugify(title: str) -> str:" in shown
    assert " True 0.25\n" in shown
    assert shown.endswith("what-is-new\n")


async def test_the_second_example_is_what_it_says() -> None:
    scope = ran(SECOND, Answers([reply("many"), reply("3")]))
    careful = scope["careful"]
    assert isinstance(careful, Strategy)
    assert careful.selects == "cheapest"
    assert careful.verify[1]("global x") == (False, "do without global variables")
    assert (await scope["count"]("How many?")).value == 3


async def test_the_third_example_tries_again_and_mends_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    greetings = ["Hello, dear Ada, how are you?", "Good morning to you, Ada!", "Hi, Ada!", "Hello, Ada!"]
    scope = ran(THIRD, Answers([reply(text) for text in greetings]))
    assert await scope["greet"]() == "Hi, Ada!"
    assert "└─ SampleNode(id: 4, stats: 1/1, score: " in capsys.readouterr().out
    programs = [f"```python\nprint({words})\n```" for words in ("prime(10)", "[2, 3, 5, 7, 11, 13, 17, 19, 23, 29]")]
    scope["MODEL"].answers = [reply(text) for text in programs]
    async with make_runtime():
        assert await scope["write"]() == programs[1]
    assert capsys.readouterr().out == "CodeSuccess [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]\n\n"
