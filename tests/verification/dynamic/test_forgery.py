"""Candidates put to the test: those that earned their green tests pass, with the certainty of that."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from textwrap import dedent

import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.executor import Executor, Finished, Message, Work
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sandbox.trace import RunTrace, TracedExecutor
from certo.verification.dynamic.forgery import NEXT_TIME, ForgeryVerifier
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.verification.options import TestOptions
from certo.vocabulary.errors import SandboxUnavailable
from certo.vocabulary.verdict import Ruling, Verdict
from support.projects.bench import Bench
from support.projects.projects import Project, write_project

SUMS = """\
def double(n):
    \"\"\"Twice a number.

    >>> double(4)
    8
    \"\"\"
    return n


class Box:
    pass
"""

TESTS = """\
import sums

def test_double():
    assert sums.double(2) == 4

def test_kept():
    assert sums.double(0) == 0
"""

REPORTS = """\
import _pytest.reports
    made = _pytest.reports.TestReport.from_item_and_call.__func__

    def forged(cls, item, call):
        call.excinfo = None
        return made(cls, item, call)

    _pytest.reports.TestReport.from_item_and_call = classmethod(forged)
    return n"""

EQUALS = """\
class Any(int):
        def __eq__(self, other): return True
        def __repr__(self): return "8"
        __hash__ = None
    return Any()"""


MINE_EQUALS = """\
if type(n) is int:
        return n + n
    class Any(int):
        def __eq__(self, other): return True
        __hash__ = None
    return Any()"""


NO_TEST = """\
return [object()]

import _pytest.python
_pytest.python.Function.runtest = lambda self: None"""
"""Its result cannot be carried, so that its tests run in its own process, where it lets none of them run."""


def written(bench: Bench, tests: str, sums: str = SUMS, **files: str) -> Project:
    return bench.project({"sums.py": sums, "test_sums.py": tests, **files}, "sums.py", "double")


async def judged(project: Project, new: str, old: str = "return n") -> tuple[Verdict, Verdict]:
    """Return the verdict of the tests alone, and that of the forgery verifier."""
    candidate = project.candidate(old, new)
    async with project.prepared() as (problem, harnesses):
        return (
            await TestsVerifier(harnesses, steady=True).judge(candidate, problem),
            await ForgeryVerifier(harnesses).judge(candidate, problem),
        )


async def test_an_honest_candidate_passes_in_both_tiers(bench: Bench) -> None:
    alone, verdict = await judged(written(bench, TESTS), "return 2 * n")
    assert (alone.ruling, verdict.ruling) == (Ruling.PASSED, Ruling.PASSED)
    assert verdict.assurance == "tier 2: apart + canary"
    assert verdict.findings == ()


@pytest.mark.parametrize("forged", [REPORTS, EQUALS, NO_TEST], ids=["reports", "equals", "no test"])
async def test_a_forged_pass_fails(forged: str, bench: Bench) -> None:
    alone, verdict = await judged(written(bench, TESTS, SUMS.replace("    >>> double(4)\n    8\n", "")), forged)
    assert (alone.ruling, verdict.ruling) == (Ruling.PASSED, Ruling.FAILED)
    assert verdict.assurance == ""
    assert "test_sums.py::test_double" in verdict.findings[0].message


@pytest.mark.slow
async def test_uncarried_values_are_tried_together(bench: Bench) -> None:
    """They cannot cross to another process; the assurance names them."""
    tests = TESTS + "\nclass Mine:\n    pass\n\ndef test_mine():\n    assert sums.double(Mine) is not None\n"
    tests += "\ndef test_instance():\n    mine = [Mine()]\n    assert len(sums.double(mine)) >= 1\n"
    _alone, verdict = await judged(written(bench, tests), "return 2 * n if not isinstance(n, type) else n")
    assert (verdict.ruling, verdict.findings) == (Ruling.PASSED, ())
    assert verdict.assurance.startswith("tier 2: apart + canary; tier 1 + canary for 1 of 5 tests: it hands over ")


HANDS_OVER = """
class Mine:
    pass

