"""Finding targets by name and by place, and their spans, docstrings and examples."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo.edits.target import (
    ByLine,
    ByName,
    ByOffset,
    accessors_beside,
    definition_of,
    examples,
    find_target,
    functions,
)
from certo.vocabulary.errors import BadSource, TargetNotFound
from certo.vocabulary.problem import Target

TEXT = '''\
import functools
from typing import overload, Protocol


class Größe:
    """Doc."""

    @property
    def wert(self): return self._wert

    @wert.setter
    @functools.cache
    def wert(self, value: "é😀" = ")", *, key=lambda x: {"a": x}  # so: it goes
             ) -> (  # and: so on
                 None):
        """Set.

        >>> 1 + 1
        2
        >>> print("a",
        ...       "b")
        a b
        """
        self._wert = value

        # TODO: tell others


async def outer():
    def inner():
        return 1

    class Local:
        def method(self):
            pass

    return inner


if functools:
    def chosen(a): ...
else:
    def chosen(a):
        return a
'''


def named(qualname: str, text: str = TEXT, number: int | None = None) -> Target:
    return find_target(text, ByName(qualname, number), path="a.py")


def only(text: str) -> Target:
    (target,) = functions(text)
    return target


def test_functions_are_listed_in_order_by_qualname() -> None:
    assert [target.qualname for target in functions(TEXT)] == [
        "Größe.wert",
        "Größe.wert",
        "outer",
        "outer.<locals>.inner",
        "outer.<locals>.Local.method",
        "chosen",
        "chosen",
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "\ufeff"])
def test_spans_of_a_decorated_method(newline: str, before: str) -> None:
    text = before + TEXT.replace("\n", newline)
    target = named("Größe.wert", text, 1)
    whole = text[target.span.start : target.span.end]
    assert whole.startswith("@wert.setter")
    assert whole.endswith("self._wert = value")
    assert text[target.body.start : target.body.end] == "self._wert = value"
    assert target.signature.startswith("def wert(self, value")
    assert target.signature.endswith("None):")
    assert target.line == 13
    assert target.docstring.startswith("Set.")
    assert not target.is_hole


def test_examples_carry_the_lines_of_the_file() -> None:
    target = named("Größe.wert", number=1)
    found = examples(target, TEXT)
    assert [(each.source, each.expected, each.id) for each in found] == [
        ("1 + 1\n", "2\n", "doctest:Größe.wert:18"),
        ('print("a",\n      "b")\n', "a b\n", "doctest:Größe.wert:20"),
    ]
    assert TEXT.split("\n")[17].strip() == ">>> 1 + 1"
    assert examples(named("outer"), TEXT) == ()


def test_a_malformed_example_is_refused() -> None:
    text = 'def f():\n    """\n    >>>1\n    """\n'
    with pytest.raises(BadSource, match=r"f: the docstring at line 2: .*lacks blank after >>>"):
        examples(only(text), text)


@pytest.mark.parametrize("written", ["outer.inner", "outer.<locals>.inner"])
def test_nested_functions_can_be_named_two_ways(written: str) -> None:
    assert named(written).qualname == "outer.<locals>.inner"


def test_a_name_means_the_last_definition() -> None:
    """By line each definition is found."""
    last = len(TEXT.split("\n")) - 1
    assert named("chosen").line == last - 1
    assert find_target(TEXT, ByLine(last - 3), path="a.py").line == last - 3


@pytest.mark.parametrize("accessors", [["setter"], ["deleter"], ["setter", "deleter"]], ids="-".join)
def test_a_property_is_named_for_its_getter(accessors: list[str]) -> None:
    """Its setter and deleter are found by their lines; a second property of the name takes the first one's place."""
    changing = "".join(f"    @x.{each}\n    def x(self, *given): ...\n" for each in accessors)
    getter = "    @property\n    def x(self): ...\n"
    text = f"class A:\n{getter}{changing}"
    assert named("A.x", text).line == 3
    for number, line in enumerate(range(5, 5 + 2 * len(accessors), 2), start=1):
        assert find_target(text, ByLine(line), path="a.py").number == number
    assert named("A.x", f"{text}{getter}{changing}").line == 5 + 2 * len(accessors)


def test_a_property_has_accessors_beside_it() -> None:
    getter, setter = "    @property\n    def x(self): ...\n", "    @x.setter\n    def x(self, value): ...\n"
    text = f"class A:\n{getter}{setter}    def y(self): ...\n    def y(self, z): ...\n"
    assert [each.line for each in accessors_beside(named("A.x", text), text)] == [5]
    assert accessors_beside(named("A.y", text), text) == ()
    assert accessors_beside(named("A.x", f"class A:\n{getter}"), f"class A:\n{getter}") == ()


def test_moved_getters_and_setters_are_told_apart() -> None:
    text = "class A:\n    @property\n    def x(self): ...\n\n    @x.setter\n    def x(self, value): ...\n"
    moved = f"import re\n\n\n{text}"
    for target in functions(text):
        again = find_target(moved, ByName.of(target), path="a.py")
        assert again.line == target.line + 3
        assert again.is_same(target)
    getter, setter = functions(text)
    assert not getter.is_same(setter)


