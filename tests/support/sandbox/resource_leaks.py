"""The resources of certo and its processes, while many candidates are judged on one warm harness."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from certo.sandbox.process.process_table import descendants
from certo.verification.dynamic.harness_source import warm_harnesses
from certo.verification.dynamic.suite_verifiers import TestsVerifier
from certo.verification.options import TestOptions
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.verdict import Ruling
from support.projects.projects import Project, write_project

DOUBLE = "def double(number):\n    return number + number + 1\n"
TESTS = "from double import double\n\ndef test_double():\n    assert double(3) == 6\n"


@dataclass(frozen=True, slots=True)
class Held:
    """Resources in use: descriptors of this process, processes below it, scratch entries, and memory in KiB.

    `ours` is the resident memory of this process, `theirs` that of the processes below it together.
    """

    descriptors: int
    processes: int
    entries: int
    ours: int
    theirs: int


def held() -> Held:
    """Return the resources in use now."""
    gc.collect()
    below = [process.pid for process in descendants(os.getpid())]
    return Held(
        descriptors=len(os.listdir("/proc/self/fd")),
        processes=len(below),
        entries=sum(
            1 for place in Path(tempfile.gettempdir()).glob(f"certo-{os.getpid()}-*") for _ in place.rglob("*")
        ),
        ours=resident_kib(os.getpid()),
        theirs=sum(map(resident_kib, below)),
    )


async def judge_many(root: Path, *, warming: int, count: int) -> tuple[Held, Held, Held]:
    """Judge `warming` candidates and then `count` more on one ground, each with a text of its own.

    Returns what is held after the first of them, after all of them, and when the ground is gone.
    """
    write_project(root, {"double.py": DOUBLE, "test_double.py": TESTS})
    project = Project(root, "double.py", "double", TestOptions(seconds=5.0, total_seconds=40.0))
    problem = project.problem(await project.baseline())
    async with warm_harnesses(project.harnesses, problem) as harnesses:
        verifier = TestsVerifier(harnesses)
        first = held()
        for number, candidate in enumerate(_candidates(warming + count)):
            verdict = await verifier.judge(candidate, problem)
            assert verdict.tests is not None
            assert verdict.tests.cold == ""
            assert (verdict.ruling is Ruling.PASSED) is (number % 2 == 0)
            if number + 1 == warming:
                first = held()
        last = held()
    return first, last, held()


def _candidates(count: int) -> Iterator[Candidate]:
    """Yield candidates, every second of them right."""
    for number in range(count):
        text = f"def double(number):\n    return number * 2 + {number % 2}  # {number}\n"
        yield Candidate(id=candidate_id(DOUBLE, text), edits=(), text=text, origin=Origin(generator="a test"))


def resident_kib(pid: int) -> int:
    """Return the resident memory of a process in KiB; 0 when there is none."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024