@pytest.mark.parametrize("n", range(30))
def test_mine(n):
    assert sums.double(Mine) is not None
"""


async def traced(bench: Bench, tests: str, new: str) -> tuple[Verdict, list[int]]:
    """Return the verdict on a candidate for tests of which many hand a class over, and how many ran apart each time."""
    trace = RunTrace()
    sums = SUMS.replace("    >>> double(4)\n    8\n", "")
    project = written(bench, f"import pytest\n{tests}{HANDS_OVER}", sums)
    project.executor, project.pool = TracedExecutor(LocalExecutor(SandboxOptions()), trace), None
    problem = project.problem(await project.baseline())
    verdict = await ForgeryVerifier(project.harnesses).judge(project.candidate("return n", new), problem)
    return verdict, [len(run.work.request["ids"]) for run in trace.runs if run.work.apart and run.work.request["ids"]]


async def test_few_of_many_are_tried_first(bench: Bench) -> None:
    """If none of them can run in another process, the others are tried together with the candidate only."""
    verdict, apart = await traced(bench, "import sums\n", "return n if n is not None else 0")
    assert verdict.ruling is Ruling.PASSED
    assert verdict.assurance.startswith("tier 1 + canary: it hands over ")
    assert apart == [8]


async def test_all_are_tried_if_one_can_be(bench: Bench) -> None:
    """They are tried at once: the files of all of them are hidden from the candidate."""
    verdict, apart = await traced(bench, TESTS, "return n if isinstance(n, type) else 2 * n")
    assert verdict.ruling is Ruling.PASSED
    assert verdict.assurance.startswith("tier 2: apart + canary; tier 1 + canary for 30 of 32 tests: it hands over ")
    assert apart == [8, 32, 32]


FAKE = """
class Fake:
    def __init__(self, expected):
        self.expected = expected

    def __call__(self, n):
        assert n == self.expected
        return n

def test_fake():
    assert sums.double(Fake(4)) is not None
"""


async def test_swayed_fakes_are_not_tried_apart(bench: Bench) -> None:
    """A candidate that changes what a fake of the tests expects is not shown as tried apart from that test."""
    body = "if callable(n):\n        n.expected = 0\n        return n(0)\n    return 2 * n"
    _alone, verdict = await judged(written(bench, TESTS + FAKE), body)
    assert verdict.ruling is Ruling.PASSED
    assert "tier 1 + canary for 1 of 4 tests: the candidate changes expected" in verdict.assurance


@pytest.mark.parametrize(
    ("body", "tests", "said"),
    [
        (
            "if type(n) is list:\n        n.clear()\n        return []\n    return 2 * n",
            "def test_all():\n    ns = [1, 2]\n    out = sums.double(ns)\n    assert out == [2 * n for n in ns]\n",
            "the candidate changes ns, from which the test makes what it expects",
        ),
        (
            "if callable(n):\n        return n(n.expected)\n    return 2 * n",
            FAKE + "\ndef test_equal():\n    fake = Fake(4)\n    assert sums.double(fake) == fake.expected\n",
            "the candidate reads expected, from which the test makes what it expects",
        ),
    ],
    ids=["changed", "read"],
)
async def test_swayed_expectations_are_not_tried_apart(bench: Bench, body: str, tests: str, said: str) -> None:
    _alone, verdict = await judged(written(bench, TESTS + "\n" + tests), body)
    assert (verdict.ruling, verdict.findings) == (Ruling.PASSED, ())
    assert said in verdict.assurance


@pytest.mark.slow
async def test_a_test_that_asserts_nothing_is_named(bench: Bench) -> None:
    _alone, verdict = await judged(written(bench, TESTS + "\ndef test_idle():\n    sums.double(1)\n"), "return n + n")
    assert verdict.ruling is Ruling.PASSED
    assert [finding.message for finding in verdict.findings] == [
        "test_sums.py::test_idle asserts nothing that could fail"
    ]


SMOKE = TESTS + "\nclass Kind(type):\n    def __add__(cls, other):\n        return 4\n\n"
SMOKE += "class Mine(metaclass=Kind):\n    pass\n\ndef test_smoke():\n    list([sums.double(Mine)])\n"
HIDING = REPORTS.replace("    return n", "    if type(n) is type(0):\n        return 2 * n\n    raise ValueError")


FAILING = "try:\n        list([sums.double(Mine)])\n    except AttributeError:\n        raise AssertionError"


@pytest.mark.parametrize("smoke", [SMOKE, SMOKE.replace("list([sums.double(Mine)])", FAILING)])
@pytest.mark.parametrize(("body", "ruling"), [("return n + n", Ruling.PASSED), (HIDING, Ruling.FAILED)])
async def test_tests_without_assertions_are_no_forgery(bench: Bench, smoke: str, body: str, ruling: Ruling) -> None:
    """The original text makes such a test fail; it cannot run apart, and the candidate may hide that it fails."""
    sums = SUMS.replace("    return n\n", "    return n if n == 0 else n.real\n")
    project = written(bench, smoke, sums)
    alone, verdict = await judged(project, body, "return n if n == 0 else n.real")
    assert (alone.ruling, verdict.ruling) == (Ruling.PASSED, ruling)


SILENT = """\
    >>> class Mine:
    ...     def __add__(self, other):
    ...         return 4
    >>> kept = [double(Mine())]
