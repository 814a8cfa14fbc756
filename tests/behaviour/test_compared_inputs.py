"""Differences that show only at boundaries, on unusual values, or in calls small enough to come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from behaviour.test_version_comparison import FEW, compared, first

COUNT = "def f(xs: list[float], limits: list[float]) -> list[int]:\n    "
BOUNDARIES = {
    "slice": ("def f(text: str):\n    return text[:30]\n", "def f(text: str):\n    return text[:31]\n"),
    "nan": (
        f"{COUNT}return [sum(1 for x in xs if x < limit) for limit in limits]\n",
        f"{COUNT}from bisect import bisect_left\n    return [bisect_left(sorted(xs), limit) for limit in limits]\n",
    ),
    "condition": (
        "def f(code: str, n: int):\n    if n == 117 and code.startswith('X-17'):\n        return 2\n    return 0\n",
        "def f(code: str, n: int):\n    return 0\n",
    ),
}


@pytest.mark.usual_cases("slice")
@pytest.mark.parametrize("name", BOUNDARIES)
async def test_differences_at_boundaries(tmp_path: Path, name: str) -> None:
    assert first(await compared(tmp_path, "f", *BOUNDARIES[name]))[0] == "value"


async def test_exponential_functions_are_compared(tmp_path: Path) -> None:
    """Its only test makes a call that takes longer than the age of the universe."""
    before = "def f(n: int) -> int:\n    return n if n < 2 else f(n - 1) + f(n - 2)\n"
    now = "def f(n: int) -> int:\n    a, b = min(n, 0), 1\n    for _ in range(n):\n        a, b = b, a + b\n"
    tests = "from mod import f\n\ndef test_it():\n    assert f(100) > 0\n"
    found = await compared(tmp_path, "f", before, f"{now}    return a\n", tests, budget=FEW)
    assert {one.kind for one in found.versions[0].differences} <= {"endless", "slight"}
    assert found.versions[0].compared >= 20


async def test_endless_functions_are_given_up(tmp_path: Path) -> None:
    text = "def f(n: int):\n    while True:\n        n += 1\n"
    found = await compared(tmp_path, "f", text, text.replace("+=", "-="))
    assert found.versions[0].compared == 0
    assert 0 < found.skipped["endless"] < 200


REST = {
    "named by the code": ("**more", 'return more.get("deep", 0)', 'return more.get("deep", 1) + more.pop("wide", 0)'),
    "of any name": ("**more", "return sorted(more)", "return []"),
    "by place": ("*more: int", "return sum(more)", "return more[0] if more else 0"),
    "by place before others": ("*more: int, flag: bool = False", "return len(more)", "return min(len(more), 1)"),
}


@pytest.mark.usual_cases("of any name")
@pytest.mark.parametrize("row", REST.values(), ids=list(REST))
async def test_gathered_parameters_are_made_up(tmp_path: Path, row: tuple[str, str, str]) -> None:
    parameters, before, now = row
    head = f"def gathered(first: int, {parameters}):\n    "
    found = await compared(tmp_path, "gathered", f"{head}{before}\n", f"{head}{now}\n")
    assert [one.kind for one in found.versions[0].differences[:1]] in (["value"], ["exception"])


@pytest.mark.slow
async def test_halves_of_decimals_are_made_up(tmp_path: Path) -> None:
    before, now = (
        "import decimal\n\ndef cents(price: decimal.Decimal) -> decimal.Decimal:\n"
        f"    return price.quantize(decimal.Decimal('0.01'), decimal.{mode})\n"
        for mode in ("ROUND_HALF_UP", "ROUND_HALF_EVEN")
    )
    found = await compared(tmp_path, "cents", before, now)
    assert found.versions[0].differences[0].call.startswith("cents(decimal.Decimal(")


@pytest.mark.slow
async def test_order_of_pairs_is_listed(tmp_path: Path) -> None:
    """As a slight difference, which passes."""
    head = "def pair(n: int) -> dict[str, int]:\n    "
    before, now = (f"{head}return {pair}\n" for pair in ("{'a': n, 'b': n}", "{'b': n, 'a': n}"))
    found = await compared(tmp_path, "pair", before, now, budget=FEW)
    assert {(one.kind, one.is_breaking) for one in found.versions[0].differences} == {("slight", False)}
