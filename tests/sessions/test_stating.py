"""What is stated as a problem: the examples of a hole, in whatever form its docstring has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.edits.target import ByName
from certo.sessions.request import Request
from certo.sessions.stating import find_world, state, take_aim
from certo.vocabulary.example import Example
from certo.vocabulary.guidance import Guidance
from certo.vocabulary.verdict import Ruling
from support.bare import bare_environ
from support.projects import write_project

GIVEN = Example(id="example 1", source="half(2)\n", expected="1\n", equals=True)


@pytest.mark.parametrize(("body", "written"), [("...", ["half(4) == 2"]), ("return 3", [])])
async def test_examples_that_a_stub_writes_out_count_as_if_they_were_given(
    body: str, written: list[str], tmp_path: Path
) -> None:
    root = write_project(tmp_path, {"half.py": f'def half(n):\n    """Halve: half(4) -> 2"""\n    {body}\n'})
    document = root / "half.py"
    request = Request(
        document=document,
        text=document.read_text(encoding="utf-8"),
        place=ByName("half"),
        guidance=Guidance(examples=(GIVEN,)),
    )
    aim = take_aim(request, bare_environ())
    problem = await state(aim, await find_world(aim, bare_environ()), lambda _: None)
    assert [one.sentence for one in problem.guidance.examples] == ["half(2) == 1", *written]
    assert [test.id for test in problem.baseline.tests] == [one.id for one in problem.guidance.examples]
    assert {test.ruling for test in problem.baseline.tests} == {Ruling.FAILED}
    again = Request(document=document, text=request.text, place=request.place, guidance=problem.guidance)
    stated = await state(take_aim(again, bare_environ()), await find_world(aim, bare_environ()), lambda _: None)
    assert stated.guidance == problem.guidance, "said once more in a retry, they are counted once"
