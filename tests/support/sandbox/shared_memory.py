"""Memory that the copies of a warm process have to themselves, and memory that they share with it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import anyio

from certo.sandbox.process.process_table import descendants
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.verification.options import TestOptions
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from support.projects.projects import Project, write_project
from support.sandbox.resource_leaks import DOUBLE, TESTS

_LONG = "import time\n\ndef double(number):\n    time.sleep(2)\n    return number * 2 + {number}\n"
_WHILE_THEY_SLEEP = 1.0
_MOST_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Share:
    """The memory of one process in KiB, as the kernel counts it.

    `resident` is all that it has, `proportional` counts what several processes have by their number, and `own` is what
    no other has.
    """

    resident: int
    proportional: int
    own: int


async def shares_of_copies(root: Path, *, count: int) -> list[Share]:
    """Measure `count` copies of one warm process while they run a test, at most as many as there are slots.

    Raises:
        TimeoutError: they were not there at once.
    """
    write_project(root, {"double.py": DOUBLE, "test_double.py": TESTS})
    project = Project(root, "double.py", "double", TestOptions(seconds=5.0, total_seconds=40.0))
    problem = project.problem(await project.baseline())
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        await harnesses.of(problem)
        before = {process.pid for process in descendants(os.getpid())}
        async with anyio.create_task_group() as group:
            for number in range(count):
                group.start_soon(TestsVerifier(harnesses).judge, _candidate(number), problem)
            copies: list[int] = []
            with anyio.fail_after(_MOST_SECONDS):
                while len(copies) < count:
                    await anyio.sleep(0.01)
                    copies = [process.pid for process in descendants(os.getpid()) if process.pid not in before]
            await anyio.sleep(_WHILE_THEY_SLEEP)
            return [_share(pid) for pid in copies]


def _candidate(number: int) -> Candidate:
    text = _LONG.format(number=number)
    return Candidate(id=candidate_id(DOUBLE, text), edits=(), text=text, origin=Origin(generator="a test"))


def _share(pid: int) -> Share:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    kibibytes = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
    own = kibibytes["Private_Clean"] + kibibytes["Private_Dirty"]
    return Share(resident=kibibytes["Rss"], proportional=kibibytes["Pss"], own=own)
