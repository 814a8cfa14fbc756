"""Our own rows of hostile candidates."""

from __future__ import annotations

from hostile.attacks.apart import APART, HARD_CODED
from hostile.attacks.files import FILES
from hostile.attacks.forging import FORGING
from hostile.attacks.looking import LOOKING
from hostile.attacks.network import NETWORK
from hostile.attacks.processes import PROCESSES
from hostile.attacks.using_up import USING_UP
from hostile.attacks.warm import WARM

ROWS = (*USING_UP, *FILES, *NETWORK, *PROCESSES, *WARM, *FORGING, *APART, *LOOKING, HARD_CODED)

COLD_TOO = tuple(
    row
    for row in ROWS
    if row.name
    in (
        "loops_and_swallows_everything",
        "forks_until_it_may_not",
        "fills_memory_with_shared_files",
        "writes_into_every_place_it_knows",
        "reads_the_key_by_a_roundabout_way",
        "calls_a_local_server",
        "kills_its_keeper",
        "reports_in_its_keepers_name",
        "writes_its_keepers_memory",
        "lives_on_as_a_daemon",
        "calls_every_report_a_success",
        "speaks_through_the_channel_it_found",
        "equals_whatever_is_expected",
    )
)
"""Rows that fresh processes are held to as well: their keeper is another, and so are the ways to it."""
