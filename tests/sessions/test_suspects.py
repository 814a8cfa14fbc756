"""After each suspect alone come two of them together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from certo.edits.target import ByName, functions
from certo.sessions.assembly.problem_statement import resolve_request
from certo.sessions.assembly.request import Request
from certo.sessions.suspects import in_turn
from certo.verification.dynamic.fault_localization import Located, Suspect
from certo.vocabulary.cost import Spent
from certo.vocabulary.errors import BadRequest
from support.projects.projects import write_project

TEXT = """\
def first():
    def inner():
        return 1
    return inner()


def second():
    return 2


def third():
    return 3


def hole():
    ...


def shown():
    '''Return five.

    >>> shown()
    5
    '''
    return 5
"""
OTHER = "def far():\n    return 4\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path, {"pyproject.toml": "[project]\nname = 'm'\n", "m.py": TEXT, "n.py": OTHER})


def chained(root: Path, *names: str) -> Request:
    """The request that begins with these suspects, the likeliest first."""
    texts = {"m.py": TEXT, "n.py": OTHER}
    known = {target.name: (path, target) for path, text in texts.items() for target in functions(text)}
    suspects = tuple(
        Suspect(path=path, target=target, suspicion=1.0, lines=1, depth=None, untried=False)
        for path, target in (known[name] for name in names)
    )
    alone = [
        Request(document=root / each.path, text=texts[each.path], place=ByName.of(each.target)) for each in suspects
    ]
    return in_turn(alone, Located(test="test_m.py::test", suspects=suspects))


def named(root: Path, request: Request) -> list[str]:
    """What each search of a chain would be about."""
    return [resolve_request(each, {}).target.short_name for each in (request, *request.then)]


def test_pairs_follow_each_suspect_alone(root: Path) -> None:
    chain = named(root, chained(root, "third", "far", "second"))
    assert chain == ["third", "far", "second", "third and far", "second and third", "far and second"]
    places = [each.place for each in chained(root, "third", "far", "second").then]
    assert places[3] == ByName("second", 0), "the first of both in their file, as a retry names it"


def test_parts_of_one_function_are_no_pair(root: Path) -> None:
    assert named(root, chained(root, "first", "inner", "far")) == [
        "first",
        "first.inner",
        "far",
        "first and far",
        "first.inner and far",
    ]


def test_stubs_are_in_no_pair(root: Path) -> None:
    assert named(root, chained(root, "second", "hole", "third")) == ["second", "hole", "third", "second and third"]


def test_functions_with_examples_are_in_no_pair(root: Path) -> None:
    """Only those of the first function would judge a candidate."""
    assert named(root, chained(root, "second", "shown", "third")) == ["second", "shown", "third", "second and third"]


def test_pairs_take_no_time_from_single_suspects(root: Path) -> None:
    chain = chained(root, "third", "far", "second")
    alone = replace(chain, then=chain.then[:2])
    assert resolve_request(chain, {}).budget == resolve_request(alone, {}).budget
    last = replace(chain.then[1], then=chain.then[2:], spent_before=Spent(seconds=10.0))
    assert resolve_request(last, {}).budget.seconds == 50.0
    pair = replace(chain.then[2], then=chain.then[3:], spent_before=Spent(seconds=20.0))
    assert resolve_request(pair, {}).budget.seconds == 20.0


def test_a_pair_of_a_file_spans_both(root: Path) -> None:
    target = resolve_request(chained(root, "third", "second").then[1], {}).target
    assert (target.qualname, target.line, target.body.end) == ("second", 7, TEXT.index("2\n") + 1)
    assert TEXT[target.span.start : target.span.end] == "def second():\n    return 2\n\n\ndef third():\n    return 3"


def test_a_function_and_its_part_are_refused(root: Path) -> None:
    request = Request(
        document=root / "m.py", text=TEXT, place=ByName("first"), second=(root / "m.py", ByName("first.inner"))
    )
    with pytest.raises(BadRequest, match="parts of one function"):
        resolve_request(request, {})
