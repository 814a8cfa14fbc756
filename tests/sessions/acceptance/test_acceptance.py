"""What is applied was verified as it is applied: whole or in part, merged with what the user changed, or not at all."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from certo.edits.target import ByName
from certo.sessions.acceptance.acceptance import prepare_acceptance
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.searches import Searches
from certo.vocabulary.errors import BadSetting, BadSource, NotVerified, StaleText
from support.projects.bare_environment import bare_python
from support.projects.projects import write_project

BASE = '''\
def span(values):
    """The distance from the least to the greatest.

    >>> span([1, 5, 3])
    4
    """
    low = 0
    # what is least comes first
    # and then the greatest
    high = 0
    return high - low


def other():
    return 1
'''
LEAST, GREATEST = "low = min(values)", "high = max(values)"


def finished(text: str) -> str:
    """A text with the candidate's changes."""
    return text.replace("low = 0", LEAST).replace("high = 0", GREATEST)


def function(text: str) -> str:
    """The function alone."""
    return text.partition("\n\n\ndef other")[0]


DONE = function(finished(BASE))


@asynccontextmanager
async def searched(
    root: Path, source: str = DONE, base: str = BASE, instruction: str = "", **settings: Mapping[str, object]
) -> AsyncIterator[LiveSearch]:
    """A search that has ended with one candidate."""
    write_project(root, {"spans.py": base, "pyproject.toml": "[tool.pytest.ini_options]\n"})
    (root / "script.json").write_text(json.dumps([{"source": source}]))
    flags = {"interpreter": str(bare_python()), "search": {"generator": "scripted", "compact": False}, **settings}
    flags["strength"] = {"after_search": False}
    flags["scripted"] = {"path": str(root / "script.json")}
    async with anyio.create_task_group() as group:
        searches = Searches(group, environ={"PATH": "/usr/bin:/bin"})
        request = Request(document=root / "spans.py", text=base, place=ByName("span"), flags=flags)
        live = searches.start(replace(request, instruction=instruction))
        with anyio.fail_after(500):
            await live.run.stopped.wait()
        assert live.state.best is not None, live.state.stopped
        yield live
        group.cancel_scope.cancel()


async def test_changes_in_the_target_are_merged(tmp_path: Path) -> None:
    """Changes in the target are merged with the candidate, and the result is judged as it then is."""
    now = "import math\n\n" + BASE.replace("greatest.\n", "greatest: é🍎.\n").replace("return 1", "return 2")
    async with searched(tmp_path) as live:
        ready = await prepare_acceptance(live, None, now)
    assert ready.after == finished(now)
    assert (ready.moved, ready.merged) == (True, True)
    assert ready.report.verified
    assert ready.candidate_id == ready.report.candidate_id != live.state.best


async def test_an_example_that_was_added_meanwhile_counts(tmp_path: Path) -> None:
    added = BASE.replace("    4\n", "    4\n    >>> span([])\n    0\n")
    async with searched(tmp_path) as live:
        with pytest.raises(StaleText, match="merged with your changes now fails doctest:") as refused:
            await prepare_acceptance(live, None, added)
    assert refused.value.report is not None
    assert not refused.value.report.passed


async def test_a_merge_that_nothing_verifies_is_refused(tmp_path: Path) -> None:
    base = BASE.replace("    >>> span([1, 5, 3])\n    4\n", "    A note.\n")
    source = DONE.replace("    >>> span([1, 5, 3])\n    4\n", "    A note.\n")
    async with searched(tmp_path, source, base, "look at the values") as live:
        with pytest.raises(StaleText, match="no test shows what both changes do together"):
            await prepare_acceptance(live, None, base.replace("A note.", "Another note."))


