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


@pytest.mark.usual_tests(
    "test_a_path_may_be_of_any_kind[ x/-y/*.py]",
    "test_content_is_kept_byte_by_byte[\\xe9 is no UTF-8\\n]",
    "test_files_are_made_and_removed",
    "test_files_changed_since_are_left_alone",
    "test_paths_out_of_project_are_refused",
    "test_stored_candidates_are_known_elsewhere",
    "test_the_base_has_what_is_not_saved",
    "test_what_is_gits_own_is_refused[deep/.git/config]",
)
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
