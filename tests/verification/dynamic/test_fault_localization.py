"""From a failing test to the function that is to blame for it: on real projects, with real pytest."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.verification.dynamic.fault_localization import Located, locate
from certo.verification.dynamic.spectra import Stage
from certo.verification.options import TestOptions
from certo.vocabulary.errors import BadRequest
from support.projects.bare_environment import bare_interpreter
from support.projects.projects import write_project

MONEY = """\
    class Till:
        def __init__(self):
            self.sum = 0

        def take(self, amount):
            self.sum += rounded(amount)


    def rounded(amount):
        return int(amount + 0.5)


    def change(paid, price):
        if paid < price:
            raise ValueError("too little")
        return rounded(paid + price)


    def receipt(paid, price):
        till = Till()
        till.take(paid)
        return till.sum, change(paid, price)


    def taxed(price):
        ...


    def bill(price):
        return rounded(taxed(price))


    def first_of(coins):
        return coins[0]


    def forever():
        while True:
            pass
    """

TESTS = """\
    import pytest
    import helpers
    from money import Till, bill, change, first_of, forever, receipt, rounded


    def test_rounded():
        assert rounded(2.5) == 3


    @pytest.mark.parametrize("paid, price, back", [(10, 4, 6), (5, 0, 5)])
    def test_change(paid, price, back):
        assert change(paid, price) == back


    class TestReceipt:
        @pytest.fixture
        def till(self):
            return Till()

        def test_take(self, till):
            till.take(2)
            assert till.sum == 2

        def test_receipt(self):
            assert receipt(10, 4) == (10, 6)


    def test_bill():
        assert bill(10) == 12


    def test_first():
        assert first_of([1]) == 1


    def test_first_of_none():
        assert first_of([]) is None


    def test_forever():
        forever()


    def test_helpers():
        assert helpers.check(False)


    @pytest.mark.skip(reason="too slow")
    def test_skipped():
        assert False
    """


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "money.py": MONEY,
        "tests/test_money.py": TESTS,
        "tests/helpers.py": "def check(value):\n    return value\n",
        "tests/test_broken.py": "import nowhere\n\ndef test_broken():\n    nowhere.run()\n",
    }
    return write_project(tmp_path, files)


async def found(root: Path, test: str, texts: dict[str, str] | None = None) -> Located:
    """Return the functions that are to blame for a test of the project."""
    stage = Stage(
        root=root,
        texts=texts or {},
        interpreter=bare_interpreter(),
        executor=LocalExecutor(SandboxOptions()),
        options=TestOptions(seconds=1.0, total_seconds=40.0),
    )
    return await locate(stage, f"tests/{test}")


@pytest.mark.usual_cases("test_money.py::test_change-change")
@pytest.mark.parametrize(
    ("test", "blamed"),
    [
        ("test_money.py::test_change", "change"),
        ("test_money.py::test_first_of_none", "first_of"),
        ("test_money.py::test_forever", "forever"),
    ],
)
async def test_functions_only_failing_tests_execute_are_blamed(root: Path, test: str, blamed: str) -> None:
    located = await found(root, test)
    assert located.suspect.target.qualname == blamed
    assert located.suspect.path == "money.py"


@pytest.mark.slow
async def test_a_hole_on_the_way_is_blamed(root: Path) -> None:
    """It is, whatever else is suspicious."""
    located = await found(root, "test_money.py::test_bill")
    assert located.suspect.target.qualname == "taxed"
    assert located.others == ()


@pytest.mark.slow
async def test_what_is_nearly_as_suspicious_is_named(root: Path) -> None:
    text = (root / "tests/test_money.py").read_text()
    untested = text.replace("def test_change", "def untested_change")
    located = await found(root, "test_money.py::TestReceipt::test_receipt", {"tests/test_money.py": untested})
    assert located.sentence == (
        "TestReceipt.test_receipt fails, and receipt (money.py:19) is the likeliest cause of it; "
        "it may also be change (money.py:13)."
    )


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("test_money.py::test_rounded", r"test_rounded passes; there is nothing to repair"),
        ("test_money.py::test_skipped", r"test_skipped is skipped: too slow"),
        ("test_money.py::test_nothing", r"pytest does not run tests/test_money.py::test_nothing: not found"),
        (
            "test_money.py::test_helpers",
            r"test_helpers fails \(.*\), and executes no function of the project but tests",
        ),
        ("test_broken.py::test_broken", r"cannot be collected: ModuleNotFoundError: No module named 'nowhere'"),
    ],
)
async def test_what_leads_nowhere_says_why(root: Path, test: str, said: str) -> None:
    with pytest.raises(BadRequest, match=said):
        await found(root, test)


async def test_what_stands_in_the_editor_counts(root: Path) -> None:
    text = (root / "money.py").read_text()
    texts = {"money.py": "# longer\n\n\n" + text.replace("int(amount + 0.5)", "int(amount)")}
    located = await found(root, "test_money.py::test_rounded", texts)
    assert located.suspect.target.qualname == "rounded"
    assert located.suspect.target.line == text.splitlines().index("def rounded(amount):") + 4
    with pytest.raises(BadRequest, match="passes"):
        await found(root, "test_money.py::test_rounded")


async def test_module_fixtures_count_for_each_test(tmp_path: Path) -> None:
    files = {
        "shop.py": "def build():\n    return [3]\n\n\ndef total(prices):\n    return sum(prices) + 1\n",
        "test_shop.py": """\
            import pytest
            from shop import build, total

            @pytest.fixture(scope="module")
            def prices():
                return build()

            def test_first(prices):
                assert prices

            def test_second(prices):
                assert prices == [3]

            def test_total(prices):
                assert total(prices) == 3
            """,
    }
    stage = Stage(
        root=write_project(tmp_path, files),
        texts={},
        interpreter=bare_interpreter(),
        executor=LocalExecutor(SandboxOptions()),
        options=TestOptions(seconds=5.0, total_seconds=40.0),
    )
    located = await locate(stage, "test_shop.py::test_total")
    assert located.suspect.target.qualname == "total"
    assert located.others == ()
    assert located.suspect.suspicion == 1.0
