"""Steps are counted alike for every kind of code that can go on for ever."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from certo_builtin.execution.fuel import Meter, OutOfFuel, put_ticks

STEPS = [
    ("def f(n):\n    return n", 1),
    ("def f(n):\n    'said'\n    return n", 1),
    ("def f(n):\n    while n:\n        n -= 1", 6),
    ("def f(n):\n    for i in range(n):\n        if i == 2:\n            break", 4),
    ("def f(n):\n    return [i for i in range(n)]", 6),
    ("def f(n):\n    return {i for i in range(n) if i > 3}", 6),
    ("def f(n):\n    return {i: j for i in range(n) for j in range(2)}", 16),
    ("def f(n):\n    return sum(i for i in range(n))", 6),
    ("def f(n):\n    return sorted(range(n), key=lambda i: -i)", 6),
    ("def f(n):\n    return f'{[i for i in range(n)]!r:{max(map(lambda i: i, range(n)))}}'", 11),
    ("def f(n):\n    def g(m=[i for i in range(n)]):\n        return m\n    return g()", 7),
    (
        "def f(n):\n    try:\n        raise OSError\n    except OSError:\n        return [*map(lambda i: i, [n])]",
        2,
    ),
    ("def f(n):\n    with open('/dev/null') as _:\n        return n if (lambda: n)() else {0: (lambda: 1)()}", 2),
    ("def f(n):\n    return f(n - 1) if n else 0", 6),
]


@pytest.mark.parametrize(("text", "steps"), STEPS)
def test_calls_and_iterations_are_steps(text: str, steps: int) -> None:
    meter = Meter()
    names: dict[str, Any] = {}
    tree = ast.parse(text)
    put_ticks(tree)
    exec(compile(tree, "f", "exec"), names)
    meter.fill(steps)
    names["f"](5)
    assert meter.used == steps
    meter.fill(steps - 1)
    with pytest.raises(OutOfFuel):
        names["f"](5)


def test_swallowed_exhaustion_gives_no_more_steps() -> None:
    meter = Meter()
    names: dict[str, Any] = {}
    tree = ast.parse("def f():\n    try:\n        f()\n    except BaseException:\n        f()")
    put_ticks(tree)
    exec(compile(tree, "f", "exec"), names)
    for steps in (20, 30):
        meter.fill(steps)
        with pytest.raises(OutOfFuel):
            names["f"]()
        assert (meter.empty, meter.used) == (True, steps)


def test_a_docstring_stays_one() -> None:
    tree = ast.parse("def f():\n    'said'\n    return 1")
    put_ticks(tree)
    assert ast.get_docstring(tree.body[0]) == "said"
