"""Criteria from a project's settings: gates after the tests and before forgery, numbers among the costs."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest

from certo.costs.options import CostOptions
from certo.edits.target import ByName
from certo.llm.model import NoModels
from certo.llm.models import ModelChoice
from certo.plugins import Registry
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sessions.assembly.costs import COSTS, cost_model
from certo.sessions.assembly.criteria import check_criteria, gates, gauges
from certo.sessions.assembly.parts import OWN_VERIFIERS, check_names, pipeline
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.settings.loader import load_settings
from certo.settings.schema import Settings
from certo.verification.dynamic.harness_source import FreshHarnesses
from certo.verification.options import ToolOptions
from certo.verification.tools.toolbox import Toolbox
from certo.vocabulary.candidate import Candidate, Origin
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.problem import BaselineRun
from certo.vocabulary.verdict import Report, Votes
from support.models.scripted_judges import Judge, Named
from support.projects.projects import own_interpreter, write_project
from support.search.candidates import HALF, problem

CRITERIA = """
[tool.certo.criteria.kindness]
expression = "Is it kind?"
samples = 3
min_pass = 2
model = "local"

[tool.certo.criteria.clarity]
expression = "How clear is it?"
kind = "score"
samples = 2
aggregation = "min"
minimum = 1
maximum = 5
weight = 2.0
"""


def settings_of(root: Path, toml: str = CRITERIA) -> Settings:
    (root / "pyproject.toml").write_text(toml)
    return load_settings(root, client=None, environ={}, flags=None)


def toolbox() -> Toolbox:
    return Toolbox(executor=LocalExecutor(SandboxOptions()), interpreter=own_interpreter(), options=ToolOptions())


async def test_each_kind_of_criterion_with_its_model(tmp_path: Path) -> None:
    """Each criterion becomes what its kind says and asks its own model."""
    criteria, models = settings_of(tmp_path).criteria, Named(Judge("true", "no", "yes"))
    (gate,) = gates(criteria, models)
    (part,) = gauges(criteria, models)
    assert models.wanted == ["local", ""]
    assert (gate.name, part.name, part.weight) == ("kindness", "clarity", 2.0)


async def test_numbers_join_the_cost_with_their_weight(tmp_path: Path) -> None:
    criteria, models = settings_of(tmp_path).criteria, Named(Judge("4", "2"))
    model = cost_model(CostOptions(), toolbox(), judged=gauges(criteria, models))
    made = Candidate(id="c", edits=(), text=HALF, origin=Origin(generator="planned"))
    cost = await model.price(made, Report(candidate_id="c"), problem())
    assert cost.value == 2.0 * (5 - 2)
    assert cost.source == "size 0 × 1 + clarity 3 × 2"
    assert [(spread.criterion, spread.values, spread.aggregate) for spread in cost.spreads] == [
        ("clarity", (4.0, 2.0), 2.0)
    ]


@pytest.mark.parametrize("name", ["tests", "policy", "size", "fast"])
def test_criterion_with_a_taken_name_is_refused(tmp_path: Path, name: str) -> None:
    """A criterion cannot have the name of a verifier or a cost."""
    toml = f'[tool.certo.criteria.{name}]\nexpression = "Is it kind?"\n'
    with pytest.raises(BadSetting, match=rf"criteria\.{name}: certo has something of this name already; give the"):
        check_criteria(
            settings_of(tmp_path, toml).criteria, ModelChoice(), taken=(*OWN_VERIFIERS, *COSTS.builtin, "fast")
        )
    if name != "fast":
        with pytest.raises(BadSetting, match=rf"criteria\.{name}: "):
            check_names(settings_of(tmp_path, toml))


def test_gates_judge_between_tests_and_forgery(tmp_path: Path) -> None:
    executor, interpreter = LocalExecutor(SandboxOptions()), own_interpreter()
    settings = settings_of(tmp_path)
    verifiers = pipeline(
        settings,
        problem=replace(problem(), baseline_run=BaselineRun(tools=("mypy", "ruff"))),
        harnesses=FreshHarnesses(executor=executor, interpreter=interpreter, options=settings.tests),
        toolbox=toolbox(),
        models=Named(Judge("true")),
    )
    names = ("syntax", "signature", "policy", "tests", "types", "lint", "kindness", "forgery", "evidence")
    assert verifiers.names == names
    assert {*names} - {*settings.criteria} < {*OWN_VERIFIERS}


def short(code: str) -> bool:
    return len(code) < 200


def named(name: str) -> object:
    """A verifier of a plug-in, which names itself."""
    return SimpleNamespace(name=name, judge=short)


@pytest.mark.parametrize(
    ("plugged", "message"),
    [
        ([short, short], "two verifiers are named 'short', .*; remove that plug-in from verify.plugins"),
        (named("forgery"), "two verifiers are named 'forgery', .*; remove that plug-in"),
        (named("kindness"), "two verifiers are named 'kindness', .*; give criteria.kindness another name, or remove"),
    ],
    ids=["another plug-in's", "a built-in verifier's", "a criterion's"],
)
def test_verifiers_have_different_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plugged: object, message: str
) -> None:
    """The names of a plug-in's verifiers are known once it is loaded, and none may be used twice."""
    monkeypatch.setattr(Registry, "load", lambda *_: plugged)
    settings = settings_of(tmp_path, CRITERIA + '[tool.certo.verify]\nplugins = ["house"]\n')
    with pytest.raises(BadSetting, match=message):
        pipeline(
            settings,
            problem=problem(),
            harnesses=FreshHarnesses(
                executor=LocalExecutor(SandboxOptions()), interpreter=own_interpreter(), options=settings.tests
            ),
            toolbox=toolbox(),
            models=Named(Judge("true")),
        )


