"""Searches that nobody asked for: when they may begin, and what they give way to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from anyio.abc import TaskGroup

from certo.edits.source import read_source
from certo.edits.target import ByName
from certo.sessions.ambient.changes import LAST_FAILED
from certo.sessions.ambient.repairs import AmbientRepairs, Symptom
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from support.projects.bare_environment import bare_environ
from support.projects.projects import write_project

FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "sums.py": "def double(n):\n    return n - n\n\n\ndef other():\n    return 1\n",
    "test_sums.py": "from sums import double\n\n\ndef test_double():\n"
    "    assert [double(n) for n in (1, 5)] == [2, 10]\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_project(tmp_path / "sums", FILES)


async def request_on_disk(symptom: Symptom) -> Request:
    client = {"ambient": {"enabled": True, "secondsPerMinute": 1000}}
    return Request(document=symptom.document, text=read_source(symptom.document), place=symptom.place, client=client)


def repairs_of(group: TaskGroup, searches: Searches) -> AmbientRepairs:
    """Return the ambient repairs of one more client."""
    return AmbientRepairs(group=group, searches=searches, ask=request_on_disk, quiet_seconds=0, on_battery=bool)


@asynccontextmanager
async def repairs_of_searches() -> AsyncIterator[tuple[AmbientRepairs, Searches]]:
    async with anyio.create_task_group() as group:
        searches = Searches(group, environ=bare_environ())
        yield (
            repairs_of(group, searches),
            searches,
        )
        group.cancel_scope.cancel()


async def test_nothing_is_searched_for_unasked_by_default(root: Path) -> None:
    symptom = Symptom(root / "sums.py", ByName("double"))
    begun: list[LiveSearch] = []

    async def ask_without_settings(symptom: Symptom) -> Request:
        return replace(await request_on_disk(symptom), client=None)

    async def ask_with_criteria(symptom: Symptom) -> Request:
        asked = await request_on_disk(symptom)
        criteria = {"clear": {"expression": "It is clear."}}
        return replace(
            asked, client={**(asked.client or {}), "criteria": criteria, "model": {"name": "openai:gpt-5-mini"}}
        )

    async with repairs_of_searches() as (repairs, searches):
        searches.subscribe(lambda *_: None, begun.append)
        repairs.on_battery = lambda: True
        await repairs.follow(symptom)
        repairs.on_battery = lambda: False
        for repairs.ask in (ask_without_settings, ask_with_criteria):
            await repairs.follow(symptom)
        repairs.ask = request_on_disk
        await repairs.follow(Symptom(root / "sums.py", ByName("other")))
        assert begun == []
        # It is the test that leads to the function here.
        await repairs.follow(Symptom(root / "test_sums.py", ByName("test_double")))
        [offer] = repairs.offers(root / "sums.py")
        assert (offer.target.name, offer.resolved.request.test) == ("double", "test_sums.py::test_double")
        assert set(map(id, begun)) == {id(offer)}


@pytest.mark.slow
async def test_search_that_was_asked_for_goes_first(root: Path) -> None:
    document = root / "sums.py"
    begun: list[LiveSearch] = []
    offered = anyio.Event()
    async with repairs_of_searches() as (repairs, searches):

        def notice(live: LiveSearch) -> None:
            if live in begun:
                return
            begun.append(live)
            if len(begun) == 1:
                assert list(searches) == []
                asked = Request(document=document, text=read_source(document), place=ByName("other"))
                searches.start(replace(asked, flags={"search.generator": "builtin"}))

        repairs.changed = lambda _: offered.set()
        searches.subscribe(lambda *_: None, notice)
        repairs.group.start_soon(repairs.keep)
        await anyio.lowlevel.checkpoint()
        repairs.look_at([Symptom(document, ByName("double"))])
        with anyio.fail_after(300):
            await offered.wait()
        first, asked, again = begun
        assert first not in searches
        assert list(searches) == [asked, again]
        assert again.state.best_row is not None


async def test_offer_goes_for_other_clients_undismissed(root: Path) -> None:
    """An offer is kept while its own text is put in; another client may offer again what goes otherwise."""
    document = root / "sums.py"
    symptom = Symptom(document, ByName("double"))
    text = read_source(document)
    async with repairs_of_searches() as (repairs, searches):
        other = repairs_of(repairs.group, searches)
        for each in (repairs, other):
            repairs.group.start_soon(each.keep)
        await anyio.wait_all_tasks_blocked()
        await repairs.follow(symptom)
        [offer] = other.offers(document)
        # Both clients hear of the same failing test, and one search is enough.
        await other.follow(symptom)
        assert list(searches) == [offer]
        repairs.typed(document, text.replace("n - n", "n + n"))
        assert list(repairs.offers(document)) == [offer], "an editor that shows ghost text has put it in"
        repairs.typed(document, text + "x = (\n")
        assert list(repairs.offers(document)) == [offer], "something else is being typed"
        repairs.typed(document, text.replace("n - n", "n - ("))
        assert list(searches) == []
        await other.follow(symptom)
        [again] = other.offers(document)
        assert again is not offer


async def test_broken_save_hides_no_change(root: Path) -> None:
    document = root / "sums.py"
    text = read_source(document) + "".join(f"\n\ndef more{number}():\n    return {number}\n" for number in range(6))
    async with repairs_of_searches() as (repairs, _):
        repairs.opened(document, text)
        repairs.saved(document, text.replace("n - n", "(n"))
        assert not repairs._symptoms
        repairs.saved(document, text.replace("n - n", "n * n"))
        assert list(repairs._symptoms) == [Symptom(document, ByName("double", 0))]
        # A change of many is no slip of the pen.
        repairs.saved(document, text.replace("return", "return 1 +"))
        assert list(repairs._symptoms) == [Symptom(document, ByName("double", 0))]


async def test_odd_entry_hides_no_failing_test(tmp_path: Path) -> None:
    cache = write_project(tmp_path, {str(LAST_FAILED): '{"a.py::": true, "::x": true, "z.py::test_z": true}'})
    async with repairs_of_searches() as (repairs, _):
        repairs.tested(cache / LAST_FAILED)
        assert list(repairs._symptoms) == [Symptom(tmp_path / "z.py", ByName("test_z"))]
