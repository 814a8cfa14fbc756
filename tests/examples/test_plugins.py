"""The example plug-ins install offline into one environment, keep their contracts there, and judge a real search.

The generator says why it has no candidate; the strategy takes twenty lines, and sees the history and the best of its
search.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from certo import testing
from support.cli.command import SOURCE, certo, scripted, till

pytestmark = pytest.mark.acceptance(12, 14, 36, 41, 75)

PLUGINS = Path(__file__).parents[2] / "examples" / "plugins"

CONTRACTS = {
    "greedy-strategy": testing.StrategyContract,
    "halving-generator": testing.GeneratorContract,
    "no-globals-verifier": testing.VerifierContract,
    "time-and-length-cost": testing.CostContract,
    "noting-executor": testing.ExecutorContract,
    "faster-evaluator": testing.EvaluatorContract,
}
"""Each example by its folder, with the contract that its test inherits."""


def each_check() -> Iterator[tuple[str, str]]:
    """Each example with the name of each check of its contract."""
    for example, contract in CONTRACTS.items():
        for name in dir(contract):
            if name.startswith("test_"):
                yield example, name


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of an environment with all examples; they are built from copies, and nothing is downloaded."""
    place = tmp_path_factory.mktemp("examples")
    copies = [shutil.copytree(PLUGINS / example, place / example) for example in CONTRACTS]
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--target", place / "site")
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *offline, *copies], check=True)
    return {"PYTHONPATH": str(place / "site")}


@pytest.fixture(scope="module")
def results(installed: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """Return the result of each test of the examples, run as their authors run them, by example and name."""
    place = tmp_path_factory.mktemp("tests")
    for example in CONTRACTS:
        (place / example).mkdir()
        for test in (PLUGINS / example).glob("test_*.py"):
            shutil.copy(test, place / example)
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "--rootdir", place, place]
    ran = subprocess.run(
        command, cwd=place, env={**os.environ, **installed}, capture_output=True, text=True, check=False
    )
    found = re.findall(r"^([a-z-]+)/\S+::(\w+) (\w+)", ran.stdout, re.MULTILINE)
    assert found, ran.stdout + ran.stderr
    return {(example, name): how for example, name, how in found}


def test_every_example_has_a_contract() -> None:
    assert {path.name for path in PLUGINS.iterdir()} == set(CONTRACTS)


@pytest.mark.parametrize("example", CONTRACTS)
def test_an_example_is_short(example: str) -> None:
    """An author can read the whole module on one screen."""
    [module] = [path for path in (PLUGINS / example).glob("*.py") if not path.name.startswith("test_")]
    assert len(module.read_text(encoding="utf-8").splitlines()) <= 50


@pytest.mark.parametrize(("example", "check"), list(each_check()))
def test_an_example_keeps_its_contract(example: str, check: str, results: Mapping[tuple[str, str], str]) -> None:
    assert results.get((example, check)) == "PASSED"


def test_doctor_finds_them_all(installed: Mapping[str, str], tmp_path: Path) -> None:
    ran = certo(till(tmp_path / "till"), "doctor", "--json", **installed)
    [plugins] = [fact for fact in json.loads(ran.out)["facts"] if fact["subject"] == "plug-ins"]
    assert plugins["health"] == "good"
    assert sorted(plugins["details"]) == [
        "cost time-and-length (time_and_length_cost:TimeAndLength)",
        "evaluator faster (faster_evaluator:Faster)",
        "executor noting (noting_executor:build)",
        "generator halving (halving_generator:build)",
        "strategy greedy (greedy_strategy)",
        "verifier no-globals (no_globals_verifier:no_globals)",
    ]


def test_a_search_uses_them(installed: Mapping[str, str], tmp_path: Path) -> None:
    """A repair is found with the strategy, judged by the verifier, priced by the cost and run by the executor."""
    chosen = {
        "CERTO_VERIFY__PLUGINS": '["no-globals"]',
        "CERTO_COST__PLUGINS": '["time-and-length"]',
        "CERTO_EXECUTOR__PLUGIN": "noting",
        "CERTO_SEARCH__EVALUATOR": "faster",
    }
    documented = SOURCE.replace("    coins = []\n", '    """\n    >>> change(50)\n    [50]\n    """\n    coins = []\n')
    root = till(tmp_path / "till", source=documented)
    reply = {"source": documented.partition("\n\n\n")[2].partition("\n\n\n")[0].replace("due > coin", "due >= coin")}
    words = ("--strategy", "greedy", *scripted(root, reply), "--json")
    ran = certo(root, "generate", "till.py::change", *words, **installed, **chosen)
    assert ran.code == 0, ran.err
    winner = ran.events[-1]["winner"]
    assert "no-globals" in {verdict["verifier"] for verdict in winner["evidence"]["verdicts"]}
    assert "time-and-length" in winner["cost"]["source"]
    scores = [event["score"] for event in ran.events if event["type"] == "candidate.scored"]
    assert {score["source"] for score in scores if score is not None} == {"points by faster"}
