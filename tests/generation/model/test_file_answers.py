"""Answers that change several files: told apart by the paths they name, put in by name, and refused with a reason."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.generation.generator import Ask, Attempt, Declined, Proposal
from certo.generation.model.file_answers import merged_file, parted
from certo.search.proposals import candidate_of
from certo.vocabulary.candidate import Origin
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Report, Ruling, Verdict
from support.models.model_generator import block, generator, problem_of, proposed, text_of
from support.models.scripted_answers import Answers, reply
from support.projects.projects import write_project
from support.projects.two_modules import FILES, PRICES, PRICES_DONE, TILL, TILL_DONE, TOTAL

pytestmark = pytest.mark.acceptance(130)

FENCE = "```"


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    root = write_project(tmp_path, FILES)
    stated = problem_of(TILL, "total", root=root, path="shop/till.py")
    return replace(stated, others=frozenset({"shop/__init__.py", "shop/prices.py"}))


def failed_with(problem: Problem, proposal: Proposal) -> Attempt:
    """A proposal as an attempt that failed its tests."""
    candidate = candidate_of(proposal, problem, Origin(generator="model"), None)
    verdict = Verdict(verifier="tests", ruling=Ruling.FAILED, findings=(Finding(message="no"),))
    return Attempt(candidate=candidate, report=Report(candidate_id=candidate.id, verdicts=(verdict,)))


def headed(path: str, code: str, form: str = "`{}`:\n\n") -> str:
    return form.format(path) + f"{FENCE}python\n{code.rstrip()}\n{FENCE}\n\n"


@pytest.mark.parametrize(
    "form",
    ["`{}`\n", "### {}\n\n", "**{}**:\n", "In ./{} I would change this:\n\n", "File: {}\n"],
)
async def test_block_under_another_path_changes_that_file(problem: Problem, form: str) -> None:
    answer = await proposed(problem, Answers([reply(block(TOTAL) + headed("shop/prices.py", PRICES_DONE, form))]))
    assert text_of(problem, answer) == TILL_DONE
    assert isinstance(answer, Proposal)
    assert answer.elsewhere == {"shop/prices.py": PRICES_DONE}
    assert answer.note.endswith("1 other file")


@pytest.mark.parametrize(
    "answer",
    [
        f"{FENCE}python shop/prices.py\n{PRICES_DONE}{FENCE}\n",
        f'{FENCE}python title="shop/prices.py"\n{PRICES_DONE}{FENCE}\n',
        f"{FENCE}python\n# shop/prices.py\n{PRICES_DONE}{FENCE}\n",
        f"shop\\prices.py\n{FENCE}py\n{PRICES_DONE}{FENCE}\n",
    ],
)
def test_the_path_may_stand_in_other_places(problem: Problem, answer: str) -> None:
    parts = parted(answer, problem)
    assert list(parts.others) == ["shop/prices.py"]
    assert "return round(cents / 1.19)" in parts.others["shop/prices.py"]
    assert "net" not in parts.own
    assert parts.bare


async def test_function_may_stay_unchanged(problem: Problem) -> None:
    answer = await proposed(problem, Answers([reply(headed("shop/prices.py", PRICES_DONE))]))
    assert isinstance(answer, Proposal)
    assert (answer.edits, answer.elsewhere) == ((), {"shop/prices.py": PRICES_DONE})


async def test_own_path_is_not_another_file(problem: Problem) -> None:
    answer = await proposed(problem, Answers([reply(headed("shop/till.py", TOTAL))]))
    assert text_of(problem, answer) == TILL_DONE
    assert isinstance(answer, Proposal)
    assert not answer.elsewhere


async def test_paths_are_ignored_for_single_functions(problem: Problem) -> None:
    answer = await proposed(replace(problem, others=None), Answers([reply(headed("shop/prices.py", TOTAL))]))
    assert text_of(problem, answer) == TILL_DONE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (headed("../outside.py", "X = 1\n"), "../outside.py is no file that may be changed"),
        (headed("/etc/start.py", "X = 1\n"), "/etc/start.py is no file that may be changed"),
        (headed("nowhere/new.py", "X = 1\n"), "nowhere/new.py is no file that may be changed"),
        (headed("shop/test_till.py", "X = 1\n"), "shop/test_till.py is no file that may be changed"),
        (headed("tests/test_till.py", "X = 1\n"), "tests/test_till.py is no file that may be changed"),
        (headed("shop/prices.py", "def net(cents:\n"), "what it has for shop/prices.py is no Python: line 1"),
        (f"`shop/prices.py`\n\n{FENCE}python\n{PRICES_DONE}", "the code for shop/prices.py was cut off"),
    ],
)
async def test_unusable_files_are_explained_and_retried(problem: Problem, text: str, said: str) -> None:
    model = Answers([reply(block(TOTAL) + text), reply(block(TOTAL) + headed("shop/prices.py", PRICES_DONE))])
    answer = await proposed(problem, model)
    assert isinstance(answer, Proposal)
    assert answer.elsewhere == {"shop/prices.py": PRICES_DONE}
    assert said in model.asked[1].messages[-1].text
    refused = await proposed(problem, Answers([reply(block(TOTAL) + text)]))
    assert isinstance(refused, Declined)
    assert said in refused.reason


async def test_prompt_names_changeable_files_when_allowed(problem: Problem) -> None:
    model = Answers([reply(block(TOTAL))])
    await proposed(problem, model)
    await proposed(replace(problem, others=None), model)
    several, one = (prompt.messages[0].text for prompt in model.asked)
    assert "- shop/prices.py" in several
    assert "write the path of its file" in several
    assert "Nothing\nbut this function can be changed" in one
    assert "shop/prices.py" not in one


async def test_earlier_answer_repeats_all_its_files(problem: Problem) -> None:
    model = Answers([reply(block(TOTAL) + headed("shop/prices.py", PRICES_DONE)), reply(block(TOTAL))])
    async with generator(model).open(problem, lambda _: None) as proposer:
        first = await proposer.propose(Ask())
        assert isinstance(first, Proposal)
        await proposer.propose(Ask(attempt=1, past=(failed_with(problem, first),)))
    said = model.asked[1].messages[2].text
    again = parted(said, problem)
    assert again.others == {"shop/prices.py": PRICES_DONE.rstrip("\n")}
    assert TOTAL in again.own


MODULE = '''\
"""Prices."""

from __future__ import annotations

import math

RATE = 1.19  # of today


class Price:
    """What is paid."""

    def __init__(self, cents):
        self.cents = cents  # whole ones

    def net(self):
        return self.cents


# what is left
def net(cents):
    return cents


def gross(cents):
    return math.ceil(cents * RATE)
'''


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("def net(cents):\n    return 0\n", "def net(cents):\n    return cents\n", "def net(cents):\n    return 0\n"),
        ("RATE = 1.07\n", "RATE = 1.19  #", "RATE = 1.07  #"),
        ("import os\n", "import math\n", "import math\nimport os\n"),
        ("import math\n\n\ndef net(cents):\n    return 0\n", "    return cents\n\n\ndef", "    return 0\n\n\ndef"),
        (
            "class Price:\n    def net(self):\n        return 0\n",
            "        return self.cents\n",
            "        return 0\n",
        ),
        (
            "class Price:\n  def rest(self):\n    return '''\n  a'''\n",
            "        return self.cents\n",
            "        return self.cents\n\n    def rest(self):\n      return '''\n  a'''\n",
        ),
        (
            "def added():\n    return 1\n",
            "math.ceil(cents * RATE)\n",
            "math.ceil(cents * RATE)\n\n\ndef added():\n    return 1\n",
        ),
    ],
)
def test_named_definitions_are_replaced_or_added(code: str, old: str, new: str) -> None:
    assert MODULE.count(old) == 1
    assert merged_file(MODULE, code) == MODULE.replace(old, new)


def test_whole_files_and_new_files_are_taken() -> None:
    whole = MODULE.replace("# what is left\n", "").replace("return cents\n", "return 0\n")
    assert merged_file(MODULE, whole) == whole
    assert merged_file(None, "\nX = 1") == merged_file("", "X = 1\n\n") == "X = 1\n"
    assert merged_file(PRICES, PRICES_DONE) == PRICES_DONE


def test_first_imports_follow_the_docstring() -> None:
    assert merged_file('"""Doc."""\n\nX = 1\n', "import os\n") == '"""Doc."""\nimport os\n\nX = 1\n'
    assert merged_file("X = 1\n", "import os\n") == "import os\n\n\nX = 1\n"


NAMES = st.lists(st.sampled_from("abcd"), unique=True)


@given(old=NAMES, new=NAMES.filter(bool), classes=st.sets(st.sampled_from("abcd")))
def test_every_name_is_defined_once_and_last(old: list[str], new: list[str], classes: set[str]) -> None:
    """The last definition of each name is the one that stays."""

    def written(names: list[str], said: int) -> str:
        inside = f"X = {said}", f"return {said}"
        return "\n\n".join(
            f"class {name}:\n    {inside[0]}\n" if name in classes else f"def {name}():\n    {inside[1]}\n"
            for name in names
        )

    merged = ast.parse(merged_file(written(old, 1), written(new, 2)))
    expected = {name: ast.dump(ast.parse(written([name], 2 if name in new else 1)).body[0]) for name in {*old, *new}}
    assert {each.name: ast.dump(each) for each in merged.body} == expected
    assert len(merged.body) == len(expected)
