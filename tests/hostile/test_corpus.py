"""The rows of the hostile corpus get the verdict it names; collected only where there is a corpus."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from certo.sandbox.executor import Executor
from hostile.corpus import TARGETS, CorpusRow, project_of, read_corpus
from hostile.court import Court, open_court, warmed
from hostile.world import World, users_world

_FORGED = "forge"
"""How the corpus calls candidates that lie: they get the time they want, for haste would reject them as well."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    rows = read_corpus(metafunc.config.getoption("hostile_corpus"))
    if "row" in metafunc.fixturenames:
        metafunc.parametrize("row", rows, ids=[row.name for row in rows])


@pytest.fixture(scope="session")
def corpus(pytestconfig: pytest.Config) -> Path:
    return pytestconfig.getoption("hostile_corpus")


@pytest.fixture(scope="module")
def corpus_world(executor: Executor, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with users_world(tmp_path_factory.mktemp("corpus"), project_of(corpus)) as around:
        yield around


@pytest.fixture(scope="module")
async def corpus_court(executor: Executor, python: Path, corpus_world: World, confined: None) -> AsyncIterator[Court]:
    async with warmed(await open_court(executor, python, corpus_world.project, "mod.py", *TARGETS)) as court:
        yield court


async def test_a_row_of_the_corpus(row: CorpusRow, corpus_court: Court, corpus_world: World) -> None:
    corpus_world.look()
    hurried = row.verdict == "reject" and row.cat != _FORGED
    judgement = await corpus_court.judge(row.text(corpus_world), hurried=hurried)
    assert corpus_world.harm() == []
    assert judgement.ran_warm
    if row.verdict == "accept":
        assert judgement.accepted, (row.must, judgement.findings)
    elif row.verdict == "reject":
        assert judgement.rejected, (row.must, judgement.assurance)


async def test_original_text_passes_after_all_that(corpus_court: Court, corpus_world: World) -> None:
    corpus_world.look()
    text = (corpus_world.project / "mod.py").read_text(encoding="utf-8")
    assert len(corpus_court.problem.baseline.tests) == 5
    judgement = await corpus_court.judge(text, hurried=False)
    assert judgement.accepted, judgement.findings
    assert judgement.ran_warm
    assert corpus_world.harm() == []
