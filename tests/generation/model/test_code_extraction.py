"""The code in an answer is found, however it was fenced."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.generation.model.code_blocks import blocks, fenced
from certo.generation.model.code_extraction import MAX_CODE, Extracted, extract
from support.models.model_generator import FENCE, block

pytestmark = pytest.mark.acceptance(39)

RIGHT = "def f(x):\n    return x"


def code(answer: str) -> str:
    found = extract(answer, "f")
    assert found is not None
    return found.code


@pytest.mark.parametrize(
    "answer",
    [
        block(RIGHT),
        block(RIGHT, "Python"),
        block(RIGHT, "PY"),
        block(RIGHT, ""),
        block(RIGHT, "python title=mod.py"),
        f"~~~python\n{RIGHT}\n~~~",
        f"````python\n{RIGHT}\n````",
        f"{FENCE}python\n{RIGHT}\n",
        f"{FENCE}python def f(x):\n    return x\n{FENCE}",
        f"{FENCE}\r\ndef f(x):\r\n    return x\r\n{FENCE}\r\n",
        f"{FENCE}markdown\n# Title\n{FENCE}python\n{RIGHT}\n{FENCE}\n{FENCE}\n",
        f"````\n{FENCE}python\n{RIGHT}\n{FENCE}\n````\n",
        f"1. Do this:\n   {FENCE}python\n   def f(x):\n       return x\n   {FENCE}\n2. Done.\n",
        f"> {FENCE}python\n> def f(x):\n>     return x\n> {FENCE}\n",
        f"{FENCE}python\n>>> def f(x):\n...     return x\n{FENCE}",
        f"The code:\n\n{RIGHT}\n\nIt returns x.",
        f"{RIGHT}\n",
    ],
)
def test_surrounding_prose_is_left_out(answer):
    assert code(answer) == RIGHT


def test_a_block_on_one_line_is_found():
    assert code(f"Use {FENCE}def f(x): return x{FENCE} there.") == "def f(x): return x"
    assert code(f"Use {FENCE}python def f(x): return x{FENCE} there.") == "def f(x): return x"


def test_a_fence_in_a_string_ends_nothing():
    text = f'def f(x):\n    """Say it.\n\n{FENCE}\nf(1)\n{FENCE}\n    """\n    return x'
    assert code(f"{FENCE}python\n{text}\n{FENCE}\nand prose") == text


def test_odd_quotes_do_not_swallow_the_end():
    text = 'def f(x):\n    return x  # not a string: """'
    assert code(f"{FENCE}python\n{text}\n{FENCE}\nand prose") == text


def test_last_parsable_block_with_the_function_wins():
    old, broken, other = "def f(x):\n    return x - 1", "def f(x):\n    return (x", "print(f(1))"
    answer = "".join(map(block, (old, RIGHT, broken, other))) + block("pytest", "sh")
    assert code(answer) == RIGHT


def test_largest_block_wins_without_the_function():
    answer = "".join(block(f"x = {'1' * number}") for number in range(1, 11))
    assert code(answer) == "x = 1111111111"


def test_imports_of_another_block_are_kept():
    assert extract(block("import math") + block(RIGHT), "f") == Extracted(code=RIGHT, imports="import math")


def test_unclosed_block_is_not_whole():
    found = extract(f"{FENCE}python\n{RIGHT}", "f")
    assert found is not None
    assert not found.whole


def test_bare_body_counts_if_it_acts():
    assert code("    y = x\n    return y\n") == "    y = x\n    return y"
    assert code(block("return x")) == "return x"


@pytest.mark.parametrize(
    "answer",
    ["", "Sure", "I cannot do that, from what I see.", "import it yourself", block('{"a": 1}', "json"), "...", "`x`"],
)
def test_prose_and_other_languages_are_no_code(answer):
    assert extract(answer, "f") is None


def test_thoughts_of_the_model_are_ignored():
    thoughts = f"<think>\nPerhaps {block('def f(x):  # maybe')}"
    assert code(f"{thoughts}</think>\n\n{block(RIGHT)}") == RIGHT
    assert extract(thoughts, "f") is None


def test_prose_behind_unfenced_code_is_left_out():
    assert code(f"import os\n\n{RIGHT}\n\nThis one works.\nBelieve me.") == f"import os\n\n{RIGHT}"


def test_function_is_found_in_two_megabytes():
    padding = "x = 1\n" * 330_000
    assert code(f"{FENCE}python\n{padding}{RIGHT}\n{FENCE}") == RIGHT
    endless = extract(f"{FENCE}python\n{RIGHT}\n{'    x = 1' * 300_000}", "f")
    assert endless is None or len(endless.code) <= MAX_CODE


@given(st.text(alphabet="`~\n >dpython f():return\"'x", max_size=200))
def test_any_answer_can_be_read(answer):
    found = extract(answer, "f")
    assert found is None or found.code.strip()


@given(st.text(alphabet="`\n ab\"'", max_size=60).filter(lambda text: text.strip() and '"""' not in text))
def test_fenced_code_is_one_block_again(text):
    (found,) = blocks(fenced(text.strip("\n")) + "\n")
    assert found.code == text.strip("\n")
    assert found.closed


@pytest.mark.parametrize(
    "answer",
    [
        f"x {FENCE}{' ' * 1_000_000}",
        f"{FENCE}{' ' * 1_000_000}`\n",
        f"class {'a' * 1_000_000}",
        f"def f(x):\n    return x\na:{' ' * 1_000_000}!",
    ],
)
def test_long_line_of_nonsense_is_scanned_once(answer: str) -> None:
    found = extract(answer, "f")
    assert found is None or "!" not in found.code


def test_language_name_beside_code_is_dropped() -> None:
    assert code(f"Write {FENCE}py def f(x): return x{FENCE} there.") == "def f(x): return x"
    assert code(f"Write {FENCE}python(x){FENCE} there.") == "python(x)"
