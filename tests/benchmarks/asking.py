"""Asks the command for one function of a project on disk, and reads what it shows off its events."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.projects.bare_environment import bare_python

START_SECONDS = 60.0
"""What a run may take beyond its search, to find the interpreter and take the baseline."""

SLOWED = 15.0
"""How many times its own budget a search may take on a machine that is busy, before it is given up."""


@dataclass(frozen=True)
class Answer:
    """What the command said: the winner's source, if any, and the sources of all it showed, the winner's first.

    `seconds` is the time from the baseline's end to the winner, the search's own; None without a winner. `level` is
    that of the evidence for the winner.
    """

    winner: str | None
    shown: tuple[str, ...]
    seconds: float | None
    sentence: str
    level: str = ""


def ask(target: str, root: Path, seconds: float) -> Answer:
    """Run `certo generate` in a project, its search for so many seconds of work on one core.

    What a verifier refused counts as not shown. The project gets an environment with pytest alone, as users have: ours
    is full of plug-ins, which take longer than the search.
    """
    if not (root / ".venv").exists():
        (root / ".venv").symlink_to(bare_python().parents[1])
    patience = SLOWED * seconds
    command = [sys.executable, "-m", "certo", "generate", target, "--json", "--seed", "0", "--timeout", f"{patience:g}"]
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env={**os.environ, "CERTO_BUILTIN__SECONDS": f"{seconds:g}"},
            capture_output=True,
            text=True,
            timeout=patience + START_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer(None, (), None, "the command did not end")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    if not events or events[-1]["type"] != "search.stopped":
        return Answer(None, (), None, done.stderr.strip()[-300:])
    return read(events, (root / target.partition("::")[0]).read_text(encoding="utf-8"))


def read(events: list[dict[str, Any]], text: str) -> Answer:
    """What the events of one search over `text` show."""
    proposed: dict[str, str] = {}
    refused: set[str] = set()
    began = 0.0
    for event in events:
        if event["type"] == "search.started":
            began = event["at"]
        elif event["type"] == "candidate.proposed":
            proposed[event["candidateId"]] = edited(text, event["edits"])
        elif event["type"] == "verdict" and event["verdict"]["ruling"] != "passed":
            refused.add(event["candidateId"])
    last = events[-1]
    winner = last["winner"]["source"] if last["verified"] else None
    others = [source for name, source in proposed.items() if name not in refused and source != winner]
    if winner is None:
        return Answer(None, (), None, last["sentence"])
    level = last["winner"]["evidence"]["graded"]["level"]
    return Answer(winner, (winner, *others), last["at"] - began, last["sentence"], level)


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """Make a candidate's edits."""
    for edit in sorted(edits, key=lambda one: -int(one["span"]["start"])):
        text = text[: edit["span"]["start"]] + edit["replacement"] + text[edit["span"]["end"] :]
    return text
