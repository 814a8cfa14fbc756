"""Written tests ask for the fixtures that make their objects, where the tests beside them do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from certo.generation.regression.fixtures import fixtures_by_expression
from certo.generation.regression.proposal import write_tests
from certo.generation.regression.selection import SelectionBudget
from support.projects.subjects import subject_of

ACCOUNT = """\
    class Account:
        def __init__(self, amount: int):
            self.amount = amount

        def take(self, n: int) -> int:
            if n > self.amount:
                raise ValueError("not enough")
            self.amount -= n
            return self.amount
"""

FIXTURE = """\
@pytest.fixture
def account():
    return till.Account(100)
"""


def found(source: str, *outer: str) -> dict[str, str]:
    """The fixtures of a file."""
    return dict(fixtures_by_expression(ast.parse(source), map(ast.parse, outer)))


@pytest.mark.parametrize(
    ("body", "expressions"),
    [
        ("return till.Account( 100 )", ["Account(100)"]),
        ("'''One.'''\n    yield till.Account('a')", ["Account('a')"]),
        ("made = till.Account(1)\n    return made", ["Account(1)"]),
        ("made = till.Account(1)\n    made.take(1)\n    return made", []),
        ("return 5", []),
        ("return", []),
        ("return till.LIMIT", ["LIMIT"]),
    ],
)
def test_expression_of_a_fixture(body: str, expressions: list[str]) -> None:
    source = f"import pytest, till\n\n@pytest.fixture\ndef account():\n    {body}\n\ndef test_it(account): pass\n"
    assert list(found(source)) == expressions


def test_names_are_those_of_the_module() -> None:
    source = (
        "from till import Account as A\nfrom bank import till\n\n@fixture()\ndef one():\n    return A(till.Rate(1))\n"
    )
    assert found(source + "def test_it(one): pass\n") == {"Account(Rate(1))": "one"}


def test_fixtures_that_hold_for_the_file() -> None:
    """Only those that its tests ask for count, and the nearest of each name."""
    asks = "def test_it(account): pass\n"
    assert found(asks, "import pytest, till\n" + FIXTURE) == {"Account(100)": "account"}
    other = "import pytest, till\n" + FIXTURE.replace("till.Account(100)", "till.Account(7).copy_of(request)")
    assert found(other + asks, "import pytest, till\n" + FIXTURE) == {"Account(7).copy_of(request)": "account"}
    assert found("def test_it(): pass\n", "import pytest, till\n" + FIXTURE) == {}
    shared = "import pytest, till\n" + FIXTURE.replace("fixture\n", "fixture(scope='module')\n")
    assert found(shared + asks) == {}
    taking = "import pytest, till\n" + FIXTURE.replace("account()", "account(till)")
    assert found(taking + asks) == {}


async def test_objects_come_from_the_fixture(tmp_path: Path) -> None:
    """Also what the call changes is looked up on the fixture's object."""
    (tmp_path / "conftest.py").write_text(f"import pytest\nimport till\n\n\n{FIXTURE}", encoding="utf-8")
    before = "def test_it(account):\n    assert account.take(50) == 50\n"
    (tmp_path / "test_till.py").write_text(before, encoding="utf-8")
    subject = subject_of(tmp_path, ACCOUNT, "Account.take", ("test_till.py",))
    proposal = await write_tests(subject, seed=0, budget=SelectionBudget(calls=80, mutants=16))
    (first,) = [test.name for test in proposal.written.tests if "account." in test.source]
    added = "def test_take_gives_0(account):\n    assert account.take(100) == 0\n    assert account.amount == 0\n"
    assert proposal.text({first}) == f"{before}\n\n{added}"
