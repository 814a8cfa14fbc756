"""The lines above the candidates, on a terminal and in a log."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from certo.cli.view.progress import Lines, LiveTable
from certo.cli.view.terminal import THEME
from certo.presentation.phrases import set_aside
from certo.search.board import SearchState
from certo.vocabulary.events import SearchStarted
from certo.vocabulary.problem import FLAKY, KnownTest
from certo.vocabulary.verdict import Ruling
from support.search.events import BASELINE, told

LONG = KnownTest(
    id="tests/test_till.py::test_gross",
    ruling=Ruling.FAILED,
    message="assert 2.4000000000000004 == 3.6 ± 3.6e-06, comparison failed, Obtained: 2.4, Expected: the end",
)


def started(**fields: str) -> tuple[SearchState, SearchStarted]:
    """A search that set aside a test with a lot to say."""
    board = SearchState()
    event = next(event for event in told() if isinstance(event, SearchStarted))
    event = replace(event, baseline=replace(BASELINE, set_aside=(LONG,)), **fields)
    board.apply(event)
    return board, event


def shown(view: type[LiveTable] | type[Lines], *, width: int, terminal: bool, **fields: str) -> list[str]:
    """The lines that a view prints of that search."""
    file = io.StringIO()
    on = Console(
        file=file, width=width, height=24, theme=THEME, force_terminal=terminal, color_system=None, legacy_windows=False
    )
    board, event = started(**fields)
    told_by = view(on)
    told_by.on_event(board, event)
    told_by.tick()
    told_by.close()
    return file.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 120])
def test_set_aside_test_takes_one_terminal_line(width: int) -> None:
    lines = shown(LiveTable, width=width, terminal=True)
    begun = max(number for number, line in enumerate(lines) if "    tests/test_till.py::test_gross" in line)
    assert lines[begun - 1].rstrip() == "  tests set aside, failing for a reason outside the function or its change:"
    assert lines[begun].rstrip().endswith("…")
    assert lines[begun + 1].startswith("checks in order")


def test_flaky_tests_are_named_only_as_problems() -> None:
    steady, unsteady = LONG, replace(LONG, message=FLAKY)
    assert len(set_aside(replace(BASELINE, set_aside=(steady, unsteady)))) == 2
    assert set_aside(replace(BASELINE, set_aside=(unsteady,))) == []


def test_set_aside_test_is_whole_in_logs() -> None:
    (line,) = [line for line in shown(Lines, width=80, terminal=False) if "::test_gross" in line]
    assert line.endswith("Expected: the end")


@pytest.mark.parametrize(
    ("strategy", "generator", "said"),
    [
        ("fixer", "builtin", True),
        ("llm_tree_search", "builtin", True),
        ("fixer", "model", False),
        ("auto", "builtin", False),
    ],
)
def test_strategy_without_its_model_is_named(strategy, generator, said):
    lines = shown(Lines, width=120, terminal=False, strategy=strategy, generator=generator)
    named = f"! {strategy} is made for a language model; the built-in search gives it one candidate at a time"
    assert (named in lines) is said
