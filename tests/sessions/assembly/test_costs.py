"""Costs made of the settings: one that counts, or a sum, and refusals before any work is done.

An installed package may bring a cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from certo import plugins
from certo.costs.measures import EditSize
from certo.costs.options import CostOptions
from certo.generation.scripted import ScriptedGenerator
from certo.sessions.assembly.costs import check_costs, cost_model
from certo.sessions.assembly.parts import assemble, check_names
from certo.settings.loader import load_settings
from certo.settings.schema import Settings
from certo.verification.options import ToolOptions
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.verdict import Report
from support.models.scripted_judges import Judge, Named
from support.projects.linted_project import Tooled

pytestmark = pytest.mark.acceptance(36)


def lines(code: str) -> int:
    """A cost as a package may bring it."""
    return len(code.splitlines())


@pytest.fixture
def brought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a package installed that brings a cost `lines`."""
    points = EntryPoints([EntryPoint("lines", f"{__name__}:lines", "certo.costs")])
    monkeypatch.setattr(plugins, "entry_points", lambda: points)
    monkeypatch.setattr(EntryPoint, "load", lambda self: {"lines": lines}[self.attr])


def settings(**cost: object) -> Settings:
    return load_settings(Path("/nowhere"), client={"cost": cost}, environ={}, flags=None)


def test_default_cost_is_edit_size(tmp_path: Path) -> None:
    """As shipped the size of the edit is all there is."""
    assert isinstance(cost_model(Settings().cost, Tooled(tmp_path, {}).toolbox), EditSize)


async def test_weights_and_lint_findings_are_summed(tmp_path: Path, brought: None) -> None:
    """Weights are summed, and a finding of a linter has a price."""
    tooled = Tooled(tmp_path, {"ruff.toml": "lint.select = ['F']\n"})
    chosen = settings(size=0, lint=2, controlFlow=0.5, calls=["tax=3"], plugins=["lines=0.25"])
    check_names(chosen)
    candidate = tooled.candidate("tax(price)")
    report, problem = Report(candidate_id=candidate.id), tooled.stated("ruff")
    cost = await cost_model(chosen.cost, tooled.toolbox).price(candidate, report, problem)
    assert (cost.value, cost.unit) == (2 * 1 + 0.5 * 3 + 0.25 * 2, "points")
    assert cost.source == "lint 1 × 2 + control_flow 3 × 0.5 + lines 2 × 0.25"
    unread = await cost_model(chosen.cost, tooled.toolbox).price(candidate, report, tooled.stated())
    assert unread.source == "not priced: ValueError: no tool of the project's can judge lint"


@pytest.mark.parametrize(("lint", "asked"), [(0, True), (1, False)])
def test_priced_findings_are_no_refusal(tmp_path: Path, lint: int, asked: bool) -> None:
    tooled = Tooled(tmp_path, {}, options=ToolOptions(custom=("checks:check",)))
    parts = assemble(
        settings(lint=lint),
        generator=ScriptedGenerator(()),
        problem=tooled.stated("ruff"),
        harnesses=tooled.project.harnesses,
        toolbox=tooled.toolbox,
        models=Named(Judge("true")),
    )
    names: Sequence[str] = parts.pipeline.names
    assert ("lint" in names) is asked
    assert parts.compaction is None


def test_unknown_costs_are_refused_with_remedy(monkeypatch: pytest.MonkeyPatch, brought: None) -> None:
    with pytest.raises(BadSetting, match="there is no cost 'gone'; known: size, complexity"):
        check_costs(CostOptions(plugins=("gone",)))
    with pytest.raises(BadSetting, match=r"cost\.plugins names 'size', which is built in; set"):
        check_costs(CostOptions(plugins=("size",)))
    monkeypatch.setattr("certo.sessions.assembly.costs.find_spec", lambda _: None)
    with pytest.raises(BadSetting, match=r"cost\.complexity = 2 needs complexipy.*pip install 'certo\[tools\]'"):
        check_costs(CostOptions(complexity=2))
