"""Candidates judged by real mypy in a real sandbox: new errors count, old ones do not.

mypy has a time limit of its own; where it is left out, that is said.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import pytest

from certo.edits.diff import change_of
from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.options import SandboxOptions
from certo.verification.options import ToolOptions
from certo.verification.static.text_verdict import MAX_CANDIDATE_BYTES
from certo.verification.tools.runner import TOOLS
from certo.verification.tools.toolbox import Toolbox, warm_toolbox
from certo.vocabulary.errors import BrokenWorld
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Ruling, Verdict
from support.projects.linted_project import PRICES, SHOP, Tooled
from support.projects.projects import write_project
from support.sandbox.stage import Stage

pytestmark = pytest.mark.acceptance(21)

MYPY = {"pyproject.toml": "[tool.mypy]\ndisallow_untyped_defs = true\n"}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Run all tests of this file on one loop, on which they share a process that has read the original text."""
    return "asyncio"


@dataclass(frozen=True, slots=True)
class Shared:
    """A project whose candidates are judged warm, as those of a search are, without one test for each start of mypy."""

    tooled: Tooled
    problem: Problem
    toolbox: Toolbox

    async def verdict(self, new: str, old: str = "len(prices)") -> Verdict:
        return await self.tooled.types(self.tooled.candidate(new, old), self.problem, self.toolbox)


@pytest.fixture(scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shared]:
    files = {**MYPY, "more.py": "def more() -> str:\n    return 1\n", "worse.py": "def worse(:\n"}
    tooled = Tooled(tmp_path_factory.mktemp("shared"), files)
    problem = await tooled.problem()
    async with warm_toolbox(tooled.toolbox, problem) as toolbox:
        yield Shared(tooled, problem, toolbox)


async def test_only_new_errors_count(shared: Shared) -> None:
    assert shared.problem.baseline_run.tools == ("mypy",)
    assert shared.problem.baseline.problems == ()
    assert shared.tooled.said == ["letting mypy read shop.py as it is"]

    verdict = await shared.verdict("sum(prices)")
    assert (verdict.verifier, verdict.ruling, verdict.findings) == ("types", Ruling.PASSED, ())
    assert (await shared.verdict("(\n        sum(prices)\n        + 0\n    )")).ruling is Ruling.PASSED

    wrong = await shared.verdict("[\n        tax(str(prices)),\n    ][0]")
    assert wrong.ruling is Ruling.FAILED
    assert [(finding.message, finding.line) for finding in wrong.findings] == [
        ('mypy: Argument 1 to "tax" has incompatible type "str"; expected "int" [arg-type]', 7)
    ]


@pytest.mark.slow
async def test_all_files_of_candidates_are_checked(tmp_path: Path) -> None:
    """Each is read among the others as the candidate has them."""
    tooled = Tooled(tmp_path, MYPY)
    problem = tooled.stated("mypy")
    shop = tooled.candidate("import made\n    return tax(sum(prices), made.SHARE)", "return len(prices)")
    share = change_of("made.py", None, "SHARE = 7\n")
    wider = change_of("prices.py", PRICES, "def tax(price: int, share: int) -> int:\n    return price // share\n")
    assert (await tooled.types(replace(shop, elsewhere=(share, wider)), problem)).ruling is Ruling.PASSED

    made = change_of("made.py", None, "SHARE = 7\n\n\ndef made():\n    return 1\n")
    judged = await tooled.types(replace(shop, elsewhere=(made,)), problem)
    assert [finding.message for finding in judged.findings] == [
        'mypy: Too many arguments for "tax" [call-arg]',
        "mypy: made.py:4: Function is missing a return type annotation [no-untyped-def]",
    ]


async def test_newly_imported_modules_are_not_blamed(shared: Shared) -> None:
    """Their types are known."""
    imports = await shared.verdict("import more\n    return more.more()", "return len(prices)")
    assert [(finding.message, finding.line) for finding in imports.findings] == [
        ('mypy: Incompatible return value type (got "str", expected "int") [return-value]', 7)
    ]
    blocked = await shared.verdict("import worse\n    return 0", "return len(prices)")
    assert blocked.ruling is Ruling.UNDECIDED
    assert blocked.findings[0].message.startswith("mypy broke down: worse.py:1: error:")


async def test_a_candidate_may_not_silence_the_tool(shared: Shared) -> None:
    silenced = await shared.verdict("str(prices)  # type: ignore[return-value]")
    assert [(finding.message, finding.line) for finding in silenced.findings] == [
        ("mypy: do without the comment that silences mypy: return str(prices)  # type: ignore[return-value]", 6)
    ]


