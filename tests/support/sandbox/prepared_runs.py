"""Runs that are prepared together, each with its own text for thing.py, and their processes."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

from certo.sandbox.executor import Executor, Finished, Message, Work
from certo.sandbox.process.process_table import descendants, process_table, start_of
from support.sandbox.stage import Stage


async def run_either(executor: Executor, work: Work, *, warm: bool) -> tuple[Finished, list[Message]]:
    """Run warm or cold, and return once the processes of either are gone."""
    if not warm:
        return await heard_of(executor, work)
    async with executor.warmed(work) as prepared:
        finished, messages = await heard_of(prepared, work)
    assert finished.cold == ""
    return finished, messages


def work_of(stage: Stage, source: str, *, name: str = "the user's", **how: Any) -> Work:
    """Return a run whose candidate is a text for thing.py."""
    return replace(
        stage.work(dedent(source), overlay={"thing.py": f"NAME = {name!r}\n"}, **how), preparation={"word": "common"}
    )


async def heard_of(executor: Executor, work: Work, tell: Any = None) -> tuple[Finished, list[Message]]:
    """Run to the end and return the ending and the messages, which `tell` gets at once."""
    messages: list[Message] = []

    def take(message: Message) -> None:
        messages.append(message)
        if tell is not None:
            tell(message)

    return await executor.run(work, take), messages


def own_mark() -> str:
    """Return the mark of our runs, in the environment of their processes and the names of their scratch directories."""
    return f"certo-{os.getpid()}-{start_of(os.getpid())}-"


def own_processes() -> list[int]:
    """Return the processes of runs that are ours, by the mark in their environment."""
    found = []
    for process in process_table():
        try:
            if own_mark().encode() in Path(f"/proc/{process.pid}/environ").read_bytes():
                found.append(process.pid)
        except OSError:
            continue
    return found


def own_zygotes() -> list[int]:
    """Return our processes without children, while no run goes on."""
    below = descendants(os.getpid())
    parents = {process.parent for process in below}
    return [process.pid for process in below if process.pid not in parents]