@pytest.mark.parametrize(
    ("line", "qualname"),
    [
        (8, "Größe.wert"),
        (9, "Größe.wert"),
        (12, "Größe.wert"),
        (24, "Größe.wert"),
        (26, "Größe.wert"),
        (29, "outer"),
        (30, "outer.<locals>.inner"),
        (31, "outer.<locals>.inner"),
        (32, "outer"),
        (33, "outer"),
        (35, "outer.<locals>.Local.method"),
        (37, "outer"),
    ],
)
def test_the_innermost_function_on_a_line(line: int, qualname: str) -> None:
    assert find_target(TEXT, ByLine(line), path="a.py").qualname == qualname
    offset = len("".join(TEXT.splitlines(keepends=True)[: line - 1]))
    assert find_target(TEXT, ByOffset(offset), path="a.py").qualname == qualname


@pytest.mark.parametrize("line", [1, 3, 5, 6, 27, 28, 38, 40])
def test_no_function_on_a_line(line: int) -> None:
    with pytest.raises(TargetNotFound, match=rf"^a\.py:{line}: there is no function on this line; name one, such as"):
        find_target(TEXT, ByLine(line), path="a.py")


@pytest.mark.parametrize("line", [0, -1, 900])
def test_a_line_the_file_does_not_have(line: int) -> None:
    with pytest.raises(TargetNotFound, match=rf"a\.py:{line}: the file has 45 lines"):
        find_target(TEXT, ByLine(line), path="a.py")


@pytest.mark.parametrize("written", ["\ufb01ll", "gro\u0308\u00dfe", "blank\u3164"])
def test_unnormalized_names_are_found(written: str) -> None:
    found = find_target(f"def {written}():\n    pass\n", ByName(written), path="a.py")
    assert found.qualname == unicodedata.normalize("NFKC", written)


def test_an_unknown_name_lists_what_is_near() -> None:
    with pytest.raises(TargetNotFound, match=r"a\.py: there is no function 'wert'; name one, such as Größe\.wert \("):
        named("wert")
    with pytest.raises(TargetNotFound, match=r"'outer\.iner'.*outer\.inner \(line 30\)"):
        named("outer.iner")
    with pytest.raises(TargetNotFound, match="the file has none"):
        named("f", "x = 1\n")


def test_a_broken_file_is_refused_with_line() -> None:
    """The sentence names the file and the line."""
    with pytest.raises(BadSource, match=r"a\.py:2: "):
        find_target("x = 1\ndef f(:\n", ByName("f"), path="a.py")


@pytest.mark.parametrize(
    "body",
    [
        "    ...\n",
        "    pass  # TODO\n",
        "    # FIXME: write\n    pass\n",
        "    raise NotImplementedError\n",
        '    raise NotImplementedError("later") from None\n',
        '    """Doc."""\n',
        '    """Doc."""\n    # TODO\n',
        '    """Doc."""\n\n    ...\n',
    ],
)
def test_holes(body: str) -> None:
    assert only("def f(a):\n" + body).is_hole
    assert only("async def f(a):\n" + body).is_hole


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    return NotImplemented\n",
        "def f():\n    raise ValueError\n",
        "def f():\n    raise\n",
        "def f():\n    'doc'\n    'more'\n",
        "def f(): return ...\n",
        "@overload\ndef f(a): ...\n",
        "class A:\n    @abc.abstractmethod\n    def f(self): ...\n",
        "class A(typing.Protocol[T]):\n    def f(self): ...\n",
        "class A(Protocol):\n    async def f(self):\n        pass\n",
    ],
)
def test_no_holes(text: str) -> None:
    assert not only(text).is_hole


def test_a_function_on_one_line() -> None:
    text = "def f(x): ...\n"
    target = only(text)
    assert (text[target.span.start : target.span.end], target.signature) == ("def f(x): ...", "def f(x):")
    assert text[target.body.start : target.body.end] == "..."


def test_a_body_of_only_docstring_is_empty() -> None:
    text = 'def f():\n    """Doc é."""  # so\n    # TODO\n'
    target = only(text)
    assert target.body.start == target.body.end == target.span.end == text.index("  # so")


def test_the_body_may_start_with_a_decorator() -> None:
    text = "def f():\n    @wraps(f)\n    def g(): pass\n    return g\n"
    target = functions(text)[0]
    assert text[target.body.start : target.body.end].startswith("@wraps")


def test_functions_stand_wherever_statements_do() -> None:
    text = (
        "try:\n    def a(): ...\nexcept E:\n    def b(): ...\nelse:\n    def c(): ...\nfinally:\n    def d(): ...\n"
        "match x:\n    case 1:\n        def e(): ...\n"
        "for _ in x:\n    def f(): ...\nwith x:\n    def g(): ...\nwhile x:\n    pass\nelse:\n    def h(): ...\n"
    )
    assert [target.qualname for target in functions(text)] == list("abcdefgh")


@given(st.integers(0, len(TEXT)))
def test_an_offset_finds_a_function_or_none(offset: int) -> None:
    """The function that is found is a definition of the text."""
    try:
        target = find_target(TEXT, ByOffset(offset), path="a.py")
    except TargetNotFound:
        return
    definition = definition_of(TEXT, target)
    assert definition is not None
    assert definition.node.lineno == target.line


def test_targets_are_found_fast_in_5000_lines() -> None:
    text = "".join(f"def f{number}(a, b=')'):\n    '''é'''\n    return a + b\n\n\n" for number in range(1000))
    started = time.process_time()
    target = named("f998", text)
    assert time.process_time() - started < 1
    assert text[target.body.start : target.body.end] == "return a + b"