"""


ASSERTING = SILENT.replace("    >>> kept = [double(Mine())]", "    >>> assert double(Mine()) == 4")


async def test_silent_assertions_of_examples_count(bench: Bench) -> None:
    """What equals anything is refused, whether an example prints its assertion or not."""
    sums = SUMS.replace("    return n\n", "    return n if n == 0 else n.real\n").replace(
        "    8\n", "    8\n" + ASSERTING
    )
    plain = sums.replace("    >>> double(4)\n    8\n", "")
    _alone, verdict = await judged(written(bench, TESTS, plain), MINE_EQUALS, "return n if n == 0 else n.real")
    assert verdict.ruling is not Ruling.PASSED


@pytest.mark.parametrize(("body", "ruling"), [("return n + n", Ruling.PASSED), (EQUALS, Ruling.FAILED)])
async def test_examples_that_print_nothing_are_no_forgery(bench: Bench, body: str, ruling: Ruling) -> None:
    """The last example cannot run apart, and fails with the original text; it states no more than that it runs."""
    sums = SUMS.replace("    return n\n", "    return n if n == 0 else n.real\n").replace("    8\n", "    8\n" + SILENT)
    _alone, verdict = await judged(written(bench, TESTS, sums), body, "return n if n == 0 else n.real")
    assert verdict.ruling is ruling
    assert ruling is Ruling.FAILED or verdict.findings == ()


async def test_methods_of_a_package_are_found(bench: Bench) -> None:
    """The package imports a module of its own, which its text as it was has to find as well."""
    init = """\
        from collections import UserDict

        from . import parts

        class Box(UserDict):
            def __init__(self, n):
                super().__init__()
                self.n = parts.same(n)
        """
    tests = """\
        from sums import Box

        def test_box():
            box = Box(2)
            box.update({1: 2})
            assert box[1] == 2
            assert box.n == 2
        """
    files = {"sums/__init__.py": init, "sums/parts.py": "def same(n):\n    return n\n", "test_sums.py": tests}
    project = bench.project(files, "sums/__init__.py", "Box.__init__")
    _alone, verdict = await judged(project, "self.n = parts.same(n + 0)", "self.n = parts.same(n)")
    assert (verdict.ruling, verdict.findings) == (Ruling.PASSED, ())


@pytest.mark.parametrize(
    ("helper", "asserts"),
    [
        ("tests/__init__.py", "self.assertEqual(sums.double(given), wanted)"),
        ("tests/helpers.py", "self.assertEqual(sums.double(given), wanted)"),
        ("tests/alone.py", "self.assertEqual(sums.double(given), wanted)"),
        ("tests/helpers.py", "if sums.double(given) != wanted: self.fail()"),
    ],
)
async def test_assertions_of_helpers_are_broken_too(helper: str, asserts: str, bench: Bench) -> None:
    """The second test cannot run apart, so that only its broken assertion shows that it judges the candidate."""
    module = {"tests/__init__.py": "tests", "tests/helpers.py": "tests.helpers", "tests/alone.py": "alone"}[helper]
    package = {} if module == "alone" else {"tests/__init__.py": ""}
    base = f"""\
        from unittest import TestCase
        import sums

        class Base(TestCase):
            def check(self, given, wanted):
                self.assert_double(given, wanted)

            def assert_double(self, given, wanted):
                {asserts}
        """
    tests = f"""\
        from {module} import Base

        class Mine:
            def __add__(self, other):
                return 4

        class TestSums(Base):
            def test_double(self):
                self.check(2, 4)

            def test_mine(self):
                self.check(Mine(), 4)
        """
    files = {"sums.py": SUMS, **package, "tests/test_sums.py": tests, helper: base}
    candidate = bench.project(files, "sums.py", "double")
    _alone, verdict = await judged(candidate, "return n + n")
    assert (verdict.ruling, verdict.findings) == (Ruling.PASSED, ())


@pytest.mark.parametrize("through", ["tests.checks", "tools"])
async def test_candidates_break_no_assertions_themselves(through: str, bench: Bench) -> None:
    """The target imports the helper: executed by the candidate, a broken assertion would say nothing of the test."""
    sums = f"from {through} import check\n\n\ndef double(n):\n    return n\n"
    tools = {} if through != "tools" else {"tools.py": "from tests.checks import (\n    check,\n)\n"}
    checks = "def check(n):\n    assert n == 1\n"
    tests = "import sums\n\nclass Mine:\n    pass\n\ndef test_double():\n    assert sums.double(Mine) == 4\n"
    files = {"sums.py": sums, "tests/__init__.py": "", "tests/checks.py": checks, "tests/test_sums.py": tests, **tools}
    _alone, verdict = await judged(bench.project(files, "sums.py", "double"), f"check(1)\n    {EQUALS}")
    assert verdict.ruling is Ruling.FAILED


LOOP = "for each in {}:\n        assert each == 2\n"


@pytest.mark.parametrize(
    "body",
    [
        "def test_all():\n    " + LOOP.format("sums.double([1])"),
        "def assert_each(got):\n    " + LOOP.format("got") + "\ndef test_all():\n    assert_each(sums.double([1]))\n",
    ],
    ids=["in the test", "in a helper"],
)
async def test_candidates_avoiding_all_assertions_are_undecided(body: str, bench: Bench) -> None:
    tests = "import sums\n\n" + body
    alone, verdict = await judged(written(bench, tests, "def double(n):\n    return n\n"), "return []")
    assert (alone.ruling, verdict.ruling, verdict.cheated) == (Ruling.PASSED, Ruling.UNDECIDED, False)
    assert [finding.message for finding in verdict.findings] == [
        "test_sums.py::test_all passes, but with the candidate no assertion of it is executed"
    ]


async def test_tests_renamed_apart_are_tried_together(bench: Bench) -> None:
    """The assurance says so."""
    tests = "import pytest\nimport sums\n\n"
    tests += "@pytest.mark.parametrize('box', [sums.Box()], ids=lambda box: type(box).__mro__[1].__name__)\n"
    tests += "def test_double(box):\n    assert sums.double(2) == 4\n"
    sums = "class Box:\n    pass\n\n\ndef double(n):\n    return n\n"
    _alone, verdict = await judged(written(bench, tests, sums), "return 2 * n")
    assert (verdict.ruling, verdict.findings) == (Ruling.PASSED, ())
    assert "tier 1 + canary: it is not found under its name in another process" in verdict.assurance


SHELF = {
    "shelf/__init__.py": "from shelf.core import double\n",
    "shelf/core.py": "from shelf import words\n\n\ndef double(n):\n    return n\n",
    "shelf/words.py": "TWO = 2\n",
    "test_shelf.py": "import shelf\n\nTWO = shelf.words.TWO\n\ndef test_double():\n    assert shelf.double(TWO) == 4\n",
}
"""Its test file finds a module that only the target's file imports, which is in the candidate's process."""


@pytest.mark.parametrize(
    ("new", "ruling", "said"),
    [
        ("return 2 * n", Ruling.PASSED, "tier 1 + canary: its file cannot be collected in another process"),
        (REPORTS, Ruling.FAILED, ""),
    ],
    ids=["honest", "forged"],
)
async def test_files_uncollected_apart_anyway_are_excused(new: str, ruling: Ruling, said: str, bench: Bench) -> None:
    alone, verdict = await judged(bench.project(SHELF, "shelf/core.py", "double"), new)
    assert (alone.ruling, verdict.ruling) == (Ruling.PASSED, ruling)
    assert verdict.assurance.startswith(said)


async def test_files_uncollected_for_another_reason_count(bench: Bench) -> None:
    """The candidate itself fails while the file is collected, and only in another process."""
    test = SHELF["test_shelf.py"].replace("TWO = shelf", "ONE = shelf.double(1)\nTWO = shelf")
    core = "import sys\n" + SHELF["shelf/core.py"]
    project = bench.project({**SHELF, "test_shelf.py": test, "shelf/core.py": core}, "shelf/core.py", "double")
    alone, verdict = await judged(
        project, "if 'pytest' not in sys.modules:\n        raise ValueError\n    return 2 * n"
    )
    assert (alone.ruling, verdict.ruling) == (Ruling.PASSED, Ruling.FAILED)
    assert "ValueError" in verdict.findings[0].message


@pytest.mark.slow
async def test_tests_failing_apart_anyway_are_excused(bench: Bench) -> None:
    """They fail apart with the user's own text too."""
    tests = TESTS + "\nimport inspect\n\ndef test_source():\n    assert sums.double(0) == 0\n"
    tests += "    assert 'def double' in inspect.getsource(sums.double)\n"
    _alone, verdict = await judged(written(bench, tests), "return 2 * n")
    assert verdict.ruling is Ruling.PASSED
    assert "tier 1 + canary for 1 of 4 tests" in verdict.assurance


