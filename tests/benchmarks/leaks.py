"""What a search of 10,000 candidates leaves behind: descriptors, processes, files and memory, before and after.

The candidates run warm, one after the other, on one ground. Prints what is held after the first hundred, after all of
them, and when the search is over; and how much memory a copy of the warm process has to itself while it runs.

    python tests/benchmarks/leaks.py [--candidates 10000]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.sandbox.resource_leaks import Held, judge_many
from support.sandbox.shared_memory import Share, shares_of_copies

WARMING = 100
COPIES = 2


async def main(candidates: int) -> None:
    """Print what is held at the three moments, and how long one candidate took."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as place:
        first, last, after = await judge_many(Path(place), warming=WARMING, count=candidates - WARMING)
    seconds = time.perf_counter() - began
    for name, found in (("after 100", first), (f"after {candidates:,}", last), ("when over", after)):
        print(f"{name:14} {_in_words(found)}")
    print(f"{seconds / candidates * 1000:.1f} ms for each candidate, {seconds:.0f} s in all")
    with tempfile.TemporaryDirectory() as place:
        for share in await shares_of_copies(Path(place), count=COPIES):
            print(f"one of {COPIES} copies: {_shares_in_words(share)}")


def _in_words(found: Held) -> str:
    memory = f"{found.ours / 1024:6.1f} MiB here, {found.theirs / 1024:6.1f} MiB in them"
    return f"{found.descriptors} descriptors, {found.processes} processes, {found.entries} scratch entries, {memory}"


def _shares_in_words(share: Share) -> str:
    resident, proportional, own = (each / 1024 for each in (share.resident, share.proportional, share.own))
    return f"resident {resident:.1f} MiB, its proportional share {proportional:.1f} MiB, its own {own:.1f} MiB"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--candidates", type=int, default=10_000)
    anyio.run(main, parser.parse_args().candidates)
