"""Code from an answer becomes an edit of the target alone, under its own head, with what it needs inside."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.patch import apply_edits
from certo.edits.target import functions
from certo.generation.model.code_extraction import Extracted
from certo.generation.model.code_placement import Placement, place_code, sketch
from certo.vocabulary.problem import Goal, Problem
from support.models.model_generator import problem_of

SHOP = '''\
import math
from decimal import Decimal

RATE = 2


class Till:
    """A till."""

    @staticmethod
    def total(prices: list[int], *, rate: int = 1) -> int:
        """Add up.

        >>> Till.total([1])
        1
        """
        # TODO: write it
        ...

    def after(self):
        return RATE
'''


def text_with(problem: Problem, code: str, imports: str = "") -> str:
    """Return the problem's text with the code in place; every edit lies within the target."""
    answer = place_code(Extracted(code=code, imports=imports), problem)
    assert isinstance(answer, Placement), answer
    assert all(problem.target.span.contains(edit.span) for edit in answer.edits)
    return apply_edits(problem.text, answer.edits)


def till() -> Problem:
    return problem_of(SHOP, "Till.total", goal=Goal.IMPLEMENT)


TODO = "        # TODO: write it\n        ...\n"
DONE = SHOP.replace(TODO, "        return sum(prices) * rate\n")


@pytest.mark.parametrize(
    "code",
    [
        "def total(prices, *, rate=1):\n    return sum(prices) * rate",
        "def total(prices: list[int], *, rate: int = 1) -> int:\n  '''Other words.'''\n  return sum(prices) * rate",
        "    @staticmethod\n    def total(prices, *, rate=1):\n        return sum(prices) * rate",
        "class Till:\n    @staticmethod\n    def total(prices, *, rate=1):\n        return sum(prices) * rate",
        "return sum(prices) * rate",
        "        return sum(prices) * rate",
        "def total(prices, *, rate=1): return sum(prices) * rate",
        SHOP.replace("# TODO: write it\n        ...", "return sum(prices) * rate").replace("RATE = 2", "RATE = 3"),
    ],
)
def test_head_docstring_and_surroundings_stay(code):
    assert text_with(till(), code) == DONE


def test_body_keeps_comments_and_blank_lines():
    body = (
        "    # First of all.\n    text = '''a\n  b\n'''\n\n"
        "    if text:\n        return 1\n    return f'''{\n    2}\n'''"
    )
    made = text_with(till(), f"def total(prices, *, rate=1):\n{body}")
    assert "        # First of all.\n        text = '''a\n  b\n'''\n\n        if text:\n            return 1\n" in made
    function = ast.parse(made).body[3].body[1]
    assert ast.dump(ast.Module(function.body[1:], [])) == ast.dump(
        ast.Module(ast.parse(f"def f():\n{body}").body[0].body, [])
    )


def test_only_needed_imports_and_definitions_are_moved():
    code = (
        "from __future__ import annotations\nimport math\nimport os\nfrom functools import reduce, partial\n"
        "LIMIT = 3\n\ndef add(a, b):\n    return a + b + LIMIT\n\ndef unused():\n    pass\n\n"
        "def total(prices, *, rate=1):\n    return reduce(add, prices) + RATE + math.pi\n"
    )
    made = text_with(till(), code)
    assert made == SHOP.replace(
        TODO,
        "        from functools import reduce\n        LIMIT = 3\n"
        "        def add(a, b):\n            return a + b + LIMIT\n"
        "        return reduce(add, prices) + RATE + math.pi\n",
    )


def test_definitions_bring_their_own_dependencies():
    """Wherever these stand; the head of the function brings nothing."""
    code = (
        "from typing import List\nimport re\nimport heapq\n\ndef one(x):\n    return two(x)\n\n"
        "def total(prices: List[int], *, rate=1) -> List[int]:\n    return one(prices)\n\n"
        "PATTERN = re.compile('x')\n\ndef two(x):\n    return PATTERN.match(x)\n"
    )
    made = text_with(till(), code)
    body = "import re|def one(x):|    return two(x)|PATTERN = re.compile('x')|def two(x):|    return PATTERN.match(x)"
    lines = [*body.split("|"), "return one(prices)"]
    assert made == SHOP.replace(TODO, "".join(f"        {line}\n" for line in lines))


def test_missing_imports_of_other_blocks_are_added():
    code = "def total(prices, *, rate=1):\n    return math.fsum(prices) + heapq.nlargest(1, prices)"
    made = text_with(till(), code, "import math\nimport heapq")
    assert "        import heapq\n        return math.fsum" in made
    assert made.count("import math") == 1


def test_another_signature_is_left_to_its_verifier():
    made = text_with(till(), "def total(prices, rate):\n    return 1")
    assert "    @staticmethod\n    def total(prices, rate):\n        return 1\n\n    def after" in made


def test_unparsable_code_goes_to_its_place():
    made = text_with(till(), "import os\n\ndef total(prices, *, rate=1):\n    return (prices\n\nx = 1")
    assert "    @staticmethod\n    def total(prices, *, rate=1):\n        return (prices\n\n    def after" in made


