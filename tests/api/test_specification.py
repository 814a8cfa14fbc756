"""A specification is checked when it is made, and becomes a project with a hole, its tools and its tests."""

from __future__ import annotations

import ast
import doctest

import pytest
from pydantic import BaseModel

from certo import Example, Specification, Tool, tool
from certo.api.scaffold import scaffold
from certo.llm.typed.answer_type import AnswerMismatch
from certo.vocabulary.errors import BadSetting


class Line(BaseModel):
    """One line of an invoice."""

    what: str
    price: float
    note: str | None = None


class Invoice(BaseModel):
    """What has lines."""

    lines: list[Line]
    kind: str


@tool
def tax(amount: float) -> float:
    """The tax on an amount."""
    return amount / 5


def make(**changes: object) -> Specification:
    fields = {"name": "total", "description": "Sum it up.", "inputs": {"invoice": Invoice}, "output": float, **changes}
    return Specification(**fields)


def test_hole_has_types_examples_and_tools() -> None:
    wanted = make(tools=[tax], examples=[Example(inputs={"invoice": Invoice(lines=[], kind="a\n'b'")}, output=0.0)])
    files = scaffold(wanted)
    module = files["wanted.py"]
    assert "Line = TypedDict('Line', {'what': str, 'price': float, 'note': NotRequired[str | None]})" in module
    assert module.index("Line = ") < module.index("Invoice = ")
    assert "def total(invoice: Invoice) -> float:" in module
    assert "from tools import tax" in module
    assert "# def tax(amount: float) -> float:\n#     " in module
    assert "def tax(amount: float) -> float:" in files["tools.py"]
    assert "@tool" not in files["tools.py"]
    [function] = [node for node in ast.parse(module).body if isinstance(node, ast.FunctionDef)]
    [example] = doctest.DocTestParser().get_examples(ast.get_docstring(function) or "")
    assert eval(example.source, {"total": lambda invoice: 0.0 if invoice["kind"] == "a\n'b'" else 1}) is True
    assert example.want == "True\n"


def test_models_see_no_default_with_a_key() -> None:
    def ask(question: str, tries: int = 3, key: str = "sk-canary") -> str:
        return question

    wanted = make(tools=[Tool(ask, outside=True), Tool(max, outside=True, stand_in=tax.function)])
    module = scaffold(wanted)["wanted.py"]
    assert "# def ask(question: str, tries: int = 3, key: str = ...) -> str:\n" in module
    assert "# def max(...):\n" in module
    assert "sk-canary" not in module


@pytest.mark.parametrize(
    "output",
    ["", "it's", 'say """three"""', "back\\slash", "two\nlines", 7, 0.1, True, None, [1, "a"], {"a": None}],
)
def test_examples_become_passing_doctests(output: object) -> None:
    schema = {"anyOf": [{"type": ["string", "number", "boolean", "null"]}, {"type": "array"}, {"type": "object"}]}
    wanted = make(
        name="same", inputs={"it": schema}, output=schema, examples=[Example(inputs={"it": output}, output=output)]
    )
    [function] = [node for node in ast.parse(scaffold(wanted)["wanted.py"]).body if isinstance(node, ast.FunctionDef)]
    test = doctest.DocTestParser().get_doctest(
        ast.get_docstring(function) or "", {"same": lambda it: it}, "same", None, None
    )
    assert doctest.DocTestRunner(verbose=False).run(test) == (0, 1)


def test_function_head_is_a_specification() -> None:

    def double(number: int) -> int:
        """Double a number.

        >>> double(2)
        4
        """
        raise NotImplementedError

    wanted = Specification.of(double)
    assert (wanted.name, wanted.inputs, wanted.output) == ("double", {"number": int}, int)
    assert "    >>> double(2)\n    4\n" in scaffold(wanted)["wanted.py"]


def test_tests_call_the_function_by_its_name() -> None:
    wanted = make(
        tests="""
        def test_it():
            assert total({"lines": [], "kind": ""}) == 0
    """
    )
    text = scaffold(wanted)["test_wanted.py"]
    assert text.startswith("import wanted\nfrom wanted import total\n\ndef test_it():\n    assert")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "not a name"}, "'not a name' cannot be a name in Python"),
        ({"inputs": {"class": int}}, "'class' cannot be a name"),
        ({"description": "  "}, "the description of total is empty"),
        ({"name": "tax", "tools": [tax]}, "'tax' is the name of more than one function"),
        ({"examples": [Example(inputs={}, output=1.0)]}, "example 1 of total: total needs the input 'invoice'"),
        ({"tools": [print]}, "the tool print is no plain function"),
    ],
)
def test_what_cannot_be_is_refused_in_words(changes: dict[str, object], words: str) -> None:
    with pytest.raises(BadSetting) as refused:
        make(**changes).as_words()
    assert words in str(refused.value)


def test_a_function_has_to_say_its_types() -> None:
    def half(number):
        """Halve it."""

    with pytest.raises(BadSetting, match="does not say the type of 'number'"):
        Specification.of(half)

    async def later() -> int:
        """Wait."""
        return 1

    with pytest.raises(BadSetting, match="coroutine"):
        Specification.of(later)


def test_inputs_are_checked_and_become_plain() -> None:
    wanted = make()
    invoice = Invoice(lines=[Line(what="tea", price=2)], kind="x")
    assert wanted.plain_inputs({"invoice": invoice})["invoice"]["lines"] == [
        {"what": "tea", "price": 2.0, "note": None}
    ]
    for wrong, words in (
        ({}, "needs the input"),
        ({"invoice": 1}, "the input 'invoice'"),
        ({"in": 1}, "no input 'in'"),
    ):
        with pytest.raises(AnswerMismatch, match=words):
            wanted.plain_inputs(wrong)


def test_closure_tool_is_not_copied() -> None:
    """A tool that needs what is around it cannot be copied."""
    rate = 3

    def scaled(number: int) -> int:
        """Scale."""
        return number * rate

    with pytest.raises(BadSetting, match="uses rate of the function around it"):
        scaffold(make(tools=[scaled]))


def test_stand_in_answers_during_verification() -> None:
    """A tool outside is stood in for while code is verified."""

    def always_one(city):
        return 1

    @tool(outside=True, stand_in=always_one)
    async def weather(city: str) -> int:
        """The weather."""
        return 2

    @tool(outside=True)
    def mail(to: str, text: str = "") -> None:
        """Send it."""

    tools: dict[str, object] = {}
    exec(scaffold(make(tools=[weather, mail]))["tools.py"], tools)
    assert tools["weather"]("Ulm") == 1
    with pytest.raises(RuntimeError, match="mail is outside and cannot be called while the code is verified"):
        tools["mail"]("me")


def test_a_tool_without_a_signature_is_refused() -> None:
    with pytest.raises(BadSetting, match="does not say what it takes"):
        scaffold(make(tools=[Tool(max, outside=True)]))


def test_unwritable_defaults_are_refused() -> None:
    @tool(outside=True)
    def mail(to: object = object()) -> None:
        """Send it."""

    with pytest.raises(BadSetting, match="the tool mail has a default that is no plain value"):
        scaffold(make(tools=[mail]))


def test_an_unknown_type_is_refused() -> None:
    def double(number: "Nowhere") -> int:  # noqa: F821, UP037 - which is what is refused
        """Double it."""

    with pytest.raises(BadSetting, match="double has a type that is not known: name 'Nowhere' is not defined"):
        Specification.of(double)