def test_criterion_without_model_is_refused_early(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"^criteria\.kindness: .*'local'.*; or leave it out: criteria\.kindness"):
        check_names(settings_of(tmp_path))
    with pytest.raises(BadSetting, match=r"^criteria\.kindness: .* name one in model\.name"):
        check_names(settings_of(tmp_path, CRITERIA.replace('model = "local"', "")))


def test_criterion_that_is_off_is_unused(tmp_path: Path) -> None:
    off = {"CERTO_CRITERIA__KINDNESS__KIND": "off", "CERTO_CRITERIA__CLARITY__KIND": "off"}
    settings_of(tmp_path)
    settings = load_settings(tmp_path, client=None, environ=off, flags=None)
    check_names(settings)
    assert (gates(settings.criteria, NoModels()), gauges(settings.criteria, NoModels())) == ((), ())


TILL = 'def total(prices: list[int]) -> int:\n    """Add up."""\n    return 0\n'
TEST = "from till import total\n\n\ndef test_total() -> None:\n    assert total([2, 3]) == 5\n"


async def searched(root: Path, votes: list[str], bodies: list[str]) -> LiveSearch:
    """The search for `total` whose candidates have these bodies and whose judge votes so, when it has ended."""
    script = [{"source": TILL.replace("return 0", body).rstrip("\n")} for body in bodies]
    said = [{"text": vote} for vote in votes]
    files = {"till.py": TILL, "test_till.py": TEST, "pyproject.toml": CRITERIA}
    write_project(root, {**files, "script.json": json.dumps(script), "votes.json": json.dumps(said)})
    flags = {
        "interpreter": sys.executable,
        "search": {"generator": "scripted"},
        "scripted": {"path": str(root / "script.json")},
        "models": {"local": {"name": f"scripted:{root / 'votes.json'}"}},
        "model": {"name": f"scripted:{root / 'votes.json'}"},
    }
    request = Request(document=root / "till.py", text=TILL, place=ByName("total"), flags=flags)
    async with anyio.create_task_group() as group:
        searches = Searches(group, environ={"PATH": "/usr/bin:/bin"})
        live = searches.start(request)
        with anyio.fail_after(90):
            await live.run.stopped.wait()
        group.cancel_scope.cancel()
    return live


@pytest.mark.slow
async def test_search_votes_on_what_passed_tests(tmp_path: Path) -> None:
    votes = ['{"reason": "it is rude", "verdict": false}'] * 3
    live = await searched(tmp_path, votes, ["return 1", "return sum(prices)"])
    assert live.state.best is None
    first, second = (row.report.failure for row in live.state.rows.values())
    assert first is not None
    assert second is not None
    assert (first.verifier, second.verifier) == ("tests", "kindness")
    assert second.votes == Votes(passed=0, valid=2, asked=3, needed=2)
    assert "it is rude" in [finding.message for finding in second.findings]
    assert 1 <= live.ledger.taken.calls <= 3
