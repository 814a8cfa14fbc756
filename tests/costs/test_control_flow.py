"""The cost of a program's calls, read off its text.

The weights are A1's: ten times for each loop, the dearest branch. Reading takes time linear in the length of the text,
and each price list and number of rounds is its own.
"""

from __future__ import annotations

import pytest

from certo.costs.control_flow import ControlFlow, control_flow_cost
from certo.vocabulary.verdict import Report
from support.search.rewrites import problem_about, with_body

pytestmark = pytest.mark.acceptance(34, 35)

A1_CASES = {
    "llm(1)": 10,
    "llm(1); llm(2)": 20,
    "search(1); read(2); write(3)": 7,
    "something(1)": 0,
    "for x in xs: llm(x)": 100,
    "for x in xs:\n    for y in x: llm(y)": 1000,
    "[llm(x) for x in xs]": 100,
    "[llm(y) for x in xs for y in x]": 1000,
    "if c: llm(1)\nelse: read(2)": 10,
    "for x in xs: llm(x)\nread(1)": 101,
    "try: llm(1)\nexcept OSError: read(2)\nexcept KeyError: search(3)": 15,
}
"""What A1 itself says, where it is right."""

MISSED_BY_A1 = {
    "await asyncio.gather(*[llm(x) for x in xs])": 100,
    "await asyncio.gather(*map(llm, xs))": 100,
    "f'{llm(1)}'": 10,
    "(a := llm(1))": 10,
    "assert llm(1)": 10,
    "raise Error(llm(1))": 10,
    "await llm(await search(q))": 15,
    "async def f():\n    async for x in xs: llm(x)": 100,
    "[x for x in search(q)]": 5,
    "def h(): return llm(1)\nh(); h()": 20,
    "h = lambda: llm(1)\nh(); h()": 20,
    "for x in xs:\n    llm(x)\n    if x: break\nread(1)": 101,
    "thread_pool_reader()": 0,
    "re.search(p, q)": 0,
}
"""B7: what A1 prices wrongly."""

FURTHER = {
    "": 0,
    "if a: read(1)\nelif b: llm(1)\nelse: search(1)": 10,
    "while True:\n    answer = llm(1)\n    if answer: break": 100,
    "while llm(1): read(2)": 110,
    "while True: llm(1)": 100,
    "for x in xs:\n    return llm(x)": 10,
    "for x in xs: read(x)\nelse: llm(1)": 20,
    "for x in xs:\n    if x: continue\n    llm(x)": 100,
    "try: read(1)\nfinally: llm(1)": 11,
    "with llm(1) as x: read(x)": 11,
    "match llm(1):\n    case 1: read(1)\n    case _: search(2)": 15,
    "match c:\n    case 1 if llm(1): read(1)\n    case 2: search(2)": 15,
    "x = a and llm(1) or search(2)": 15,
    "x = llm(1) if c else read(1)": 10,
    "lambda: llm(1)": 0,
    "def f(n): return llm(f(n - 1))": 100,
    "def f(): return g()\ndef g(): return llm(1)": 10,
    "class A:\n    def g(self): return llm(1)\n    def h(self): return self.g() + self.g()": 20,
    "def llm(q): raise NotImplementedError\nfor x in xs: llm(x)": 100,
    "return 1\nllm(1)": 0,
    "def f():\n    if c: return llm(1)\n    read(1)": 10,
}


@pytest.mark.parametrize(("source", "cost"), [*A1_CASES.items(), *MISSED_BY_A1.items(), *FURTHER.items()])
def test_what_a_program_costs(source: str, cost: float) -> None:
    assert control_flow_cost(source) == cost


@pytest.mark.parametrize("statement", ["if a{0}: llm({0})\nelse: read({0})", "try: llm({0})\nfinally: read({0})"])
def test_each_called_function_is_analysed_once(statement: str) -> None:
    text = "\n".join(statement.format(number) for number in range(200))
    assert control_flow_cost(text) == (2000 if statement.startswith("if") else 2200)
    # Each of these calls the one before twice, so that paths double sixty times over.
    chain = "\n".join(f"def f{n}(): f{n - 1}(); f{n - 1}()" for n in range(1, 60))
    assert control_flow_cost(f"def f0(): read(1)\n{chain}\nf59()") == 2.0**59


def test_long_chains_need_no_deep_calls() -> None:
    chain = "\n".join(f"{'elif' if number else 'if'} a == {number}: llm({number})" for number in range(300))
    assert control_flow_cost(chain) == 10
    assert control_flow_cost(" + ".join(["read(1)"] * 2000)) == 2000


def test_price_lists_and_rounds_are_kept_apart() -> None:
    loop = "for x in xs: fetch(x)"
    assert control_flow_cost(loop, {"fetch": 3.0}, rounds=20) == 60
    assert control_flow_cost(loop, {"fetch": 3.0}) == 30
    assert control_flow_cost(loop) == 0
    assert control_flow_cost("for x in xs: db.fetch(x)", {"db.fetch": 2.0}) == 20


async def test_prices_cover_the_target_and_its_calls() -> None:
    text = "def ask(q):\n    return llm(q)\n\n\ndef f(x):\n    return x\n\n\nfor x in range(9):\n    llm(x)\n"
    problem = problem_about(text, "f")
    candidate = with_body(problem, "return ask(x) + ask(x)")
    price = await ControlFlow().price(candidate, Report(candidate_id=candidate.id), problem)
    assert (price.value, price.unit) == (20.0, "points")
