"""Our own rows of hostile candidates."""

from __future__ import annotations

import pytest

from hostile.attacks.apart import APART, HARD_CODED
from hostile.attacks.deciding import DECIDING
from hostile.attacks.files import FILES
from hostile.attacks.forging import FORGING
from hostile.attacks.kernel import KERNEL
from hostile.attacks.looking import LOOKING
from hostile.attacks.network import NETWORK
from hostile.attacks.noticing import NOTICING
from hostile.attacks.processes import PROCESSES
from hostile.attacks.secrets import SECRETS
from hostile.attacks.using_up import USING_UP
from hostile.attacks.warm import WARM
from hostile.row import Row

ROWS = (
    *USING_UP,
    *FILES,
    *SECRETS,
    *NETWORK,
    *PROCESSES,
    *KERNEL,
    *WARM,
    *FORGING,
    *APART,
    *DECIDING,
    *NOTICING,
    *LOOKING,
    HARD_CODED,
)


def by_name(rows: tuple[Row, ...]) -> list[object]:
    """Rows as parameters of a test, each under its name."""
    return [pytest.param(row, id=row.name) for row in rows]


def _named(*names: str) -> tuple[Row, ...]:
    found = {row.name: row for row in ROWS}
    return tuple(found[name] for name in names)


COLD_TOO = _named(
    "loops_and_swallows_everything",
    "forks_until_it_may_not",
    "fills_memory_with_shared_files",
    "writes_into_every_place_it_knows",
    "reads_the_key_by_a_roundabout_way",
    "reads_the_settings_by_other_ways",
    "reads_the_settings_by_another_name",
    "reads_what_git_ignores",
    "leaves_a_tree_deeper_than_any_path",
    "calls_a_local_server",
    "kills_its_keeper",
    "reports_in_its_keepers_name",
    "writes_its_keepers_memory",
    "lives_on_as_a_daemon",
    "writes_memory_that_programs_share",
    "takes_away_a_named_queue",
    "mounts_by_the_calls_that_are_newer",
    "calls_every_report_a_success",
    "speaks_through_the_channel_it_found",
    "equals_whatever_is_expected",
)
"""Rows that fresh processes are held to as well: their keeper is another, and so are the ways to it."""

APART_TOO = tuple(row for row in ROWS if not (row.whole or row.before or row.lingers))
"""Rows that are tried from the candidate's own process as well; those that only wait are ended there like any other."""

TELLING = _named(
    "loops_and_swallows_everything",
    "forks_until_it_may_not",
    "writes_into_every_place_it_knows",
    "reads_the_key_by_a_roundabout_way",
    "reads_the_settings_by_other_ways",
    "calls_a_local_server",
    "signals_its_zygote_by_every_call",
    "writes_every_memory_it_can_name",
    "reads_memory_that_programs_share",
    "leaves_an_answer_for_the_next_one",
    "speaks_through_the_channel_it_found",
    "equals_whatever_is_expected",
    "equals_anything_apart_and_runs_no_test_otherwise",
    "gives_a_number_that_equals_its_neighbours",
    "reads_the_tests_by_every_way",
    "finds_the_tests_in_its_memory",
    "answers_with_noise",
    "looks_for_the_tests_among_the_modules",
)
"""A few rows that say most: of each kind of harm one, and of the forgeries those that came closest."""
