"""What is stated as a problem: the examples of a hole, in whatever form its docstring has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.edits.target import ByName
from certo.sessions.assembly.problem_statement import find_execution_context, resolve_request, state_problem
from certo.sessions.assembly.request import Request
from certo.vocabulary.guidance import Example, Guidance
from certo.vocabulary.verdict import Ruling
from support.projects.bare_environment import bare_environ
from support.projects.projects import write_project
from support.projects.repositories import begin

GIVEN = Example(id="example 1", source="half(2)\n", expected="1\n", equals=True)


@pytest.mark.parametrize(("body", "written"), [("...", ["half(4) == 2"]), ("return 3", [])])
async def test_written_examples_of_a_stub_count(body: str, written: list[str], tmp_path: Path) -> None:
    """Examples that a stub writes out count as if they were given."""
    root = write_project(tmp_path, {"half.py": f'def half(n):\n    """Halve: half(4) -> 2"""\n    {body}\n'})
    document = root / "half.py"
    request = Request(
        document=document,
        text=document.read_text(encoding="utf-8"),
        place=ByName("half"),
        guidance=Guidance(examples=(GIVEN,)),
    )
    aim = resolve_request(request, bare_environ())
    problem = await state_problem(aim, await find_execution_context(aim, bare_environ()), lambda _: None)
    assert [one.sentence for one in problem.guidance.examples] == ["half(2) == 1", *written]
    assert [test.id for test in problem.baseline.tests] == [one.id for one in problem.guidance.examples]
    assert {test.ruling for test in problem.baseline.tests} == {Ruling.FAILED}
    again = Request(document=document, text=request.text, place=request.place, guidance=problem.guidance)
    stated = await state_problem(
        resolve_request(again, bare_environ()), await find_execution_context(aim, bare_environ()), lambda _: None
    )
    assert stated.guidance == problem.guidance, "said once more in a retry, they are counted once"


NEEDS = """\
import json

from _version import version
from half import half


def test_half():
    assert half(json.load(open("needed.json"))) == 2, version
"""


async def test_ignored_files_are_hidden_unless_needed(tmp_path: Path) -> None:
    """Code that git ignores stays, and so does the document, whatever file it is."""
    begin(tmp_path)
    files = {"half.py": "def half(n):\n    return n\n", "test_half.py": NEEDS, "_version.py": "version = '1'\n"}
    files |= {".gitignore": "*.json\n_version.py\nbuild/\nhalf.py\n", "local.json": "3", "needed.json": "4"}
    root = write_project(tmp_path, {**files, "build/lib/half.so": "", "build/log.txt": "", ".env": "KEY=1"})
    request = Request(document=root / "half.py", text=files["half.py"], place=ByName("half"))
    aim = resolve_request(request, bare_environ())
    problem = await state_problem(aim, await find_execution_context(aim, bare_environ()), lambda _: None)
    [test] = problem.baseline.tests
    assert test.message.startswith("1, assert 4 == 2")
    assert problem.baseline_run.hidden == ("build/log.txt", "local.json")
    assert [said for said in problem.baseline.problems if "run" in said] == [
        "the tests need needed.json, so runs can read it",
        "hidden from runs because it looks like a secret: .env",
        "hidden from runs because git ignores it: build/log.txt, local.json",
    ]