def test_an_instruction_may_change_the_docstring():
    text = 'def f():\n    """Old."""\n    return 1\n'
    code = 'def f():\n    """New."""\n    return 1\n'
    assert text_with(problem_of(text, goal=Goal.REWRITE, instruction="say new"), code) == code
    assert text_with(problem_of(text), code) == text


def test_property_and_setter_are_told_apart():
    text = (
        "class A:\n    @property\n    def f(self):\n        return 1\n\n"
        "    @f.setter\n    def f(self, value):\n        self.x = 1\n"
    )
    both = text.replace("= 1", "= 2").replace("return 1", "return 2")
    getter = problem_of(text, "A.f")
    assert text_with(getter, both) == text.replace("return 1", "return 2")
    setter = replace(getter, target=functions(text)[1])
    assert text_with(setter, both) == text.replace("self.x = 1", "self.x = 2")


@pytest.mark.parametrize("text", ["def f(x): return 1\n", "def f(x): ...  # still to do\n", "def f(x):\n\treturn 1\n"])
def test_other_layouts_keep_to_their_margin(text):
    margin = "\t" if "\t" in text else "    "
    made = text_with(problem_of(text), "def f(x):\n    return 2")
    assert made.splitlines()[-1].startswith(f"{margin}return 2")
    ast.parse(made)


def test_line_breaks_are_those_of_the_file():
    text = "def f(x):\r\n    return 1\r\n"
    assert text_with(problem_of(text), "def f(x):\n    y = 2\n    return y") == (
        "def f(x):\r\n    y = 2\r\n    return y\r\n"
    )


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def g(x):\n    return 1", "no function named `f`"),
        ("class A:\n    pass", "no function named `f`"),
        ("x = (", "no Python"),
        ("'a remark'", "nothing in it that could stand"),
    ],
)
def test_unusable_code_is_explained_to_the_model(code, words):
    answer = place_code(Extracted(code=code), problem_of("def f(x):\n    return 1\n"))
    assert isinstance(answer, str)
    assert words in answer


def test_sketch_shows_complete_lines():
    problem = problem_of("def f(x):\n    return 1\n")
    edits = sketch(Extracted(code="def f(x):\n    y = 2\n    return (y +", whole=False), problem)
    assert apply_edits(problem.text, edits) == "def f(x):\n    y = 2\n"


STATEMENTS = st.lists(
    st.sampled_from(
        [
            "y = 1",
            "return x",
            "# why",
            "",
            "if x:\n    return 2",
            's = """a\nb\n  c"""',
            "for _ in x:\n\n    pass",
            "pass",
        ]
    ),
    min_size=1,
    max_size=6,
)


@given(STATEMENTS, st.sampled_from(["", "    ", "\t"]), st.sampled_from(["  ", "    ", "\t"]))
def test_body_means_the_same_wherever_placed(parts, margin, unit):
    lines = "\n".join([*parts, "return 0"]).split("\n")
    inside = False
    body = []
    for line in lines:
        body.append(line if inside or not line else f"{margin}{unit}{line}")
        inside ^= line.count('"""') == 1
    code = f"{margin}def f(x):\n" + "\n".join(body)
    made = text_with(problem_of("class A:\n    def f(x):\n        return 1\n", "A.f"), code)
    frame = f"if 1:\n{code}" if margin else code
    [wanted] = [node for node in ast.walk(ast.parse(frame)) if isinstance(node, ast.FunctionDef)]
    [got] = [node for node in ast.walk(ast.parse(made)) if isinstance(node, ast.FunctionDef)]
    assert ast.dump(ast.Module(got.body, [])) == ast.dump(ast.Module(wanted.body, []))


@given(st.text(alphabet="def f(x):\n return1@=\"'#import ", max_size=120), st.booleans())
def test_nothing_outside_the_target_changes(code, whole):
    problem = problem_of("X = 1\n\n\ndef f(x):\n    return 1\n\n\nY = 2\n")
    answer = place_code(Extracted(code=f"def f(x):\n{code}" if whole else code), problem)
    if isinstance(answer, Placement):
        made = apply_edits(problem.text, answer.edits)
        assert made.startswith("X = 1\n\n\n")
        assert made.endswith("\n\n\nY = 2\n")


@pytest.mark.parametrize("default", [f"{'-' * 2500}1", f"1{'+1' * 2500}", f"0x{'f' * 20_000}"])
def test_default_that_cannot_be_unparsed_is_accepted(default: str) -> None:
    problem = problem_of("def f(x=1):\n    ...\n", goal=Goal.IMPLEMENT)
    answer = place_code(Extracted(code=f"def f(x={default}):\n    return x\n"), problem)
    # What this Python can read no tree of goes on as text, and the verifier of syntax says what is wrong with it.
    assert isinstance(answer, Placement) or answer == "it is too deeply nested to be read"