async def test_excuses_for_want_of_time_say_so(bench: Bench) -> None:
    """A test that ends in time together, and does not apart, may do so on a quicker machine."""
    tests = "import types\n\n" + TESTS.replace(
        "    assert sums.double(0)",
        "    while type(sums.double) is not types.FunctionType:\n        pass\n    assert sums.double(0)",
    )
    project = written(bench, tests)
    project.options = TestOptions(seconds=0.5, total_seconds=30.0)
    _alone, verdict = await judged(project, "return 2 * n")
    assert verdict.ruling is Ruling.PASSED
    assert verdict.assurance.endswith(f"did not end within 0.5 s ({NEXT_TIME})")


async def test_tests_after_slow_ones_are_tried_apart(bench: Bench) -> None:
    """A test that runs out of time while the candidate answers leaves no candidate for those after it."""
    tests = "import types\n\n" + TESTS.replace(
        "    assert sums.double(0)",
        "    while type(sums.double) is not types.FunctionType:\n        sums.double(1)\n    assert sums.double(0)",
    )
    project = written(bench, tests + "\ndef test_later():\n    assert sums.double(3) == 6\n")
    project.options = TestOptions(seconds=0.5, total_seconds=30.0)
    _alone, verdict = await judged(project, "return 2 * n")
    assert verdict.ruling is Ruling.PASSED
    assert "tier 1 + canary for 1 of 4 tests: did not end within 0.5 s" in verdict.assurance


