"""A candidate is one function of the wanted signature and nothing else."""

from __future__ import annotations

import pytest

from certo.verification.static.code_shape import Face, IsFunction, face_of, function_objections
from certo.vocabulary.verdict import Ruling
from support.search.rewrites import problem_about, with_target

pytestmark = pytest.mark.acceptance(17)

FACE = Face(name="area", parameters=("width", "height"), returns="float")


@pytest.mark.parametrize(
    "source",
    [
        "def area(width, height) -> float: return width * height",
        "async def area(width: int, height: int = 2) -> float: return width * height",
        '"""Areas."""\nimport math\nfrom sys import path\ndef area(width, /, *, height) -> "float": ...',
    ],
)
def test_a_matching_function_passes(source: str) -> None:
    assert function_objections(source, FACE) == ()


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ("area = lambda width, height: 1.0", ["there is no function; write one function area"]),
        ("def size(width, height) -> float: ...", ["the function is called size; call it area"]),
        (
            "def area(height, width) -> float: ...",
            ["the parameters are (height, width); make them (width, height), in this order"],
        ),
        (
            "def area(width, height, *more) -> float: ...",
            ["the parameters are (width, height, *more); make them (width, height), in this order"],
        ),
        ("def area(width, height): ...", ["the return annotation is missing; make it float"]),
        ("def area(width, height) -> int: ...", ["the return annotation is int; make it float"]),
        (
            "def area(width, height) -> float: ...\ndef more(): ...",
            ["there is a second function, more; write one function area"],
        ),
        (
            "x = 1\ndef area(width, height) -> float: ...\nclass A: ...\narea(1, 2)",
            ["there is more than the function area; only imports may stand beside it"] * 3,
        ),
    ],
)
def test_objections_say_how_to_fix_it(source: str, messages: list[str]) -> None:
    assert [finding.message for finding in function_objections(source, FACE)] == messages


def test_unspecified_parts_are_not_checked() -> None:
    assert function_objections("def area(anything): ...", Face(name="area")) == ()
    assert face_of("async def f(a, *b, c, **d) -> list[int]: ...") == Face(
        name="f", parameters=("a", "*b", "c", "**d"), returns="list[int]"
    )


async def test_the_targets_own_signature_is_the_default() -> None:
    problem = problem_about("def f(a: int, b: int) -> int:\n    return a\n", "f")
    verifier = IsFunction()
    good = await verifier.judge(with_target(problem, "def f(a, b) -> int:\n    return b"), problem)
    bad = await verifier.judge(with_target(problem, "def f(b, a) -> int:\n    return b"), problem)
    broken = await verifier.judge(with_target(problem, "def f(b, a) -> int"), problem)
    assert (verifier.name, good.ruling) == ("is-function", Ruling.PASSED)
    assert (bad.ruling, bad.findings[0].line) == (Ruling.FAILED, 1)
    assert "does not parse" in broken.findings[0].message
