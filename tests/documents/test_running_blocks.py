"""The blocks that are marked `run` do, in a copy of the demo project.

Python ends without an exception. Commands succeed, or end with the code that a comment `# exit code 1` names; in a
block of `console` they also print what is shown, where `…` stands for anything. The blocks of a page run one after the
other in one copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path

import pytest

from support.documents.command_lines import typed
from support.documents.pages import Fence, Page, pages
from support.projects.demo_project import copy_demo_project, is_as_shown, run_line, shown_commands

PAGES = [page for page in pages() if " run\n" in page.text and any(fence.held == "run" for fence in page.fences)]


@pytest.mark.usual_cases("docs/how-to/repair-a-failing-test.md")
@pytest.mark.parametrize("page", PAGES, ids=str)
def test_what_is_to_run_does(page: Page, tmp_path: Path) -> None:
    run_blocks(page.fences, tmp_path)


def run_blocks(fences: Iterable[Fence], parent: Path) -> None:
    """Run the blocks that are to run, each with what those before it left in the project."""
    project = copy_demo_project(parent)
    for fence in (fence for fence in fences if fence.held == "run"):
        if fence.language == "python":
            program = parent / "program.py"
            program.write_text(fence.text, encoding="utf-8")
            run(f"PYTHONPATH=. python {program}", project)
        elif fence.language == "sh":
            for line in typed(fence.text):
                run(line, project)
        else:
            for shown in shown_commands(fence.text):
                printed = run(shown.command, project)
                assert is_as_shown(shown.output, printed), f"$ {shown.command}\n{printed}"


def run(line: str, project: Path) -> str:
    """Run a line, hold its exit code against the one in the comment at its end, and return what it printed."""
    code, printed = run_line(line, project)
    named = re.search(r"# .*exit code (\d+)", line)
    assert code == (int(named[1]) if named else 0), f"$ {line}\n{printed}"
    return printed


@pytest.mark.parametrize(
    ("language", "text", "works"),
    [
        ("python", "from till.coins import change\nassert change(0) == []\n", True),
        ("python", "from till.coins import no_such_name\n", False),
        ("sh", "certo --version\ncerto generate till/none.py::none  # ends with exit code 2\n", True),
        ("sh", "certo generate till/none.py::none\n", False),
        ("console", "$ certo --version\ncerto …\n", True),
        ("console", "$ certo --version\nanother\n", False),
    ],
    ids=["python", "python fails", "exit code", "another exit code", "output", "other output"],
)
def test_blocks_that_fail_are_found(language: str, text: str, works: bool, tmp_path: Path) -> None:
    fences = [Fence(language, "run", text, 1), Fence("sh", "shown", "certo no-such-command", 2)]
    with nullcontext() if works else pytest.raises(AssertionError):
        run_blocks(fences, tmp_path)


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