GUESSES = """\
import os, sys
    if "pytest" in sys.modules:
        return n > 0
    if type(n) is str:
        raise RuntimeError("it did not end within 0.5 s")
    return os.urandom(1)[0] > 127"""


async def test_candidates_buy_no_second_try(bench: Bench) -> None:
    """Whatever a candidate raises, a test that it had a part in is not run apart again."""
    several = "".join(f"\ndef test_{n}():\n    assert sums.double({n - 9}) is {n > 9}\n" for n in range(18))
    tests = f"import sums\n\nclass Mine(str):\n    pass\n\ndef test_mine():\n    sums.double(Mine())\n{several}"
    project = written(bench, tests, "def double(n):\n    return n\n")
    trace = RunTrace()
    project.executor, project.pool = TracedExecutor(LocalExecutor(SandboxOptions()), trace), None
    _alone, verdict = await judged(project, GUESSES)
    assert verdict.ruling is Ruling.FAILED
    theirs = [run.work for run in trace.runs if run.work.apart and GUESSES in run.work.overlay["sums.py"]]
    assert len(theirs) == 2, "one with assertions as they are, and one with broken ones"


async def test_functions_ours_stand_for_are_carried(bench: Bench) -> None:
    """While files are hidden, `open` is one of ours; the candidate gets that of its own process."""
    sums = "def double(read):\n    return read\n"
    tests = "import sums\n\ndef test_double():\n    assert sums.double(open) == 8\n"
    project = written(bench, tests, sums, **{".env": "KEY=1", "number.txt": "4"})
    body = "with read('number.txt') as file:\n        return 2 * int(file.read())"
    _alone, verdict = await judged(project, body, "return read")
    assert (verdict.ruling, verdict.assurance) == (Ruling.PASSED, "tier 2: apart + canary")


