"""The calls that candidates are compared on are such as their function takes, and made up as for `certo diff`."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from certo.behaviour.call import Callee, callee_of
from certo.behaviour.call_pool import CallPool, pool_of
from certo.behaviour.execution import compared_candidate
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from support.projects.bare_environment import bare_interpreter
from support.search.builtin_searches import stated


async def pooled(root: Path, source: str, name: str, tests: str = "", other: str = "") -> CallPool:
    """The pool of a function, with another version of its text."""
    source = dedent(source)
    problem = stated(root, source, name, tests=tests, passing=["test_it"] if tests else [])
    sides = [
        compared_candidate(problem, text, LocalExecutor(SandboxOptions()), bare_interpreter())
        for text in (source, dedent(other) or source)
    ]
    assert sides[0] is not None
    assert sides[1] is not None
    callee = callee_of(sides[0].definition, name)
    assert callee is not None
    return await sides[0].pool(callee, 0, sides[1:])


async def test_objects_are_made_from_their_fields(tmp_path: Path) -> None:
    """And the constants of every version are among the values; arguments by name only are passed by name."""
    source = """
        import dataclasses
        from decimal import Decimal

        @dataclasses.dataclass
        class Item:
            price: Decimal
            count: int = 1

        def f(item: Item, *, by: int, **rest: str):
            return item.count < 3
    """
    pool = await pooled(tmp_path, source, "f", other=source.replace("< 3", "< 57"))
    assert pool.known == ()
    usual = [call for call in pool.made_up if not call.strange]
    assert {"Item(price=Decimal('2.5'))"} <= {call.arguments[0] for call in usual}
    assert {"0", "1", "-1", "56", "57", "58"} <= {call.named["by"] for call in usual}
    assert any(len(call.named) > 1 for call in usual)
    assert any(call.strange for call in pool.made_up), "such as a truth value in place of a number"


async def test_unknown_parameters_get_the_tests_values(tmp_path: Path) -> None:
    source = "class Account:\n    def __init__(self, name): self.name = name\n\ndef f(x, *, account):\n    return x\n"
    tests = """
    from mod import Account, f
    def test_it():
        assert f(1, account=Account("a")) == 1
    """
    pool = await pooled(tmp_path, source, "f", tests)
    assert [call.text for call in pool.known] == ["f(1, account=Account('a'))"]
    assert {call.arguments[0] for call in pool.made_up} > {"0", "2", "-1"}
    assert all(call.named["account"].startswith("Account(") for call in pool.made_up if not call.strange)
    assert {"f(None, account=Account('a'))", "f(1, account=None)"} <= {
        call.text for call in pool.made_up if call.strange
    }


async def test_nothing_is_made_of_guesses(tmp_path: Path) -> None:
    pool = await pooled(tmp_path, "def f(thing, n: int):\n    return thing\n", "f")
    assert pool == CallPool(unmade=("thing",))


async def test_numbers_fill_no_memory(tmp_path: Path) -> None:
    """Large ones come from the code only; an annotation that hangs or exits leaves the recorded calls."""
    source = "def f(n: int):\n    return n < 10000000000\n"
    pool = await pooled(tmp_path, source, "f")
    sizes = {abs(int(call.arguments[0])) for call in pool.made_up if call.arguments[0].lstrip("-").isdigit()}
    assert {size for size in sizes if size > 10**8} == {10**10 - 1, 10**10, 10**10 + 1}
    tests = "from mod import f\ndef test_it():\n    assert f(1)\n"
    for evil in ("exit()", "__import__('os')._exit(0)"):
        pool = await pooled(tmp_path, f"def f(n: {evil!r}):\n    return n\n", "f", tests)
        assert [call.text for call in pool.known] == ["f(1)"]


async def test_class_methods_bring_their_class(tmp_path: Path) -> None:
    source = """
        class Box:
            @classmethod
            def made(cls, n: int):
                return n

            @staticmethod
            def of(n: int):
                return n
    """
    for name in ("made", "of"):
        pool = await pooled(tmp_path, source, f"Box.{name}")
        assert pool.made_up[0].text == f"Box.{name}(0)"


def test_malformed_messages_are_left_out() -> None:
    callee = Callee(name="f")
    good = {"kind": "made up", "arguments": ["1"], "named": {}, "is_usual": True}
    bad = [
        {**good, "arguments": ["1; import os"]},
        {**good, "named": {"a b": "1"}},
        {**good, "arguments": "1"},
        {"kind": "unmade", "names": "x"},
    ]
    assert pool_of(callee, [good, *bad, {**good, "kind": "call", "arguments": ["2"]}, good]) == CallPool(
        known=pool_of(callee, [{**good, "kind": "call", "arguments": ["2"]}]).known,
        made_up=pool_of(callee, [good]).made_up,
    )
