"""Test functions as text: the call, and the assertions of what comes of it, in the project's style."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from certo.generation.regression.fixtures import plain_expression
from certo.generation.regression.layout import Form
from certo.generation.regression.selection import TestMessage
from certo.vocabulary.records import dataclass

MAX_FLOAT = 8
"""Maximum length of a float that is compared exactly; longer ones have come about by rounding."""

MAX_PRINTED = 300


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion: its lines, and the same lines broken, so that they must fail where the assertion holds."""

    lines: tuple[str, ...]
    broken: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestBody:
    """The body of a test: what comes first, and then its assertions; `fixtures` are those of pytest that it needs."""

    __test__ = False

    setup: tuple[str, ...]
    assertions: tuple[Assertion, ...]
    fixtures: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()

    def lines(self, broken: int | None = None) -> list[str]:
        """Return the lines, with one of the assertions broken."""
        found = list(self.setup)
        for number, one in enumerate(self.assertions):
            found += one.broken if number == broken else one.lines
        return found


def body_of_property(relation: str, names: Sequence[str], rows: Sequence[Sequence[str]], form: Form) -> TestBody:
    """Return the body of a test that a relation holds on some arguments, called by these names."""
    several = [row[0] if len(row) == 1 else f"({', '.join(row)})" for row in rows]
    head = f"for {', '.join(names)} in [{', '.join(several)}]:"
    one, other = ("self.assertTrue", "self.assertFalse") if form == "unittest" else ("assert ", "assert not ")
    good, bad = f"({relation})" if form == "unittest" else relation, f"({relation})"
    return TestBody(setup=(), assertions=(Assertion((head, f"    {one}{good}"), (head, f"    {other}{bad}")),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Writes bodies of tests: `qualify` writes an expression in the names of the test file.

    Objects that one of the `fixtures` makes, which are named by expression, come from there.
    """

    form: Form
    parameters: Sequence[str]
    qualify: Callable[[str], str]
    is_async: bool = False
    fixtures: Mapping[str, str] = field(default_factory=dict)

    def body(self, message: TestMessage) -> TestBody | None:
        """Return the body of a test of a call; None if there is nothing to assert."""
        asserted, setup, call = message.asserted, *self._call(message)
        fixtures = tuple(self._requested(message).values())
        modules = {"asyncio"} if self.is_async and asserted.kind != "yields" else set()
        if "asyncio" in modules:
            call = f"asyncio.run({call})"
        if asserted.kind == "raises":
            assertion = self._raises(message, call)
            modules |= {"pytest"} if self.form != "unittest" else set()
            return TestBody(setup=setup, assertions=(assertion,), fixtures=fixtures, modules=tuple(sorted(modules)))
        assertions = list(self._of_result(message, call))
        if assertions and assertions[0].lines[0].startswith("result = "):
            setup = (*setup, assertions.pop(0).lines[0])
        elif not assertions:
            setup = (*setup, call)
        assertions += self._of_changes(message)
        if asserted.printed and self.form != "unittest" and len(asserted.printed) <= MAX_PRINTED:
            fixtures = (*fixtures, "capsys")
            assertions.append(self._equal("capsys.readouterr().out", repr(asserted.printed)))
        if any("pytest." in line for one in assertions for line in one.lines):
            modules.add("pytest")
        if not assertions:
            return None
        return TestBody(setup=setup, assertions=tuple(assertions), fixtures=fixtures, modules=tuple(sorted(modules)))

    def _requested(self, message: TestMessage) -> dict[str | int, str]:
        """Return the fixtures that make the receiver or an argument of a call, by place; each makes one object."""
        found: dict[str | int, str] = {}
        for place, text in _places(message):
            name = self.fixtures.get(plain_expression(text))
            if name is not None and name not in found.values():
                found[place] = name
        return found

    def _call(self, message: TestMessage) -> tuple[tuple[str, ...], str]:
        """Return the assignments that a call needs, and the call: what it changes needs a name."""
        call = message.call
        requested = self._requested(message)
        names = {place: self._variable(place, message) for place, _, _ in message.asserted.changed}
        written = {place: requested.get(place) or self.qualify(text) for place, text in _places(message)}
        setup = [
            f"{names[place]} = {text}" for place, text in written.items() if place in names and place not in requested
        ]
        written.update((place, name) for place, name in names.items() if place in written)
        arguments = [written[number] for number in range(len(call.arguments))]
        arguments += [f"{name}={written[name]}" for name in call.named]
        if call.receiver is None:
            return tuple(setup), f"{self.qualify(call.callee)}({', '.join(arguments)})"
        receiver = written[""]
        if receiver[:1].isdigit() or receiver[:1] in "-+":
            receiver = f"({receiver})"
        attribute = f"{receiver}.{call.callee}"
        return tuple(setup), attribute if call.is_property else f"{attribute}({', '.join(arguments)})"

    def _variable(self, place: str | int, message: TestMessage) -> str:
        requested = self._requested(message)
        if place in requested:
            return requested[place]
        if place == "":
            return "instance"
        name = self.parameters[place] if isinstance(place, int) and place < len(self.parameters) else str(place)
        return name if name.isidentifier() and name not in ("self", "result") else f"argument_{place}"

    def _of_result(self, message: TestMessage, call: str) -> Iterator[Assertion]:
        asserted = message.asserted
        if asserted.kind == "yields":
            call = f"list({call})"
        if asserted.expected is not None:
            if asserted.expected == "None" and any(text or more for _, text, more in asserted.changed):
                return
            yield self._equal(call, self.qualify(asserted.expected))
        elif asserted.attributes:
            yield Assertion((f"result = {call}",), (f"result = {call}",))
            for name, text in asserted.attributes:
                yield self._equal(f"result.{name}", self.qualify(text))

    def _of_changes(self, message: TestMessage) -> Iterator[Assertion]:
        for place, text, attributes in message.asserted.changed:
            name = self._variable(place, message)
            if text is not None:
                yield self._equal(name, self.qualify(text))
            for attribute, value in attributes:
                yield self._equal(f"{name}.{attribute}", self.qualify(value))

    def _equal(self, actual: str, expected: str) -> Assertion:
        is_named = expected in ("None", "True", "False")
        if self.form == "unittest":
            return self._unittest_equal(actual, expected, is_named=is_named)
        if is_named:
            return Assertion((f"assert {actual} is {expected}",), (f"assert {actual} is not {expected}",))
        if _is_rounded(expected):
            expected = f"pytest.approx({expected})"
        return Assertion((f"assert {actual} == {expected}",), (f"assert not ({actual} == {expected})",))

    @staticmethod
    def _unittest_equal(actual: str, expected: str, *, is_named: bool) -> Assertion:
        if expected == "None":
            return Assertion((f"self.assertIsNone({actual})",), (f"self.assertIsNotNone({actual})",))
        if is_named:
            name = f"self.assertIs({actual}, {expected})"
            return Assertion((name,), (name.replace("assertIs(", "assertIsNot(", 1),))
        if _is_rounded(expected) and isinstance(_literal(expected), float):
            name = f"self.assertAlmostEqual({actual}, {expected})"
            return Assertion((name,), (name.replace("assertAlmostEqual(", "assertNotAlmostEqual(", 1),))
        name = f"self.assertEqual({actual}, {expected})"
        return Assertion((name,), (name.replace("assertEqual(", "assertNotEqual(", 1),))

    def _raises(self, message: TestMessage, call: str) -> Assertion:
        error = self.qualify(message.asserted.error or "Exception")
        other = "ArithmeticError" if error != "ArithmeticError" else "LookupError"
        said = message.asserted.message
        if self.form == "unittest":
            head = f"self.assertRaisesRegex({error}, {_pattern(said)})" if said else f"self.assertRaises({error})"
            broken = f"self.assertRaisesRegex({error}, 'no such text')"
        else:
            match = f", match={_pattern(said)}" if said else ""
            head = f"pytest.raises({error}{match})"
            broken = f"pytest.raises({error}, match='no such text')" if said else f"pytest.raises({other})"
        return Assertion((f"with {head}:", f"    {call}"), (f"with {broken}:", f"    {call}"))


def _places(message: TestMessage) -> Iterator[tuple[str | int, str]]:
    """Yield the expressions in a call by place: "" for the receiver, number or name for arguments."""
    if message.call.receiver is not None:
        yield "", message.call.receiver
    yield from enumerate(message.call.arguments)
    yield from message.call.named.items()


def _pattern(text: str) -> str:
    escaped = re.sub(r"([.^$*+?{}\[\]\\|()])", r"\\\1", text)
    return f"r{escaped!r}".replace("\\\\", "\\") if escaped != text else repr(text)


def _is_rounded(expected: str) -> bool:
    """True if a float in an expression is longer than anybody would write it."""
    try:
        tree = ast.parse(expected, mode="eval")
    except SyntaxError:
        return False
    floats = [
        repr(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is float
    ]
    if not any(len(text) > MAX_FLOAT and "e" not in text for text in floats):
        return False
    # pytest compares nested data approximately only where it is one level deep.
    value = _literal(expected)
    return isinstance(value, float) or (
        isinstance(value, list | tuple) and all(isinstance(one, int | float) for one in value)
    )


def _literal(text: str) -> object:
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ...
    return value
