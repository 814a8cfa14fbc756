"""What each search strategy solves for how many calls of a model, on simulated models of several natures.

Prints a table of successes and a plot of one nature as text, the virtual time of AgentTools' and Kapso's ways of
waiting against ours on the same tries, and the processor time that choosing takes in large trees. With matplotlib (the
dependency group `plots`) the curves of all natures go to a picture.

    python tests/benchmarks/strategies.py [--seeds 500] [--png strategies.png]
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from certo.generation.generator import Ask
from certo.search.branches import branches_of
from certo.search.experiment import Experiment
from certo.search.node_selection import UCT, select_best
from certo.search.tree import Tree
from certo.vocabulary.score import Score
from support.models.simulated_model import REGIMES, SimulatedModel, pursued
from support.search.candidates import attempt
from support.search.compared_strategies import CALLS, CONTENDERS
from support.search.waiting_strategies import WAYS, virtual_seconds

SHOWN = (5, 10, 20, 40)
Curves = Mapping[str, Sequence[float]]


def curves(regime: str, seeds: int) -> Curves:
    """The share of searches that were solved after 1, 2, … calls, by contender."""

    async def measured() -> Curves:
        found = {}
        for name, made in CONTENDERS.items():
            models = [SimulatedModel(REGIMES[regime], seed, CALLS) for seed in range(seeds)]
            for model in models:
                await pursued(made(), model)
            took = [model.solved or CALLS + 1 for model in models]
            found[name] = [sum(each <= calls for each in took) / seeds for calls in range(1, CALLS + 1)]
        return found

    return anyio.run(measured)


def table(found: Mapping[str, Curves]) -> str:
    """The successes in percent after the numbers of calls in `SHOWN`, a column for each nature."""
    rows = [f"{'percent solved after':16}" + "".join(f"{regime:>18}" for regime in found)]
    rows.append(f"{'… calls':16}" + "".join("  " + "".join(f"{calls:4}" for calls in SHOWN) for _ in found))
    for name in CONTENDERS:
        shares = [[100 * found[regime][name][calls - 1] for calls in SHOWN] for regime in found]
        rows.append(f"{name:16}" + "".join("  " + "".join(f"{share:4.0f}" for share in each) for each in shares))
    return "\n".join(rows)


def plot(found: Curves, names: Sequence[str], height: int = 10) -> str:
    """Curves as text, each with the first letter of its name; where several meet, that of the first."""
    grid = [[" "] * CALLS for _ in range(height + 1)]
    for name in reversed(names):
        for column, share in enumerate(found[name]):
            grid[height - round(share * height)][column] = name[0]
    lines = [f"{100 * (height - row) // height:4} |{''.join(line).rstrip()}" for row, line in enumerate(grid)]
    return "\n".join([*lines, f"     +{'-' * CALLS}", f"      1{'calls':^{CALLS - 3}}{CALLS}"])


def picture(found: Mapping[str, Curves], place: Path) -> None:
    """All curves of all natures as an image."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4 * len(found), 4), layout="constrained")
    for axes, (regime, shown) in zip(figure.subplots(1, len(found), sharey=True), found.items(), strict=True):
        for name, shares in shown.items():
            axes.plot(range(1, CALLS + 1), [100 * share for share in shares], label=name)
        axes.set(title=regime, xlabel="calls", ylim=(0, 100))
    figure.axes[0].set_ylabel("solved, percent")
    figure.axes[-1].legend(fontsize="small")
    figure.savefig(place, dpi=120)


def choosing(size: int) -> tuple[float, float]:
    """Milliseconds of processor time for one choice among so many tried nodes: by UCT, and by lines as `auto` does."""
    chance, tree, made = random.Random(0), Tree(Experiment()), attempt(Ask(), passes=False)
    for _ in range(size):
        parent = tree.find(chance.randrange(len(tree)))
        assert parent is not None
        score = Score(value=chance.random(), unit="of 1", source="made up")
        node = tree.expand(parent, Experiment(attempt=made, score=score), success=False)
        node.backpropagate(score.value)
    spent = []
    for choose in (lambda: select_best(tree.root, UCT()), lambda: branches_of(tree)):
        began = time.process_time()
        for _ in range(20):
            choose()
        spent.append((time.process_time() - began) * 1000 / 20)
    return spent[0], spent[1]


def main(seeds: int, png: Path | None) -> None:
    """Measure everything and print it."""
    with ProcessPoolExecutor(2) as processes:
        measured = processes.map(curves, REGIMES, [seeds] * len(REGIMES))
        found = dict(zip(REGIMES, measured, strict=True))
    print(f"{seeds} searches each; one call is one candidate\n\n{table(found)}\n")
    print("where feedback misleads, percent solved: a is auto, m mcts with UCT, l llm_tree_search, r retry\n")
    print(plot(found["misleads"], ("auto", "mcts, UCT", "llm_tree_search", "retry, 1 line")))
    print("\nvirtual seconds for the same tries, when a call takes a second on average:")
    for way in WAYS:
        theirs, ours = virtual_seconds(way, seeds=20)
        print(f"  {way}: {theirs:.1f} with its barriers, {ours:.1f} without, {theirs / ours:.1f} times as long")
    print("\nprocessor time of one choice, which looks at every node:")
    for size in (10, 100, 1000):
        uct, lines = choosing(size)
        print(f"  {size:5} nodes: {uct:.2f} ms by UCT, {lines:.2f} ms by lines")
    if png is not None:
        picture(found, png)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=500)
    parser.add_argument("--png", type=Path)
    chosen = parser.parse_args()
    main(chosen.seeds, chosen.png)