@pytest.mark.slow
async def test_findings_equal_those_of_the_command(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path / "stated", {"mypy.ini": "[mypy]\nstrict = True\n"}, text=SHOP.partition("late:")[0])
    problem = tooled.stated("mypy")
    bodies = [
        "return sum(prices)",
        "return None",
        "import decimal\n    return decimal.Decimal(sum(prices))",
        "found = {}\n    found['a'] = prices\n    return found",
        "def inner(x):\n        return x\n    return inner(prices)",
        "for price in prices:\n        tax(price, price)",
        "return [tax(price) for price in undefined]",
    ]
    async with warm_toolbox(tooled.toolbox, problem) as toolbox:
        for number, body in enumerate(bodies):
            candidate = tooled.candidate(body, "return len(prices)")
            verdict = await tooled.types(candidate, problem, toolbox)
            plain = write_project(
                tmp_path / str(number),
                {"shop.py": candidate.text, "prices.py": PRICES, "mypy.ini": "[mypy]\nstrict = True\n"},
            )
            said = await anyio.run_process(
                [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "shop.py"], cwd=plain, check=False
            )
            errors = re.findall(r"^shop\.py:(\d+): error: (.*?)  (\[.*\])$", said.stdout.decode(), re.MULTILINE)
            assert [(finding.line, finding.message) for finding in verdict.findings] == [
                (int(line), f"mypy: {message} {code}") for line, message, code in errors
            ]


async def test_options_for_output_change_nothing(tmp_path: Path) -> None:
    """Neither the findings nor the project, even of a single run without a process that is kept."""
    stage = Stage(tmp_path)
    switched = "pretty = True\nshow_column_numbers = True\nshow_error_end = True\nshow_error_context = True\n"
    written = "cache_dir = here\njunit_xml = report.xml\nshow_absolute_path = True\nfollow_imports = silent\n"
    tooled = Tooled(stage.root, {"mypy.ini": f"[mypy]\n{switched}{written}"})
    before = stage.digest()
    verdict = await tooled.types(tooled.candidate("str(prices)"), tooled.stated("mypy"))
    assert (verdict.ruling, [finding.line for finding in verdict.findings]) == (Ruling.FAILED, [6])
    assert stage.digest() == before


async def test_without_configuration_types_are_not_checked(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path, {})
    problem = await tooled.problem()
    assert (problem.baseline_run.tools, problem.baseline.problems, tooled.said) == ((), (), [])
    verdict = await tooled.types(tooled.candidate("str(prices)"), problem)
    assert verdict.ruling is Ruling.UNDECIDED


async def test_the_setting_insists_or_switches_off(tmp_path: Path) -> None:
    assert (await Tooled(tmp_path, {}, options=ToolOptions(types="mypy")).problem()).baseline_run.tools == ("mypy",)
    assert (await Tooled(tmp_path, MYPY, options=ToolOptions(types="off")).problem()).baseline_run.tools == ()


async def test_required_tools_that_fail_stop_everything(tmp_path: Path) -> None:
    absent = Tooled(tmp_path / "absent", {}, options=ToolOptions(types="ty"))
    bare = Path(sys.base_prefix) / "bin" / Path(sys.executable).name
    absent.project.interpreter = replace(absent.project.interpreter, executable=bare)
    with pytest.raises(BrokenWorld, match=f"{bare} has no ty, and verify.types insists on ty; install it: {bare} -m"):
        await absent.problem()
    broken = Tooled(tmp_path / "broken", {"mypy.ini": "[mypy]\nplugins = no.py\n"}, options=ToolOptions(types="mypy"))
    with pytest.raises(BrokenWorld, match=r"(?s)On the current text mypy broke down: .*, and verify.types insists on"):
        await broken.problem()


async def test_required_tools_excluding_documents_are_reported(tmp_path: Path) -> None:
    files = {"mypy.ini": "[mypy]\nexclude = ^shop\n"}
    problem = await Tooled(tmp_path, files, options=ToolOptions(types="mypy")).problem()
    assert problem.baseline.problems == ("mypy is configured to leave shop.py out, so the check types is too",)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (
            {"mypy.ini": "[mypy]\nplugins = broken.py\n", "broken.py": "raise RuntimeError('plug-in')\n"},
            'Error importing plugin "broken.py": plug-in',
        ),
        (
            {
                "mypy.ini": "[mypy]\nplugins = broken.py\n",
                "broken.py": """\
                    from mypy.plugin import Plugin

                    class Broken(Plugin):
                        def get_function_hook(self, fullname):
                            raise RuntimeError(f"no idea of {fullname}")

                    def plugin(version):
                        return Broken
                    """,
            },
            "RuntimeError: no idea of",
        ),
        ({"mypy.ini": "[mypy]\n", "prices.py": "def tax(:\n"}, "prices.py:1: error:"),
        (
            {"mypy.ini": "[mypy]\nplugins = ending.py\n", "ending.py": "import os\nos._exit(3)\n"},
            "ended before its end",
        ),
    ],
    ids=["plug-in that cannot be imported", "plug-in that raises", "import that does not parse", "plug-in that exits"],
)
async def test_tools_failing_on_the_original_are_skipped(tmp_path: Path, files: dict[str, str], problem: str) -> None:
    """The problem says why."""
    tooled = Tooled(tmp_path, files)
    stated = await tooled.problem()
    assert stated.baseline_run.tools == ()
    (sentence,) = stated.baseline.problems
    assert sentence.startswith("On the current text mypy ")
    assert problem in sentence
    assert sentence.endswith("; so the check types is left out")


