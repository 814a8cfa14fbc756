"""The engine's wall time against the ideal critical path, with simulated generation and verification.

Five candidates that take 200 ms to propose and 50 ms to judge. Run at once, the ideal is 250 ms; as one try and then
lanes, it is as many times 250 ms as the strategy makes tries one after the other. Prints the ratio for each.

    python tests/benchmarks/engine.py [--rounds 20]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from certo.costs.measures import EditSize
from certo.generation.scripted import ScriptedGenerator, ScriptedProposal
from certo.search.emitter import EventEmitter
from certo.search.engine import Parts, search
from certo.strategies.retry import Retry, RetryOptions
from certo.verification.verifier import Pipeline
from certo.vocabulary.cost import Budget
from support.search.candidates import problem
from support.search.text_verifiers import Wants

GENERATE, VERIFY = 0.200, 0.050
CASES = {
    "5 at once, all compared": (
        RetryOptions(num_candidates=5, first_try=False, max_iterations=1, select="cheapest"),
        1,
    ),
    "5 at once, the first wins": (RetryOptions(num_candidates=5, first_try=False, max_iterations=1), 1),
    "1, then 4 at once": (RetryOptions(num_candidates=4, max_iterations=2), 2),
}


async def seconds(options: RetryOptions, *, wanted: str) -> float:
    """The wall time of one search over five distinct candidates."""
    replies = [
        ScriptedProposal(source=f"def half(n):\n    return n // 2 + {n}", delay_seconds=GENERATE) for n in range(5)
    ]
    parts = Parts(
        generator=ScriptedGenerator(tuple(replies)),
        strategy=Retry(options),
        pipeline=Pipeline(verifiers=(Wants(wanted, seconds=VERIFY),)),
        cost_model=EditSize(),
    )
    began = time.perf_counter()
    await search(problem(), parts=parts, budget=Budget(), emitter=EventEmitter("bench", lambda _: None))
    return time.perf_counter() - began


async def main(rounds: int) -> None:
    """Print, for each case, the median wall time, the ideal, and their ratio (the bar is 1.05)."""
    for name, (options, in_turn) in CASES.items():
        wanted = "nothing passes" if in_turn > 1 else "// 2"
        ideal = in_turn * (GENERATE + VERIFY)
        median = statistics.median([await seconds(options, wanted=wanted) for _ in range(rounds)])
        print(f"{name:28} {median * 1000:6.1f} ms  ideal {ideal * 1000:5.0f} ms  ratio {median / ideal:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    anyio.run(main, parser.parse_args().rounds)