async def test_unmergeable_changes_are_refused_with_reason(tmp_path: Path) -> None:
    """The refusal names the changes that stand in the way."""
    now = "import math\n" + BASE.replace("low = 0", "low = 1")
    async with searched(tmp_path) as live:
        with pytest.raises(StaleText, match=r"line 8 was changed .* and the candidate changes the same") as refused:
            await prepare_acceptance(live, None, now)
        with pytest.raises(StaleText, match="the signature of span was changed"):
            await prepare_acceptance(live, None, BASE.replace("def span(values)", "def span(values, least=0)"))
        with pytest.raises(StaleText, match="is gone since the search began"):
            await prepare_acceptance(live, None, BASE.replace("def span", "def spread"))
        with pytest.raises(BadSource, match=r"spans\.py:7"):
            await prepare_acceptance(live, None, BASE.replace("low = 0", "low = ("))
        with pytest.raises(StaleText, match="has all of the candidate's changes already"):
            await prepare_acceptance(live, None, "import math\n" + finished(BASE))
        there = await prepare_acceptance(live, None, finished(BASE))
    assert (there.is_in, there.before, there.after) == (True, BASE, finished(BASE)), "an editor put it in"
    (collision,) = refused.value.collisions
    assert now[collision.span.start : collision.span.end] == collision.ours == "    low = 1\n"
    assert collision.theirs == "    low = min(values)\n"


async def test_all_hunks_are_the_candidate(tmp_path: Path) -> None:
    """All hunks are the candidate itself and others there are none."""
    async with searched(tmp_path) as live:
        whole, named = (
            await prepare_acceptance(live, None, BASE),
            await prepare_acceptance(live, None, BASE, hunks=(1, 2)),
        )
        assert whole == named
        assert whole.candidate_id == live.state.best
        with pytest.raises(BadSetting, match="no hunk 3"):
            await prepare_acceptance(live, None, BASE, hunks=(3,))


async def test_only_hunks_that_pass_are_accepted(tmp_path: Path) -> None:
    """Hunks that do not pass alone are refused and those that do are not."""
    base = BASE.replace("return high - low", "# the end\n    high = max(values)\n    return high - low")
    source = function(base.replace("low = 0", LEAST).replace("# the end", "# THE end"))
    async with searched(tmp_path, source, base) as live:
        part = await prepare_acceptance(live, None, base, hunks=(1,))
        assert part.after == base.replace("low = 0", LEAST)
        assert part.report.verified
        assert part.candidate_id not in live.state.rows
        with pytest.raises(NotVerified, match=r"^these hunks alone fail doctest:") as refused:
            await prepare_acceptance(live, None, base, hunks=(2,))
        assert not refused.value.report.passed
        moved = "import math\n" + base
        assert (await prepare_acceptance(live, None, moved, hunks=(1,))).after == moved.replace("low = 0", LEAST)


USES = "from spans import span\n\n\ndef test_span():\n    assert span([2, 4]) == {}\n"


@pytest.mark.slow
async def test_a_test_that_was_saved_meanwhile_counts(tmp_path: Path) -> None:
    async with searched(tmp_path) as live:
        assert not (await prepare_acceptance(live, None, BASE)).moved
        (tmp_path / "test_spans.py").write_text(USES.format(3))
        with pytest.raises(StaleText, match=r"another file of the project has changed, .* now fails test_span"):
            await prepare_acceptance(live, None, BASE)
        (tmp_path / "test_spans.py").write_text(USES.format(2))
        ready = await prepare_acceptance(live, None, BASE)
    assert (ready.after, ready.moved, ready.report.verified) == (finished(BASE), True, True)


@pytest.mark.bubblewrap
async def test_a_test_that_is_being_written_counts(tmp_path: Path) -> None:
    async with searched(tmp_path) as live:
        with pytest.raises(StaleText, match="now fails test_span"):
            await prepare_acceptance(live, None, BASE, {"test_spans.py": USES.format(3)})


SLOW = """
import time

from spans import span


def test_span():
    assert span([2, 4]) == 2
    began = time.process_time()
    while time.process_time() - began < {}:
        pass
"""


async def test_time_outs_are_tried_again_longer(tmp_path: Path) -> None:
    said: list[str] = []
    async with searched(tmp_path, tests={"seconds": 0.5}) as live:
        (tmp_path / "test_spans.py").write_text(SLOW.format(0.8))
        ready = await prepare_acceptance(live, None, BASE, say=said.append)
        assert ready.report.verified
    assert said == ["not decided by tests; trying again with 1.5 s for each test"]


@pytest.mark.slow
async def test_what_takes_too_long_is_refused(tmp_path: Path) -> None:
    """On a busy machine as well, but not before it had three times the time."""
    async with searched(tmp_path, tests={"seconds": 0.5}) as live:
        (tmp_path / "test_spans.py").write_text(SLOW.format(8))
        with pytest.raises(StaleText, match=r"could not be decided: .*did not end within 1.5 s"):
            await prepare_acceptance(live, None, BASE)
