"""Asking another program: its answer, bounded, and nothing of it left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from certo.sandbox.process.command import CommandResult, ask

if TYPE_CHECKING:
    from pathlib import Path

ENVIRON = {"PATH": "/usr/bin:/bin"}


def is_alive(pid: str) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return ") Z " not in stat.read()
    except FileNotFoundError:
        return False


async def test_the_result_has_outputs_and_status(tmp_path: Path) -> None:
    script = "pwd; echo $NAME; echo no >&2; cat; exit 3"
    answer = await ask(("sh", "-c", script), environ={**ENVIRON, "NAME": "x"}, directory=tmp_path)
    assert answer == CommandResult(status=3, out=f"{tmp_path}\nx\n", err="no\n")
    assert answer.last_words == "no"


async def test_flooded_output_is_cut() -> None:
    answer = await ask(("sh", "-c", "yes | head -c 5000000"), environ=ENVIRON)
    assert (answer.status, len(answer.out)) == (0, 1 << 20)


async def test_unstartable_programs_raise_oserror() -> None:
    with pytest.raises(FileNotFoundError):
        await ask(("/no/such/program",), environ=ENVIRON)


async def test_overrunning_kills_what_it_started_too(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    with pytest.raises(TimeoutError):
        await ask(("sh", "-c", f"sleep 60 & echo $! > {pid}; wait"), environ=ENVIRON, seconds=3.0)
    with anyio.fail_after(100):
        while is_alive(pid.read_text().strip()):
            await anyio.lowlevel.checkpoint()


async def test_no_child_outlasts_the_time_limit(tmp_path: Path) -> None:
    """It holds the output open."""
    pid = tmp_path / "pid"
    with anyio.fail_after(100):
        with pytest.raises(TimeoutError):
            await ask(("sh", "-c", f"sleep 60 & echo $! > {pid}"), environ=ENVIRON, seconds=3.0)
        while is_alive(pid.read_text().strip()):
            await anyio.lowlevel.checkpoint()


@pytest.mark.parametrize(
    ("err", "out", "words"), [("a\nb\n", "c", "b"), (" \n", "c\n", "c"), ("", "", "it printed nothing")]
)
def test_the_last_words_are_for_messages(err: str, out: str, words: str) -> None:
    assert CommandResult(status=1, out=out, err=err).last_words == words