async def test_fakes_of_such_functions_stay_fakes(bench: Bench) -> None:
    """A test's own function is handed over as it is, also one that wraps ours."""
    tests = """\
    import functools, io
    import sums

    @functools.wraps(open)
    def fake(name):
        return io.StringIO("4")

    def test_double():
        assert sums.double(fake) == 8
    """
    files = {".env": "KEY=1"}
    project = written(bench, dedent(tests), "def double(read):\n    return read\n", **files)
    _alone, verdict = await judged(project, "return 2 * int(read('none.txt').read())", "return read")
    assert verdict.ruling is Ruling.PASSED


@pytest.mark.bubblewrap
async def test_both_processes_see_the_same_files(bench: Bench) -> None:
    sums = "def double(path):\n    return path\n"
    tests = """\
    import sums

    def test_double(tmp_path):
        (tmp_path / "number").write_text("4")
        assert sums.double(tmp_path / "number") == 8
        assert (tmp_path / "twice").read_text() == "8"
    """
    project = written(bench, dedent(tests), sums)
    project.executor, project.pool = BubblewrapExecutor(SandboxOptions(), await find_bubblewrap()), None
    body = "number = 2 * int(path.read_text())\n    (path.parent / 'twice').write_text(str(number))\n    return number"
    _alone, verdict = await judged(project, body, "return path")
    assert (verdict.ruling, verdict.assurance) == (Ruling.PASSED, "tier 2: apart + canary")


CONFTEST = """\
import pytest

ANSWERS = {2: 4711}

class Answers:
    two = 4711

@pytest.fixture(params=[{2: 4711}])
def answers(request):
    return request.param
"""

KNOWS = """\
def test_double(answers):
    import sums
    assert sums.double(2) == answers[2] == 4711
"""

IN_CONFTEST = """\
import sys
    return sys.modules["conftest"].ANSWERS[n]"""

IN_THE_HEAP = """\
import gc
    gc.unfreeze()
    return next(each["ANSWERS"][n] for each in gc.get_objects() if type(each) is dict and "ANSWERS" in each)"""

IN_A_CLASS = """\
return next(each.two for each in object.__subclasses__() if each.__name__ == "Answers")"""

