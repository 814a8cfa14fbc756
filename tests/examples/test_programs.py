"""The example programs print what they say they do, with models that answer from a script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from certo import Runtime, Strategy
from certo.llm.prompt import Prompt, Reply
from support.models.scripted_answers import Answers, reply
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project
from support.runtime import make_runtime

PROGRAMS = Path(__file__).parents[2] / "examples" / "python"

SLUG = """```python
def slugify(title: str) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in title.lower())
    return "-".join(words.split())
```"""

INITIALS = """```python
def initials(name: str) -> str:
    if not name.strip():
        raise ValueError("the name is blank")
    return "".join(word[0].upper() for word in name.split())
```"""

GLOBAL = """```python
def initials(name: str) -> str:
    global seen
    seen = name
    return "".join(word[0].upper() for word in name.split())
```"""


def loaded(program: str, model: Answers, **names: Any) -> dict[str, Any]:
    """Return what a program defines when this model stands for the one that it names."""
    source = (PROGRAMS / program).read_text(encoding="utf-8")
    scope: dict[str, Any] = {"__name__": "example", "MODEL": model, **names}
    exec(compile(source.replace('"openai:gpt-5-mini"', "MODEL"), program, "exec"), scope)
    return scope


def test_every_program_is_run_here() -> None:
    assert {path.name for path in PROGRAMS.iterdir()} == {
        "ask_until_right.py",
        "judge_candidates.py",
        "repair_a_project.py",
        "write_a_function.py",
    }


@pytest.mark.slow
async def test_a_function_is_written_and_called(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scope = loaded("write_a_function.py", Answers([reply(SLUG, dollars=0.25)]))

    def runtime(**fields: Any) -> Runtime:
        return make_runtime(tmp_path, **fields)

    scope["Runtime"] = runtime
    await scope["main"]()
    shown = capsys.readouterr().out
    assert "def slugify(title: str) -> str:" in shown
    assert " True 0.25\n" in shown
    assert shown.endswith("what-is-new\n")


async def test_candidates_are_judged(capsys: pytest.CaptureFixture[str]) -> None:
    """The global variable is refused by the check, the criterion votes, and the cost is that of the criterion."""
    questions: list[str] = []

    async def answer(prompt: Prompt) -> Reply:
        question = prompt.messages[-1].text
        questions.append(question)
        if "English alphabet" in question:
            return reply("26")
        if "Handles empty input" in question:
            return reply("yes")
        if "hard is this to read" in question:
            return reply("1")
        return reply(INITIALS if "global variables" in question else GLOBAL)

    scope = loaded("judge_candidates.py", Answers([answer]))
    careful = scope["careful"]
    assert isinstance(careful, Strategy)
    assert careful.selects == "cheapest"
    async with make_runtime():
        await scope["main"]()
    source, cost, number = capsys.readouterr().out.rstrip().rsplit("\n", 2)
    assert "raise ValueError" in source
    assert "value=1.0" in cost
    assert number == "26"
    assert any("Handles empty input" in question for question in questions)


@pytest.mark.slow
async def test_a_project_is_repaired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "shop.py": "def half(number: int) -> int:\n    return number // 3\n",
        "test_shop.py": "from shop import half\n\n\ndef test_half():\n    assert half(8) == 4\n",
    }
    root = write_project(tmp_path / "project", files)
    monkeypatch.chdir(root)
    monkeypatch.setenv("CERTO_INTERPRETER", str(bare_python()))
    await loaded("repair_a_project.py", Answers([]))["main"]("test_shop.py::test_half")
    shown = capsys.readouterr().out
    assert f"applied to {root / 'shop.py'}" in shown
    assert "number // 3" not in (root / "shop.py").read_text(encoding="utf-8")
    assert "small changes" in shown


async def test_a_call_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    """It is asked until the greeting is short enough, and until the program runs."""
    greetings = ["Hello, dear Ada, how are you?", "Good morning to you, Ada!", "Hi, Ada!", "Hello, Ada!"]
    scope = loaded("ask_until_right.py", Answers([reply(text) for text in greetings]))
    assert await scope["greet"]() == "Hi, Ada!"
    assert "└─ SampleNode(id: 4, stats: 1/1, score: " in capsys.readouterr().out
    programs = [f"```python\nprint({words})\n```" for words in ("prime(10)", "[2, 3, 5, 7, 11, 13, 17, 19, 23, 29]")]
    scope["MODEL"].answers = [reply(text) for text in programs]
    async with make_runtime():
        assert await scope["write"]() == programs[1]
    assert capsys.readouterr().out == "CodeSuccess [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]\n\n"