async def test_slow_tools_are_left_out(tmp_path: Path) -> None:
    """They take too long over the original text."""
    files = {"mypy.ini": "[mypy]\nplugins = slow.py\n", "slow.py": "while True: pass\n"}
    problem = await Tooled(tmp_path, files, options=ToolOptions(seconds=-4.0)).problem()
    assert problem.baseline_run.tools == ()
    assert "so the check types is left out; raise verify.seconds" in problem.baseline.problems[0]


async def test_excluded_documents_are_not_judged(tmp_path: Path) -> None:
    problem = await Tooled(tmp_path, {"mypy.ini": "[mypy]\nexclude = ^shop\n"}).problem()
    assert (problem.baseline_run.tools, problem.baseline.problems) == ((), ())


async def test_tools_failing_on_the_candidate_are_undecided(tmp_path: Path) -> None:
    plugin = """\
        from mypy.plugin import Plugin

        class Picky(Plugin):
            def get_function_hook(self, fullname):
                if fullname == "builtins.sorted":
                    raise RuntimeError("not that one")

        def plugin(version):
            return Picky
        """
    tooled = Tooled(tmp_path, {"mypy.ini": "[mypy]\nplugins = picky.py\n", "picky.py": plugin})
    problem = tooled.stated("mypy")
    async with warm_toolbox(tooled.toolbox, problem) as toolbox:
        assert (await tooled.types(tooled.candidate("sum(prices)"), problem, toolbox)).ruling is Ruling.PASSED
        verdict = await tooled.types(tooled.candidate("sorted(prices)[0]"), problem, toolbox)
    assert verdict.ruling is Ruling.UNDECIDED
    assert [finding.message for finding in verdict.findings] == ["mypy broke down: RuntimeError: not that one"]


@pytest.mark.parametrize(
    "body",
    [
        "return len(prices)\0",
        "return " + "(" * 3000 + "1" + ")" * 3000,
        "return " + "-" * 20000 + "1",
        "return \ud800",
        "x = [\n",
        "# type: ignore\n    reveal_type(1 +",
    ],
    ids=["null byte", "parentheses", "minus signs", "lone surrogate", "half a list", "half a call"],
)
async def test_a_hostile_candidate_ends_as_a_verdict(shared: Shared, body: str) -> None:
    candidate = shared.tooled.with_text(SHOP.replace("return len(prices)", body))
    verdict = await shared.tooled.types(candidate, shared.problem, shared.toolbox)
    assert verdict.ruling in (Ruling.FAILED, Ruling.UNDECIDED)
    assert verdict.findings


async def test_a_huge_candidate_is_not_read(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path, MYPY)
    verdict = await tooled.types(tooled.with_text("x\n" * MAX_CANDIDATE_BYTES), tooled.stated("mypy"))
    assert verdict.ruling is Ruling.FAILED
    assert f"more than {MAX_CANDIDATE_BYTES} are not read" in verdict.findings[0].message


async def judged_warm(tooled: Tooled) -> None:
    tooled.project.unsaved = {"prices.py": "def tax(price: str) -> int:\n    return len(price)\n"}
    problem = tooled.stated("mypy")
    async with warm_toolbox(tooled.toolbox, problem) as toolbox:
        good = [await tooled.types(tooled.candidate("tax(str(prices))"), problem, toolbox) for _ in range(2)]
        bad = await tooled.types(tooled.candidate("tax(prices)"), problem, toolbox)
        finished = await toolbox.warm["mypy"].run(toolbox.inspector(TOOLS["mypy"], problem).work(SHOP), lambda _: None)
    assert [verdict.ruling for verdict in good] == [Ruling.PASSED, Ruling.PASSED]
    assert bad.ruling is Ruling.FAILED
    assert (finished.complete, finished.cold) == (True, "")


async def test_candidates_are_judged_warm(tmp_path: Path) -> None:
    """They are once the original text was read, and those that are not saved of other files count."""
    await judged_warm(Tooled(tmp_path, MYPY))


@pytest.mark.bubblewrap
async def test_types_are_checked_in_bubblewrap_too(tmp_path: Path) -> None:
    tooled = Tooled(tmp_path, MYPY)
    tooled.project.executor = BubblewrapExecutor(SandboxOptions(), await find_bubblewrap())
    await judged_warm(tooled)