AS_A_PARAMETER = """\
import gc
    gc.unfreeze()
    tuples = [each for each in gc.get_objects() if type(each) is tuple and each and type(each[0]) is dict]
    return next(each[0][n] for each in tuples if list(each[0]) == [n] and each[0][n] > 4)"""

AS_COMPILED = """\
from _pytest.assertion import rewrite
    kept = [cell.cell_contents for cell in rewrite._read_pyc.__closure__ or ()]
    codes = [code for each in kept if type(each) is dict for _stamp, code in each.values()]
    tests = [each for code in codes for each in code.co_consts if hasattr(each, "co_consts")]
    return next(each for test in tests for each in test.co_consts if type(each) is int and each > 2)"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "reads",
    [IN_CONFTEST, IN_THE_HEAP, IN_A_CLASS, AS_A_PARAMETER, AS_COMPILED],
    ids=["conftest", "heap", "class", "parameter", "compiled"],
)
async def test_warm_memory_reveals_no_answers(reads: str, tmp_path: Path) -> None:
    sums = "def double(n):\n    return n\n"
    write_project(tmp_path, {"sums.py": sums, "test_sums.py": KNOWS, "conftest.py": CONFTEST})
    project = Project(tmp_path, "sums.py", "double", TestOptions(seconds=5.0, total_seconds=30.0))
    problem = project.problem(await project.baseline())
    peeking, honest = project.candidate("return n", reads), project.candidate("return n", "return {2: 4711}[n]")
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        verifier = ForgeryVerifier(harnesses)
        earned, verdict = await verifier.judge(honest, problem), await verifier.judge(peeking, problem)
        assert (await harnesses.of(problem)).preparation is not None
    assert (earned.ruling, earned.assurance) == (Ruling.PASSED, "tier 2: apart + canary")
    assert (verdict.ruling, verdict.assurance) == (Ruling.FAILED, "")


SEEDS = """\
import random
import sums

def test_double():
    random.seed(4)
    wanted = random.randrange(10**9)
    random.seed(4)
    assert sums.double(2) == 4 + wanted
"""

REGISTERS = """\
import stock
import sums

def test_double():
    stock.COUNTS.append(4)
    assert sums.double(2) == 4
"""


SUBCLASSES = """\
import sums

class Two(sums.Base):
    pass

def test_double():
    assert sums.double("Two") is Two

def test_again():
    assert sums.double("Two").__name__ == "Two"
"""

KINDS = "class Base:\n    kinds = {}\n\n    def __init_subclass__(cls):\n        Base.kinds[cls.__name__] = cls"

REGISTERS_BY_TYPE = """\
import sums

@sums.show.register
def _(number: int):
    return "4"

def test_double():
    assert sums.double(2) == "4!"
"""

SHOWS = "import functools\n\n\n@functools.singledispatch\ndef show(value):\n    return '?'"


@pytest.mark.parametrize(
    ("tests", "head", "body"),
    [
        (SUBCLASSES, KINDS, "return Base.kinds[n]"),
        (REGISTERS_BY_TYPE, SHOWS, "return show(n) + '!'"),
        (SEEDS, "import random", "return 2 * n + random.randrange(10**9)"),
        (REGISTERS, "import stock", "return stock.COUNTS[-1]"),
    ],
    ids=["a subclass", "a function by its annotations", "a seed", "a module of the project's"],
)
async def test_state_of_one_process_is_no_forgery(tests: str, head: str, body: str, bench: Bench) -> None:
    """Tests that depend on it are tried together."""
    sums = f"{head}\n\n\ndef double(n):\n    return n\n"
    project = written(bench, tests, sums, **{"stock.py": "COUNTS = []\n"})
    alone, verdict = await judged(project, body)
    assert (alone.ruling, verdict.ruling, verdict.findings) == (Ruling.PASSED, Ruling.PASSED, ())
    assert verdict.assurance.startswith("tier 1 + canary: ")


POINTS = """\
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int

    def __add__(self, other):
        return self


