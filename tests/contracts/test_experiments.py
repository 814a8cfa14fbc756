"""Experiments are kept alike on git and without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.experiments import ExperimentsContract
from support.projects.repositories import Stage, begin, commit

pytestmark = pytest.mark.acceptance(61, 62)


def project(stage: Stage) -> Stage:
    """What both kinds are tried on."""
    stage.write(shop_py="def total():\n    return 1\n", deep__till_py="COINS = ()\n")
    return stage


class TestOnGit(ExperimentsContract):
    """The project is a repository."""

    @pytest.fixture
    def stage(self, tmp_path: Path) -> Stage:
        begin(tmp_path / "shop")
        stage = project(Stage(tmp_path / "shop", tmp_path / "experiments" / "shop"))
        commit(stage.root)
        return stage


class TestBelowTheTopOfARepository(ExperimentsContract):
    """The project is a part of a repository."""

    @pytest.fixture
    def stage(self, tmp_path: Path) -> Stage:
        begin(tmp_path / "all")
        stage = project(Stage(tmp_path / "all" / "a part" / "shop", tmp_path / "experiments" / "shop"))
        commit(tmp_path / "all")
        return stage


class TestWithoutGit(ExperimentsContract):
    """The project is in no repository."""

    @pytest.fixture
    def stage(self, tmp_path: Path) -> Stage:
        (tmp_path / "shop").mkdir()
        return project(Stage(tmp_path / "shop", tmp_path / "experiments" / "shop"))
