"""The words of a target and the flags of a command."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from certo.cli.request_arguments import SIDE_BY_SIDE, add_choices, add_target, request_of
from certo.cli.runs.early_start import may_be_chosen
from certo.edits.target import ByLine, ByName, Place, split_target
from certo.settings.schema import known_options
from certo.vocabulary.errors import BadRequest, BadSetting
from support.search.journalled_searches import request


@pytest.mark.parametrize(
    ("words", "path", "place"),
    [
        ("a.py::f", "a.py", ByName("f")),
        ("src/a.py::Shop.total", "src/a.py", ByName("Shop.total")),
        ("a.py::outer.<locals>.inner", "a.py", ByName("outer.<locals>.inner")),
        ("a.py:12", "a.py", ByLine(12)),
        ("C:/shop/a.py::f", "C:/shop/a.py", ByName("f")),
        ("C:/shop/a.py:3", "C:/shop/a.py", ByLine(3)),
        ("odd::name.py::f", "odd::name.py", ByName("f")),
        ("odd::name.py:7", "odd::name.py", ByLine(7)),
        ("odd:7.py::f", "odd:7.py", ByName("f")),
        ("/abs/a.py::größe", "/abs/a.py", ByName("größe")),
        ("test_a.py::test_f[1]", "test_a.py", ByName("test_f")),
        ("test_a.py::test_f[b.py::g[0]-x]", "test_a.py", ByName("test_f")),
        ("test_a.py::TestShop::test_f", "test_a.py", ByName("TestShop.test_f")),
        ("odd::name.py::TestShop::TestTill::test_f[a:b]", "odd::name.py", ByName("TestShop.TestTill.test_f")),
    ],
)
def test_a_target_is_read_from_its_end(words: str, path: str, place: Place) -> None:
    assert split_target(words) == (Path(path), place)


@pytest.mark.parametrize(
    "words",
    ["", "a.py", "a.py::", "::f", ":3", "a.py:", "a.py:0", "a.py:-1", "a.py:x", "a.py:1:2x"],
)
def test_anything_else_is_refused_by_name(words: str) -> None:
    with pytest.raises(BadRequest) as refused:
        split_target(words)
    assert repr(words) in str(refused.value)
    assert "FILE::NAME" in str(refused.value)


def test_a_home_directory_is_found() -> None:
    assert split_target("~/a.py::f")[0] == Path.home() / "a.py"


def flags_of(root: Path, *words: str) -> Mapping[str, object]:
    """The settings that these words of a command line stand for."""
    (root / "a.py").write_text("def f(): ...\n")
    parser = argparse.ArgumentParser()
    add_target(parser)
    add_choices(parser)
    return request_of(parser.parse_args([f"{root / 'a.py'}::f", *words])).flags


def test_candidates_flag_sets_width_of_all_strategies(tmp_path):
    flags = flags_of(tmp_path, "--candidates", "4")
    assert {name: flags.get(name) for name in SIDE_BY_SIDE} == dict.fromkeys(SIDE_BY_SIDE, 4)
    for name in SIDE_BY_SIDE:
        assert name in known_options()
    assert "search.strategy" not in flags


def test_iterations_choose_retry_and_no_other(tmp_path):
    assert flags_of(tmp_path, "--iterations", "2")["search.strategy"] == "retry"
    with pytest.raises(BadSetting, match="each lane of `retry`, but the strategy is mcts"):
        flags_of(tmp_path, "--iterations", "2", "--strategy", "mcts")


@pytest.mark.parametrize(
    ("variable", "chosen"),
    [
        ("CERTO_BUILTIN__SECONDS", False),
        ("CERTO_INTERPRETER", True),
        ("CERTO_SANDBOX__ISOLATION", True),
        ("CERTO_EXECUTOR__CLUSTER", True),
    ],
)
def test_variables_of_other_groups_delay_no_command(tmp_path: Path, variable: str, chosen: bool) -> None:
    asked = replace(request(tmp_path / "project"), flags={})
    assert may_be_chosen(asked, {variable: "1"}) is chosen
    assert may_be_chosen(replace(asked, flags={"interpreter": "python3"}), {}) is True