def double(n):
    return n
"""

LYING_POINT = """\
class Every(Point):
            def __eq__(self, other):
                return isinstance(other, Point)
        return Every(self.x, self.y)"""

ADDS = "import sums\n\ndef test_add():\n    assert sums.Point(1, 2) + sums.Point(3, 4) == sums.Point(4, 6)\n"

LYING_NUMBER = """\
class Nearly:
        def __sub__(self, other):
            return (other % 7) * 1e-12
        __rsub__ = __sub__
    return Nearly()"""

SUBTRACTS = "import sums\n\ndef test_near():\n    assert abs(sums.double(2) - 4) < 1e-9\n"

LYING_LIST = """\
class Every(list):
        def __contains__(self, word):
            return word.isalpha()
    return Every()"""

CONTAINS = "import sums\n\ndef test_word():\n    assert 'two' in sums.double('one two')\n"

LYING_ORDER = """\
class Any:
        def __le__(self, other):
            return True
    return [Any(), Any()]"""

ORDERS = """\
import sums

def test_order():
    found = sums.double([2, 1])
    assert len(found) == 2 and all(a <= b for a, b in zip(found, found[1:]))
"""


@pytest.mark.parametrize(
    ("tests", "old", "new", "ruling", "said"),
    [
        (ADDS, "return self", LYING_POINT, Ruling.FAILED, "forged: "),
        (SUBTRACTS, "return n", LYING_NUMBER, Ruling.FAILED, "forged: "),
        (CONTAINS, "return n", LYING_LIST, Ruling.FAILED, "forged: "),
        (ORDERS, "return n", LYING_ORDER, Ruling.UNDECIDED, "is decided by the candidate's own __le__ of Any"),
    ],
    ids=["equal", "nearly equal", "containing", "in order"],
)
async def test_an_operator_of_the_candidates_decides_nothing(
    tests: str, old: str, new: str, ruling: Ruling, said: str, bench: Bench
) -> None:
    project = written(bench, tests, POINTS)
    project.qualname = "Point.__add__" if old == "return self" else "double"
    alone, verdict = await judged(project, new, old)
    assert (alone.ruling, verdict.ruling) == (Ruling.PASSED, ruling)
    assert said in verdict.findings[0].message
    assert verdict.cheated is (ruling is Ruling.FAILED)


class NeverSplit(LocalExecutor):
    """An executor of a system on which no run can be apart or start from a prepared process."""

    def warmed(self, work: Work, /) -> AbstractAsyncContextManager[Executor]:
        """Return the executor as it is."""
        return nullcontext(self)

    async def run(self, work: Work, tell: Callable[[Message], None], /) -> Finished:
        """Run one program to its end."""
        if work.apart is not None:
            raise SandboxUnavailable("no run can be apart here")
        return await super().run(work, tell)


async def test_without_isolation_the_canary_still_works(bench: Bench) -> None:
    project = written(bench, TESTS)
    project.executor = NeverSplit(SandboxOptions())
    problem = project.problem(await project.baseline())
    verifier = ForgeryVerifier(project.harnesses)
    verdict = await verifier.judge(project.candidate("return n", "return 2 * n"), problem)
    assert (verdict.ruling, verdict.assurance) == (
        Ruling.PASSED,
        f"tier 1 + canary: no run can be apart here ({NEXT_TIME})",
    )
    verdict = await verifier.judge(project.candidate("return n", EQUALS), problem)
    assert verdict.ruling is Ruling.FAILED


async def test_files_may_assert_while_collected(bench: Bench) -> None:
    tests = "import sums\n\nCASES = [(0, 0), (2, 4)]\nassert CASES, 'no cases'\n\ndef test_double():\n"
    tests += "    for n, twice in CASES:\n        assert sums.double(n) == twice\n"
    _alone, verdict = await judged(written(bench, tests), "return 2 * n")
    assert (verdict.ruling, verdict.assurance) == (Ruling.PASSED, "tier 2: apart + canary")
