"""Each fenced block says after its language how it is held, and is held that way.

`run`: it runs in a copy of the demo project. Python may ask a language model, which answers from `ANSWERS`; commands
have to succeed, or end with the code that a comment `# exit code 1` names; in a block of `console` they also print what
is shown, where `…` stands for anything. The blocks of a page run one after the other in one copy.
`settings`: the settings accept it, TOML as a project's file and JSON as an editor's.
A path in the project: the block is a part of that file, which has tests of its own.
`shown`: it is there to be read; commands in it are held by test_commands.py.
protocol.md has further words, which the tests of `tests/protocol` and `tests/e2e/test_worked_sessions.py` hold.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest

from certo.settings.loading import load_settings
from support.command import environment
from support.command_lines import typed
from support.demo_project import copy_demo_project, is_as_shown, run_line, shown_commands, write_script
from support.pages import ROOT, Fence, Page, pages
from support.wire_models import wire_models

ANSWERS: Mapping[str, Sequence[str]] = {}
"""What the language model answers to the Python of a page."""

MODEL = re.compile(r'"(?:openai|anthropic|ollama|gemini):[^"]+"')
"""A language model as the documents name one."""

RUNNABLE = ("python", "sh", "console")
PAGES = pages()
RUN = [page for page in PAGES if any(fence.held == "run" for fence in page.fences)]
SETTINGS = [
    pytest.param(fence, id=f"{page}:{fence.line}")
    for page in PAGES
    for fence in page.fences
    if fence.held == "settings"
]


def problem(page: Page, fence: Fence) -> str:
    """Return what is wrong with the word that says how a block is held; "" if nothing is."""
    match fence.language, fence.held:
        case "", _:
            return "it names no language"
        case language, "run":
            return "" if language in RUNNABLE else f"{language} cannot be run"
        case language, "settings":
            return "" if language in ("toml", "json") else f"settings are not written in {language}"
        case _, "shown":
            return ""
        case ("json", word) if page.path == "protocol.md":
            return "" if word in wire_models() else "no model has this name"
        case ("session", "") | ("python", "till.py") if page.path == "protocol.md":
            return ""
        case _, path if path and (ROOT / path).is_file():
            text = (ROOT / path).read_text(encoding="utf-8")
            return "" if is_part(fence.text, text) else f"it is not in {path}"
    return f"no word says how it is held: {fence.held!r}"


def is_part(part: str, whole: str) -> bool:
    """True if the lines stand in the text one after the other, whatever they are indented by."""
    inner, outer = ("\n".join(line.strip() for line in text.strip().splitlines()) for text in (part, whole))
    return f"\n{inner}\n" in f"\n{outer}\n"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_each_block_says_how_it_is_held(page: Page) -> None:
    assert [f"line {fence.line}: {wrong}" for fence in page.fences if (wrong := problem(page, fence))] == []


@pytest.mark.parametrize("fence", SETTINGS)
def test_settings_that_are_shown_are_accepted(fence: Fence, tmp_path: Path) -> None:
    if fence.language == "json":
        load_settings(tmp_path, client=json.loads(fence.text), environ={}, flags=None)
        return
    in_pyproject = "tool" in tomllib.loads(fence.text)
    (tmp_path / ("pyproject.toml" if in_pyproject else "certo.toml")).write_text(fence.text, encoding="utf-8")
    load_settings(tmp_path, client=None, environ={}, flags=None)


@pytest.mark.parametrize("page", RUN, ids=str)
def test_what_is_to_run_does(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_blocks(page.fences, ANSWERS.get(page.path, ("",)), tmp_path, monkeypatch)


def run_blocks(fences: Iterable[Fence], answers: Sequence[str], parent: Path, patch: pytest.MonkeyPatch) -> None:
    """Run the blocks that are to run, each with what those before it left in the project."""
    project = copy_demo_project(parent)
    for fence in (fence for fence in fences if fence.held == "run"):
        if fence.language == "python":
            run_python(fence, answers, project, patch)
        elif fence.language == "sh":
            for line in typed(fence.text):
                code, printed = run_line(line, project)
                assert code == expected_code(line), printed
        else:
            for shown in shown_commands(fence.text):
                code, printed = run_line(shown.command, project)
                assert is_as_shown(shown.output, printed), f"$ {shown.command}\n{printed}"
                assert code == expected_code(shown.command), printed


def run_python(fence: Fence, answers: Sequence[str], project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a block as a program, with a scripted model in the place of each that it names."""
    program = MODEL.sub(repr(write_script(answers, project.parent)), fence.text)
    with monkeypatch.context() as patch:
        for name, value in environment(project.parent).items():
            patch.setenv(name, value)
        patch.chdir(project)
        patch.syspath_prepend(str(project))
        exec(compile(program, f"line {fence.line}", "exec"), {"__name__": "__main__"})


def expected_code(line: str) -> int:
    """The exit code that the comment at the end of a command names, or 0."""
    named = re.search(r"# .*exit code (\d+)", line)
    return int(named[1]) if named else 0


@pytest.mark.parametrize(
    ("language", "held", "text", "wrong"),
    [
        ("python", "", "x = 1\n", "no word says"),
        ("", "", "x\n", "names no language"),
        ("lua", "run", "x\n", "cannot be run"),
        ("yaml", "settings", "x: 1\n", "not written in"),
        ("json", "NoSuchModel", "{}\n", "no word says"),
        ("python", "server/certo/cli/example/till/coins.py", "x = 1\n", "it is not in"),
        ("python", "server/certo/cli/example/till/coins.py", "def change(due: int) -> list[int]:\n", ""),
        ("text", "shown", "x\n", ""),
    ],
    ids=["no word", "no language", "not runnable", "no settings", "not on this page", "not in it", "a part", "shown"],
)
def test_a_word_that_holds_nothing_is_found(language: str, held: str, text: str, wrong: str) -> None:
    found = problem(Page("docs/index.md"), Fence(language, held, text, 1))
    assert wrong in found
    assert bool(found) is bool(wrong)


@pytest.mark.parametrize(
    ("language", "text", "works"),
    [
        ("python", "from till.coins import change\nassert change(0) == []\n", True),
        ("python", 'import anyio\nfrom certo import LLM\nanyio.run(LLM("openai:gpt-5-mini"), "How many?")\n', True),
        ("python", "from till.coins import no_such_name\n", False),
        ("sh", "certo --version\ncerto generate till/none.py::none  # ends with exit code 2\n", True),
        ("sh", "certo generate till/none.py::none\n", False),
        ("console", "$ certo --version\ncerto …\n", True),
        ("console", "$ certo --version\nanother\n", False),
    ],
    ids=["python", "a model", "python fails", "exit code", "another exit code", "output", "other output"],
)
def test_a_block_that_does_not_run_is_found(
    language: str, text: str, works: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fences = [Fence(language, "run", text, 1), Fence("sh", "shown", "certo no-such-command", 2)]
    with nullcontext() if works else pytest.raises((AssertionError, ImportError)):
        run_blocks(fences, ("three",), tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("searched 0.12 s\n", "searched 7.90 s\n", True),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("#1  … passed", "#1 swap two passed\n", True),
        ("2 passed\n", "3 passed\n", False),
        ("a\n", "a\nb\n", False),
    ],
    ids=["times", "lines left out", "words left out", "another number", "more lines"],
)
def test_shown_output_is_compared(shown: str, printed: str, same: bool) -> None:
    assert is_as_shown(shown, printed) is same
