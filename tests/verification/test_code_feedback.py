"""Feedback for a model about its code, with a tip, within the limit of characters."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.verification.code_evaluation import CodeError, CodeOutcome, Evaluation, RanTest
from certo.verification.code_feedback import MAX_LENGTH, code_feedback, cut, error_feedback, tip

pytestmark = pytest.mark.acceptance(97, 98)

CODE = "def total(values):\n    return sm(values)\n\nprint(total([1]))\n"


def told(outcome: CodeOutcome, **more: object) -> str:
    return code_feedback(Evaluation(code=CODE, outcome=outcome, **more))


def test_each_outcome_has_words_of_its_own() -> None:
    error = CodeError(kind="SyntaxError", words="'(' was never closed", lines=(2,))
    assert told(CodeOutcome.EMPTY).startswith("**Error Detected**: No Python code found. Always enclose Python code in")
    assert told(CodeOutcome.FAILED_PARSE, error=error) == (
        "**Parsing Error Detected:** SyntaxError: '(' was never closed\n\n"
        "**Lines that caused the error:**\n- line 2: `return sm(values)`\n\n"
        "**Tip:** find the bracket that is open there and close it."
    )
    late = CodeError(kind="TimeoutError", words="the run was killed: it used 1.0 s of processor time, in test_b")
    assert told(CodeOutcome.FAILED_TIMEOUT, error=late) == (
        "**Error Detected**: Evaluation timed out. Look for loops that never end, and for work that grows too fast: "
        "the run was killed: it used 1.0 s of processor time, in test_b."
    )
    assert told(CodeOutcome.SUCCESS).startswith("Execution has been successful (no errors detected). Consider adding")


def test_errors_have_lines_and_output() -> None:
    error = CodeError(kind="NameError", words="name 'sm' is not defined", lines=(4, 2), name="sm")
    assert told(CodeOutcome.FAILED_EVAL, error=error, stdout="so far\n") == (
        "**Error Detected:**\nNameError: name 'sm' is not defined\n\n"
        "**Lines that caused the error:**\n- line 4: `print(total([1]))`\n- line 2: `return sm(values)`\n\n"
        "**Tip:** nothing is called `sm` there; perhaps `sum` is meant.\n\n"
        "**Output Captured:**\nso far"
    )


def test_the_final_value_counts_as_output() -> None:
    assert told(CodeOutcome.SUCCESS, stdout="one\n", output="[2]").endswith("**Output Captured:**\none\n[2]")


def test_failed_tests_are_listed_with_one_tip() -> None:
    wrong = CodeError(kind="AssertionError", words="the left side is 1 and the right side is 2", lines=(2,))
    tests = (
        RanTest(name="test_a", how="passed"),
        RanTest(name="test_b", how="failed", error=wrong),
        RanTest(name="test_c", how="failed", error=wrong),
    )
    said = told(CodeOutcome.FAILED_EVAL, tests=tests)
    assert "Of 3 tests 1 passed, 2 failed, and 0 had an error." in said
    one = "`{}` at line 2, `return sm(values)`: AssertionError: the left side is 1 and the right side is 2"
    assert [one.format(name) in said for name in ("test_b", "test_c")] == [True, True]
    assert said.count("**Tip:**") == 1
    assert told(CodeOutcome.SUCCESS, tests=tests[:1]).endswith("1 tests passed.")


def test_what_was_left_out_is_told() -> None:
    said = told(CodeOutcome.SUCCESS, notes=("Warning: `!pip install x` was left out.",), stdout="1")
    assert "Warning: `!pip install x` was left out.\n\n**Output Captured:**\n1" in said


@given(
    words=st.text(st.characters(), max_size=800),
    stdout=st.text(st.characters(), max_size=800),
    length=st.integers(0, 700),
    outcome=st.sampled_from(CodeOutcome),
    tests=st.booleans(),
)
def test_feedback_never_exceeds_its_limit(
    words: str, stdout: str, length: int, outcome: CodeOutcome, *, tests: bool
) -> None:
    error = CodeError(kind="NameError", words=words, lines=(1, 2, 99, -1), name=words[:3])
    ran = (RanTest(name="test_x", how="error", error=error),) if tests else ()
    evaluation = Evaluation(code=CODE, outcome=outcome, error=None if tests else error, stdout=stdout, tests=ran)
    assert len(code_feedback(evaluation, max_length=length)) <= length
    assert len(error_feedback(error, CODE, max_length=length)) <= length
    assert len(code_feedback(evaluation)) <= MAX_LENGTH


@given(st.text(), st.integers(-3, 20))
def test_a_cut_text_begins_as_it_did(text: str, length: int) -> None:
    assert len(cut(text, length)) <= max(0, length)
    assert text.startswith(cut(text, length).removesuffix("…"))


@pytest.mark.parametrize(
    ("kind", "words", "name", "said"),
    [
        ("NameError", "name 'math' is not defined", "math", "`math` is a module; write `import math` first"),
        ("NameError", "name 'sqrt' is not defined", "", "write `from math import sqrt` first"),
        ("NameError", "name 'totl' is not defined", "totl", "perhaps `total` is meant"),
        ("NameError", "name 'zzz' is not defined", "zzz", "define it before it is used, or do without it"),
        ("UnboundLocalError", "cannot access local variable 'x' where", "", "x is assigned in that function"),
        ("ModuleNotFoundError", "No module named 'numpy.linalg'", "numpy.linalg", "numpy is not there and cannot be"),
        ("ImportError", "cannot import name 'sqr' from 'math' (built-in)", "math", "the module has no sqr"),
        ("SyntaxError", "unterminated string literal (detected at line 1)", "", "find the quotes"),
        ("SyntaxError", "expected ':'", "", "ends with a colon"),
        ("SyntaxError", "invalid syntax", "", "look at that line and at the one before it"),
        ("IndentationError", "unexpected indent", "", "by four spaces"),
        ("TypeError", "f() missing 1 required positional argument: 'x'", "", "all arguments that have no default"),
        ("TypeError", "f() takes 1 positional argument but 2 were given", "", "`self` included"),
        ("TypeError", "unsupported operand type(s) for +: 'int' and 'str'", "", "convert one of them"),
        ("TypeError", "unsupported operand type(s) for +: 'int' and 'NoneType'", "", "something is None there"),
        ("TypeError", "something of its own", "", "look at the types"),
        ("AssertionError", "", "", "work out by hand what the code gives there"),
    ],
)
def test_each_kind_of_error_has_its_tip(kind: str, words: str, name: str, said: str) -> None:
    assert re.match(r"\*\*Tip:\*\* .*[^.]\.$", tip(CodeError(kind=kind, words=words, name=name), CODE))
    assert said in tip(CodeError(kind=kind, words=words, name=name), CODE)


def test_what_says_enough_itself_has_no_tip() -> None:
    assert tip(CodeError(kind="ZeroDivisionError", words="division by zero"), CODE) == ""
    assert tip(CodeError(kind="NameError"), "def (") == ""
    assert tip(CodeError(kind="ImportError"), "") != ""
