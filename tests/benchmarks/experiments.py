"""What keeping an experiment takes on a repository of 5,000 files, beside a work tree and a clone for each.

The bar is 50 ms for one, and 1.3 times as long as one for four at once whose verification waits 200 ms. Prints medians
and ratios; the other ways are `git worktree add`, write, commit and remove, and `git clone`, write, commit and push.

    python tests/benchmarks/experiments.py [--files 5000] [--rounds 20]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from certo.project.candidate_store.store import StoredCandidate, StoreWriter
from support.projects.repositories import Stage, begin, commit, git

VERIFY = 0.2


def experiment(number: int, parent: int | None) -> StoredCandidate:
    """One more candidate for the same file."""
    content = f"def total():\n    return {number}\n".encode()
    return StoredCandidate(number=number, parent=parent, files={"shop.py": content}, message=f"try {number}\n")


async def verified_and_kept(keeping: StoreWriter, number: int) -> None:
    """An experiment whose verification waits for something."""
    await anyio.sleep(VERIFY)
    await keeping.keep(experiment(number, None))


async def ours(stage: Stage, rounds: int) -> tuple[float, list[float], float, float]:
    """Seconds for the base, for each experiment, for one with its verification, and for four of these at once."""
    experiments = await stage.experiments.of("bench")
    began = time.perf_counter()
    async with experiments.begun({"shop.py": b"def total():\n    return 0\n"}) as keeping:
        base = time.perf_counter() - began
        each = []
        for number in range(1, rounds + 1):
            began = time.perf_counter()
            await keeping.keep(experiment(number, number - 1 or None))
            each.append(time.perf_counter() - began)
        alone, together = [], []
        for turn in range(rounds):
            first = rounds + 1 + 5 * turn
            began = time.perf_counter()
            await verified_and_kept(keeping, first)
            alone.append(time.perf_counter() - began)
            began = time.perf_counter()
            async with anyio.create_task_group() as group:
                for number in range(first + 1, first + 5):
                    group.start_soon(verified_and_kept, keeping, number)
            together.append(time.perf_counter() - began)
    return base, each, statistics.median(alone), statistics.median(together)


def by_work_tree(root: Path, place: Path, number: int) -> None:
    """An experiment in a work tree of its own."""
    git(root, "worktree", "add", "-q", "-b", f"side/{number}", str(place))
    (place / "shop.py").write_text(f"def total():\n    return {number}\n")
    git(place, "commit", "-q", "-a", "-m", f"try {number}")
    git(root, "worktree", "remove", "--force", str(place))


def by_clone(root: Path, place: Path, number: int) -> None:
    """An experiment in a clone of its own, as Kapso makes them."""
    git(root, "clone", "-q", f"file://{root}", str(place))
    git(place, "switch", "-q", "-c", f"clone/{number}")
    (place / "shop.py").write_text(f"def total():\n    return {number}\n")
    git(place, "commit", "-q", "-a", "-m", f"try {number}")
    git(place, "push", "-q", "origin", f"clone/{number}")


def timed(way: Callable[[Path, Path, int], None], root: Path, rounds: int) -> float:
    """The median of the seconds that one takes."""
    taken = []
    for number in range(rounds):
        began = time.perf_counter()
        way(root, root.parent / f"{way.__name__}-{number}", number)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def main() -> None:
    """Make the repository, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "shop")
        begin(root)
        stage = Stage(root, Path(folder, "experiments", "shop"))
        for number in range(arguments.files - 1):
            stage.put(f"part{number // 100}/module{number}.py", f"VALUE = {number}\n".encode() * 20)
        stage.put("shop.py", b"def total():\n    return None\n")
        commit(root)
        base, each, alone, together = anyio.run(ours, stage, arguments.rounds)
        one = statistics.median(each)
        print(f"the base, once for a search    {base * 1000:8.1f} ms")
        print(f"an experiment                  {one * 1000:8.1f} ms   (bar 50 ms; slowest {max(each) * 1000:.1f} ms)")
        for name, way in (("by `git worktree add`", by_work_tree), ("by `git clone`", by_clone)):
            taken = timed(way, root, max(3, arguments.rounds // 4))
            print(f"{name:<30} {taken * 1000:8.1f} ms   {taken / one:6.1f} times as long")
        print(f"four at once beside one        {together / alone:8.2f} times as long   (bar 1.3)")


if __name__ == "__main__":
    main()
