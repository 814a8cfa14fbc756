"""A candidate of several files is accepted as they are now, merged with what was changed in each, or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from certo.edits.target import ByName
from certo.sessions.acceptance.acceptance import prepare_acceptance
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.vocabulary.errors import BadSetting, StaleText
from certo.vocabulary.events import CandidateDeclined
from support.projects.bare_environment import bare_python
from support.projects.two_modules import PRICES, PRICES_DONE, TILL, TILL_DONE, TOTAL, build

pytestmark = [pytest.mark.acceptance(130), pytest.mark.usefixtures("one_event_loop")]

LABEL = '"""Prices."""\n\n\n'


@asynccontextmanager
async def searched(root: Path, *, made: str = "", scope: str = "files") -> AsyncIterator[LiveSearch]:
    """A search that has ended with one candidate of two files, or three with one that is `made`."""
    build(root)
    elsewhere = {"shop/prices.py": PRICES_DONE} | ({"shop/made.py": made} if made else {})
    (root / "script.json").write_text(json.dumps([{"source": TOTAL, "elsewhere": elsewhere}]))
    flags = {
        "interpreter": str(bare_python()),
        "search": {"generator": "scripted", "scope": scope},
        "strength.after_search": False,
        "scripted": {"path": str(root / "script.json")},
    }
    async with anyio.create_task_group() as group:
        searches = Searches(group, environ=os.environ)
        live = searches.start(Request(document=root / "shop/till.py", text=TILL, place=ByName("total"), flags=flags))
        with anyio.fail_after(500):
            await live.run.stopped.wait()
        yield live
        group.cancel_scope.cancel()


@pytest.fixture(scope="module")
async def found(tmp_path_factory: pytest.TempPathFactory, one_event_loop: None) -> AsyncIterator[LiveSearch]:
    """A search whose candidate changes one other file and makes another; the tests put the project back."""
    async with searched(tmp_path_factory.mktemp("project"), made="ONE = 1\n") as live:
        yield live


@pytest.mark.slow
async def test_unmoved_candidate_is_ready_as_is(found: LiveSearch) -> None:
    ready = await prepare_acceptance(found, None, TILL)
    assert (ready.after, ready.moved, ready.report.verified) == (TILL_DONE, False, True)
    assert [(change.path, change.before, change.after) for change in ready.elsewhere] == [
        ("shop/made.py", None, "ONE = 1\n"),
        ("shop/prices.py", PRICES, PRICES_DONE),
    ]
    with pytest.raises(BadSetting, match="changes other files too"):
        await prepare_acceptance(found, None, TILL, hunks=(1,))


@pytest.mark.slow
async def test_other_file_is_merged_and_judged(found: LiveSearch) -> None:
    """Changes in another file are merged, and the result is judged again."""
    typed = LABEL + PRICES
    ready = await prepare_acceptance(found, None, TILL, {"shop/prices.py": typed})
    assert (ready.after, ready.moved, ready.report.verified) == (TILL_DONE, True, True)
    _, change = ready.elsewhere
    assert (change.before, change.after) == (typed, LABEL + PRICES_DONE)
    assert ready.candidate_id == ready.report.candidate_id != found.state.best
    # A test that does not reach the function, and would be broken.
    broken = found.resolved.root / "tests/test_prices.py"
    broken.write_text("from shop.prices import net\n\ndef test_net(): assert net(119) == 119\n")
    with pytest.raises(StaleText, match="another file of the project has changed"):
        await prepare_acceptance(found, None, TILL)
    broken.unlink()


@pytest.mark.slow
async def test_unmergeable_file_is_named(found: LiveSearch) -> None:
    with pytest.raises(StaleText, match=r"shop/prices\.py has changed .* in lines that the candidate changes too"):
        await prepare_acceptance(found, None, TILL, {"shop/prices.py": PRICES.replace("cents\n", "cents * 2\n")})
    shop = found.resolved.root / "shop"
    (shop / "made.py").write_text("TWO = 2\n")
    with pytest.raises(StaleText, match=r"shop/made\.py was made"):
        await prepare_acceptance(found, None, TILL)
    (shop / "made.py").unlink()
    (shop / "prices.py").unlink()
    with pytest.raises(StaleText):
        await prepare_acceptance(found, None, TILL)
    (shop / "prices.py").write_text(PRICES)


async def test_function_scope_declines_other_files(tmp_path: Path) -> None:
    async with searched(tmp_path, scope="function") as live:
        declined = [event for event in live.history.since(0) if isinstance(event, CandidateDeclined)]
        assert "search.scope = files" in declined[0].reason
        assert live.state.rows == {}
