"""Functions of a project on disk, searched, verified, compared and tested from Python."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from certo import AttemptsFailed, Declined, EvidenceLevel, Project, ProjectSearch, Strategy
from certo.llm.prompt import Prompt, Reply
from certo.vocabulary.errors import BadRequest, BadSetting, StaleText, TargetNotFound
from certo.vocabulary.events import CandidateProposed, SearchStarted, SearchStopped, VerdictReached
from certo.vocabulary.problem import Problem
from support.models.model_generator import block
from support.models.scripted_answers import Answers, reply
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project

BUG = (
    "def total(prices: list[int]) -> int:\n    result = 0\n    for price in prices[1:]:\n        result += price\n"
    "    return result\n"
)
FIXED = BUG.replace("prices[1:]", "prices")
TESTS = (
    "from shop import total\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n"
    "def test_none():\n    assert total([]) == 0\n\ndef test_more():\n    assert total([5, 2, 3]) == 10\n"
)
WRONG = BUG.replace("[1:]", "[2:]")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(
        tmp_path / "project", {"shop.py": BUG, "test_shop.py": TESTS, "pyproject.toml": "[tool.pytest.ini_options]\n"}
    )


@pytest.fixture
async def project(root: Path) -> AsyncIterator[Project]:
    async with Project(root, settings={"interpreter": str(bare_python())}) as opened:
        yield opened


def answering(*texts: str) -> Any:
    """A generator that gives these, one after the other; `seen` has what it was told of the earlier ones."""
    rest = iter(texts)

    def write(problem: object, past: tuple[Any, ...]) -> str:
        seen.append(past)
        return next(rest)

    seen: list[tuple[Any, ...]] = []
    write.seen = seen  # type: ignore[attr-defined]
    return write


async def test_failing_test_leads_to_applied_repair(project: Project, root: Path) -> None:
    async with project.search("test_shop.py::test_total") as search:
        events = [event async for event in search]
        result = await search.result()
        assert result.verified
        assert result.best.report.graded is not None
        assert result.best.report.graded.level in EvidenceLevel
        assert result.path == "shop.py"
        assert await search.apply() == root / "shop.py"
    assert isinstance(events[-1], SearchStopped)
    assert {SearchStarted, VerdictReached} <= {type(event) for event in events}
    assert (root / "shop.py").read_text() == result.best.text != BUG
    assert (await project.verify("shop.py::total")).verified


async def test_evidence_of_function_as_it_is(project: Project, root: Path) -> None:
    (root / "shop.py").write_text(FIXED)
    (root / "old.txt").write_text(BUG)
    difference = await project.diff("shop.py::total", other=root / "old.txt")
    assert difference.is_different
    strength = await project.strength("shop.py::total")
    assert 0 < strength.noticed <= strength.of
    (root / "test_shop.py").unlink()
    tests = await project.write_tests("shop.py::total")
    written = await project.add_tests(tests)
    assert "total(" in written.read_text()
    with pytest.raises(BadRequest, match="nothing was written"):
        await project.add_tests(tests, ["test_of_nothing"])


@pytest.mark.slow
async def test_evaluator_words_reach_next_proposal(project: Project) -> None:
    def evaluate(text: str) -> dict[str, Any]:
        return {"score": float("[2:]" not in text), "length": len(text), "feedback": "it skips two prices"}

    write = answering(WRONG, FIXED)
    strategy = Strategy(generate=write, evaluate=evaluate, max_iterations=2, num_candidates=1)
    async with project.search("shop.py::total", strategy=strategy) as search:
        result = await search.result()
    assert result.best.score is not None
    assert result.best.score.metrics == {"length": float(len(FIXED))}
    assert "it skips two prices" in write.seen[1][0].error


async def test_settings_name_the_strategy(root: Path) -> None:
    settings = {"interpreter": str(bare_python()), "search.strategy": "best_of", "best_of.num_candidates": 1}
    async with Project(root, settings=settings) as project, project.search("shop.py::total") as search:
        async for event in search:
            if isinstance(event, SearchStarted):
                assert event.strategy == "best_of"
                return
    raise AssertionError("the search did not start")


@pytest.mark.slow
async def test_near_miss_of_a_model_is_repaired(project: Project) -> None:
    """Its second answer never comes, and the third is another one beside the edit."""
    nearly = reply(block(FIXED.replace("result = 0", "result = 1")))

    async def never(prompt: Prompt) -> Reply:
        await anyio.sleep_forever()
        raise AssertionError

    with anyio.fail_after(120):
        async with project.search("shop.py::total", llm=Answers([nearly, never, reply(block(FIXED))])) as search:
            proposed = [event async for event in search if isinstance(event, CandidateProposed)]
            assert (await search.result()).verified
    assert [event.origin.generator for event in proposed][:2] == ["model", "builtin"]


async def test_leaving_the_block_ends_the_search(project: Project) -> None:
    asked, cancelled = anyio.Event(), anyio.Event()

    async def endless(problem: object, past: object) -> str:
        asked.set()
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()
        return ""

    async with project.search("shop.py::total", strategy=Strategy(generate=endless)):
        await asked.wait()
    assert cancelled.is_set()


async def test_nothing_found_raises_all_attempts(project: Project, root: Path) -> None:
    async with project.search(
        "shop.py::total", strategy=Strategy(generate=answering(WRONG), max_iterations=1)
    ) as search:
        with pytest.raises(AttemptsFailed, match="total") as failed:
            await search.result()
        assert len(failed.value.attempts) == 1
        with pytest.raises(Exception, match="candidate"):
            await search.apply()
    assert (root / "shop.py").read_text() == BUG


@pytest.mark.slow
async def test_changed_file_is_never_overwritten_blindly(project: Project, root: Path) -> None:
    async with project.search("shop.py::total", strategy=Strategy(generate=answering(FIXED))) as search:
        await search.result()
        (root / "shop.py").write_text("def total(prices):\n    return 0\n")
        with pytest.raises(StaleText):
            await search.apply()
    assert (root / "shop.py").read_text() == "def total(prices):\n    return 0\n"


@pytest.mark.slow
async def test_strategy_holds_for_further_suspects(project: Project, root: Path) -> None:
    """Applying what was found in the second suspect leaves the block as any other does."""
    price, total = "def price() -> int:\n    return 2\n", "def total() -> int:\n    return price() + 2\n"
    (root / "shop.py").write_text(f"{price}\n\n{total}")
    (root / "test_shop.py").write_text("from shop import total\n\n\ndef test_total():\n    assert total() == 5\n")
    right = {"price": price.replace("2", "3"), "total": total.replace("2", "3")}
    asked: dict[str, None] = {}

    def write(problem: Problem, past: object) -> str | Declined:
        asked[problem.target.name] = None
        return right[problem.target.name] if len(asked) > 1 else Declined(reason="not this one")

    async with project.search("test_shop.py::test_total", strategy=Strategy(generate=write)) as search:
        assert (await search.result()).verified
        await search.apply()
    assert len(asked) == 2


async def test_readers_of_events_end_with_the_block(project: Project) -> None:
    kinds: list[type] = []

    async def read(search: ProjectSearch) -> None:
        kinds.extend([type(event) async for event in search])

    async def endless(problem: object, past: object) -> str:
        await anyio.sleep_forever()
        return ""

    strategy = Strategy(generate=endless)
    async with anyio.create_task_group() as group, project.search("shop.py::total", strategy=strategy) as search:
        group.start_soon(read, search)
        await anyio.wait_all_tasks_blocked()
    assert kinds[-1] is SearchStopped


async def test_own_checks_need_the_text_they_judged(project: Project, root: Path) -> None:
    strategy = Strategy(generate=answering(FIXED), verify=lambda code: ("total" in code, ""))
    async with project.search("shop.py::total", strategy=strategy) as search:
        await search.result()
        (root / "shop.py").write_text("# a comment\n" + BUG)
        with pytest.raises(StaleText, match="own checks"):
            await search.apply()


async def test_bad_requests_are_refused(project: Project, root: Path) -> None:
    with pytest.raises(TargetNotFound):
        await project.verify("shop.py::totals")
    with pytest.raises(BadRequest, match="outside"):
        await project.verify("../other.py::f")
    with pytest.raises(BadRequest, match="goal"):
        async with project.search("shop.py::total", goal="slower"):
            pass
    with pytest.raises(BadSetting, match="mcts"):
        async with Project(root, settings={"search.strategy": "mctss"}) as wrong:
            await wrong.verify("shop.py::total")
    with pytest.raises(BadRequest, match="async with"):
        await Project(root).verify("shop.py::total")
    with pytest.raises(BadRequest, match="no folder"):
        async with Project(root / "nowhere"):
            pass
