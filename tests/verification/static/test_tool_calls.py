"""Constant arguments of tools are checked before anything runs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from certo.analysis.tool_parameters import parameters_of
from certo.verification.static.tool_calls import ConstantArguments, constant_objections
from certo.vocabulary.verdict import Ruling
from support.search.rewrites import problem_about, with_body

pytestmark = pytest.mark.acceptance(20)


class Query(BaseModel):
    """The arguments of the tool `search`."""

    text: str
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    kind: Literal["web", "news"] = "web"


def send(to: str, *, copies: int = 1, note: str | None = None) -> None:
    """A tool that is described by its own annotations."""


def log(message: str, **fields: int) -> None:
    """A tool that takes more than it names."""


WEATHER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 2},
        "days": {"type": "integer", "minimum": 1},
        "unit": {"enum": ["C", "F"]},
        "hours": {"type": "array", "items": {"type": "integer"}},
        "at": {"$ref": "#/$defs/Place"},
        "wind": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "rain": {"type": ["boolean", "null"]},
    },
    "required": ["city"],
    "additionalProperties": False,
    "$defs": {
        "Place": {
            "type": "object",
            "properties": {"x": {"type": "number"}, "inner": {"$ref": "#/$defs/Place"}},
            "required": ["x"],
            "additionalProperties": False,
        }
    },
}
TOOLS = {"search": Query, "send": send, "log": log, "weather": WEATHER, "mail.send": send}
KNOWN = {name: parameters_of(schema) for name, schema in TOOLS.items()}


@pytest.mark.parametrize(
    "source",
    [
        "search(text='a', limit=50, kind='news')",
        "search(text=q, limit=count(), **more)",
        "search('a', 5)",
        "send('me', copies=2, note=None)",
        "log('hello', size=3)",
        "weather(city='Bonn', days=3, unit='C', hours=[1, 2], at={'x': 1, 'inner': {'x': 2}}, wind=None, rain=True)",
        "weather(city='Bonn', wind=1)",
        "weather(*where)",
        "other(limit='x')",
        "research(limit='x')",
        "limit = 5\nif c: limit = 500\nsearch(text='a', limit=limit)",
        "def f(limit): search(text='a', limit=limit)\nlimit = 500",
        "search(text='a', limit=9 ** 9 ** 9)",
        "search(text='a', limit=1 // 0)",
        "search(text='a', limit='x' * 10 ** 9)",
    ],
)
def test_fitting_and_unknown_arguments_pass(source: str) -> None:
    assert constant_objections(source, KNOWN) == ()


def test_expensive_constants_are_not_computed() -> None:
    doubled = "\n".join(f"x{number} = x{number - 1} - x{number - 1}" for number in range(1, 60))
    nested = "\n".join(f"y{number} = [y{number - 1}, y{number - 1}]" for number in range(1, 60))
    assert constant_objections(f"x0 = 1\n{doubled}\ny0 = 1\n{nested}\nsearch('a', x59)\nsearch(y59)\n", KNOWN) == ()
    assert constant_objections("search('a', limit='x' * 9000000000)\nsearch(f'{1 % 0}')", KNOWN) == ()
    assert constant_objections(f"search('a', {'9' * 4000} * {'9' * 4000})", KNOWN) == ()
    assert constant_objections("a = b\nb = a\nsearch(a)", KNOWN) == ()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("search(text='a', limit=0)", "search: limit=0 will not do: Input should be greater than or equal to 1"),
        ("search('a', 5 * 20)", "search: limit=100 will not do"),
        ("most = 10\nsearch('a', most * 6 - 1)", "search: limit=59 will not do"),
        ("search('a', kind=f\"{'web'}s\")", "search: kind='webs' will not do"),
        ("search(text=['a'])", "search: text=['a'] will not do"),
        ("search(limit=5)", "search: needs text as well"),
        ("search('a', many=5)", "search: takes no argument 'many'; there are text, limit, kind"),
        ("search('a', 1, 'web', 4)", "search: takes 3 arguments, not 4"),
        ("send('me', copies='two')", "send: copies='two' will not do"),
        ("send('me', 2)", "send: takes 1 arguments, not 2"),
        ("mail.send(to=None)", "mail.send: to=None will not do"),
        ("weather(city='B')", "weather: city='B' will not do"),
        ("weather(city='Bonn', days=1.5)", "weather: days=1.5 will not do"),
        ("weather(city='Bonn', days=-1)", "weather: days=-1 will not do"),
        ("weather(city='Bonn', unit='K')", "weather: unit='K' will not do"),
        ("weather(city='Bonn', hours=[1, 'x'])", "weather: hours=[1, 'x'] will not do: 1: "),
        ("weather(city='Bonn', at={'y': 1})", "weather: at={'y': 1} will not do"),
        ("weather(city='Bonn', wind='x')", "weather: wind='x' will not do"),
        ("weather(city='Bonn', rain=1)", "weather: rain=1 will not do"),
        ("weather(city='Bonn', snow=1)", "weather: takes no argument 'snow'"),
    ],
)
def test_unfitting_values_are_quoted(source: str, said: str) -> None:
    found = [finding.message for finding in constant_objections(source, KNOWN)]
    assert len(found) == 1
    assert found[0].startswith(said)


def test_each_call_is_judged_at_its_line() -> None:
    found = constant_objections("for x in xs:\n    search('a', limit=0)\n    search('b', limit=99)\n", KNOWN)
    assert [finding.line for finding in found] == [2, 3]


async def test_a_candidate_is_judged() -> None:
    problem = problem_about("def f(x):\n    return x\n", "f")
    verifier = ConstantArguments(TOOLS)
    good = await verifier.judge(with_body(problem, "return search(x, limit=5)"), problem)
    bad = await verifier.judge(with_body(problem, "return search(x, limit=500)"), problem)
    assert (verifier.name, good.ruling, bad.ruling) == ("constants", Ruling.PASSED, Ruling.FAILED)
