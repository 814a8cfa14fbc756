"""At the end of a search a model says what it taught, where one is named, and fails by the policy."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from certo.costs.measures import EditSize
from certo.generation.scripted import ScriptedGenerator
from certo.search.engine import Parts
from certo.search.strategy import compares_answers
from certo.sessions.assembly.parts import check_names
from certo.sessions.live import LiveSearch
from certo.sessions.persistence.knowledge import with_reflection
from certo.settings.loader import load_settings
from certo.strategies.best_of import BestOf, BestOfOptions
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.verifier import Pipeline
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.knowledge import Claim
from certo.vocabulary.outcome import Outcome
from support.search.candidates import problem
from support.search.journalled_searches import RIGHT, WRONG, ended, journal_of, process, request, sums

pytestmark = [pytest.mark.acceptance(64), pytest.mark.usefixtures("kept_processes")]

HOLDING = {
    "section": "invariants",
    "claim": "double is linear",
    "quotes": [{"path": "sums.py", "text": "def double(n):"}],
}
MADE_UP = {"section": "gotchas", "claim": "half is wrong", "quotes": [{"path": "sums.py", "text": "return n // 2"}]}
ELSEWHERE = {"section": "gotchas", "claim": "a key is there", "quotes": [{"path": ".env", "text": "KEY=sk-canary"}]}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of all tests, which leave it as it is."""
    root = sums(tmp_path_factory.mktemp("project"))
    (root / ".env").write_text("KEY=sk-canary\n")
    return root


async def searched(
    root: Path, tmp_path: Path, *lines: dict[str, object], **flags: object
) -> tuple[LiveSearch, tuple[Claim, ...], list[str]]:
    """A search that is right at its second try, what the model has taught its journal, and what the user was told."""
    script = tmp_path / "model.json"
    script.write_text(json.dumps(lines))
    said: list[str] = []
    wish = request(root, WRONG, RIGHT, **{"memory.model": f"scripted:{script}", **flags})
    async with process(tmp_path / "journals") as searches:
        searches.subscribe(lambda *_: None, said=said.append)
        live = searches.start(wish)
        await ended(live)
    with closing(journal_of(tmp_path / "journals", root)) as journal:
        return live, tuple(claim for claim in journal.learned.claims() if claim.key.startswith("said")), said


def line(*claims: object) -> dict[str, object]:
    return {"text": json.dumps({"value": claims})}


async def test_only_claims_with_found_quotations_stay(root: Path, tmp_path: Path) -> None:
    """Claims of the model are kept if their quotations are in the files."""
    live, claims, said = await searched(root, tmp_path, {"text": "no JSON"}, line(HOLDING, MADE_UP, ELSEWHERE))
    assert [(claim.section, claim.text, claim.search) for claim in claims] == [
        ("invariants", "double is linear", live.id)
    ]
    assert said == []
    assert live.state.stopped is not None
    assert live.state.stopped.outcome is Outcome.SOLVED
    assert live.state.stopped.spent.calls == 2, "the search pays for it"


@pytest.mark.parametrize(
    ("policy", "outcome"), [("warn", Outcome.SOLVED), ("fail", Outcome.WORLD_BROKEN)], ids=["warn", "fail"]
)
async def test_failed_reflection_warns_or_fails(root: Path, tmp_path: Path, policy: str, outcome: Outcome) -> None:
    flags = {"memory.repo_memory_failure_policy": policy, "memory.repo_memory_max_retries": 1}
    live, claims, said = await searched(root, tmp_path, {"text": "no"}, {"text": "still no"}, line(HOLDING), **flags)
    assert claims == ()
    assert live.state.stopped is not None
    assert live.state.stopped.outcome is outcome
    told = said if policy == "warn" else [live.state.stopped.reason]
    assert len(told) == 1
    assert "what the search has taught could not be learned: scripted:model.json did not say" in told[0]


async def test_reflecting_strategy_still_compares(root: Path, tmp_path: Path) -> None:
    live, _, _ = await searched(root, tmp_path, line(HOLDING))
    comparing, other = (
        Parts(
            generator=ScriptedGenerator(()), strategy=strategy, pipeline=Pipeline(verifiers=()), cost_model=EditSize()
        )
        for strategy in (BestOf(BestOfOptions()), Retry(RetryOptions()))
    )
    assert compares_answers(with_reflection(comparing, live, problem(), {}, print).strategy)
    assert not compares_answers(with_reflection(other, live, problem(), {}, print).strategy)


async def test_spent_budget_fails_no_search(root: Path, tmp_path: Path) -> None:
    flags = {"search.calls": 0, "memory.repo_memory_failure_policy": "fail"}
    live, claims, said = await searched(root, tmp_path, line(HOLDING), **flags)
    assert (claims, len(said)) == ((), 1)
    assert live.state.stopped is not None
    assert live.state.stopped.outcome is Outcome.SOLVED


async def test_unknown_reflection_model_is_refused_early(root: Path, tmp_path: Path) -> None:
    """A model that there is not is refused before anything runs."""
    settings = load_settings(tmp_path, client=None, environ={}, flags={"memory.model": "nobody:x"})
    with pytest.raises(BadSetting, match="nobody"):
        check_names(settings)
