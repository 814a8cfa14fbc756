"""Learns the priors of repair templates from the history of repositories; shows what each part of ranking brings.

    python tests/benchmarks/learned_ranking.py --data FOLDER [--most 20] [--without FILE.jsonl ...] [--write]

`FOLDER/clones` has bare clones named OWNER+NAME; what is mined is kept beside it and not mined again. Fixes are of one
place of one function, told by the subject of their commit. They are put to the templates as they stand in the
repository before, without running anything: each line is as suspect as another, no values were observed, and of other
modules only the standard library is known. Repositories are split by a hash of their name: the table is learned from
60 % for development alone, and in the report each of these by the others. Repositories named in a `repo` column of
a file of --without are left out, so that other sets stay unseen. `--write` replaces the table that ships.
"""

from __future__ import annotations

import argparse
import ast
import json
import pickle
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from certo.generation.builtin.generator import PROGRAM
from certo.guests import WORKER_HOME

sys.path[:0] = [str(PROGRAM.home), str(WORKER_HOME)]

from mined import table
from mined.history import Mined, from_row, functions_of, git_folders, mine, normalised
from mined.kinds import kind_of
from mined.proposals import Proposed, is_in_reach, propose
from mined.ranks import Score, by_priors, rank_of, summary

from certo_builtin.repair.priors import ANYWHERE
from certo_builtin.repair.templates.catalogue import CATALOGUE

PARTS = ("development", "validation")


def all_mined(data: Path, most: int, without: set[str]) -> list[Mined]:
    """Return the fixes of all clones, from the files kept for each repository if they were mined before."""
    found: list[Mined] = []
    (data / "fixes").mkdir(exist_ok=True)
    for name, repo in git_folders(data / "clones"):
        if name in without:
            continue
        kept = data / "fixes" / f"{name.replace('/', '+')}.jsonl"
        if not kept.exists():
            rows = [json.dumps(fix.as_row()) for fix in mine(name, repo, most)]
            kept.write_text("\n".join(rows), encoding="utf-8")
            print(f"mined {name}: {len(rows)}", file=sys.stderr, flush=True)
        found += [from_row(json.loads(row)) for row in kept.read_text(encoding="utf-8").splitlines()[:most]]
    return found


def all_proposed(data: Path, fixes: list[Mined]) -> dict[str, Proposed]:
    """Return what is proposed for each fix, by its commit."""
    found: dict[str, Proposed] = {}
    (data / "proposed").mkdir(exist_ok=True)
    for number, fix in enumerate(fixes, 1):
        kept = data / "proposed" / f"{fix.commit}.pickle"
        if not kept.exists():
            kept.write_bytes(pickle.dumps(propose(fix)))
            print(f"{number} of {len(fixes)}: {fix.repo} {fix.qualname}", file=sys.stderr, flush=True)
        found[fix.commit] = pickle.loads(kept.read_bytes())
    return found


def scores(factors: table.Factors) -> Callable[[int, str], float]:
    """Return the prior of a template, by its number, at a place."""

    def prior(number: int, place: str) -> float:
        row = factors[CATALOGUE[number].name]
        return CATALOGUE[number].prior * row.get(place, row[ANYWHERE])

    return prior


def ways_to_rank(learned_from: list[Proposed]) -> dict[str, Score]:
    """Return the scores that are compared."""
    of_templates, by_place = (table.learn(learned_from, with_places=places) for places in (False, True))
    placed = by_priors(scores(by_place))
    return {
        "priors as written": by_priors(lambda number, _: CATALOGUE[number].prior),
        "learned": by_priors(scores(of_templates)),
        "learned, by place": placed,
        "and tokens of the file": lambda offer: placed(offer) * offer.tokens,
    }


def ranked(found: list[Proposed], development: list[Proposed]) -> dict[str, list[float]]:
    """Return the ranks of the right edits by each way to rank; none is learned from the fix's own repository."""
    ranks: dict[str, list[float]] = {}
    for repo in sorted({one.repo for one in found}):
        ways = ways_to_rank([one for one in development if one.repo != repo])
        for one in found:
            if one.repo == repo:
                for name, score in ways.items():
                    ranks.setdefault(name, []).append(rank_of(one, score))
    return ranks


def report(fixes: list[Mined], proposed: dict[str, Proposed]) -> None:
    """Print both columns, and the kinds of fixes for development."""
    development = [one for one in proposed.values() if one.part == PARTS[0] and one.right]
    for part in PARTS:
        mined = [fix for fix in fixes if fix.part == part]
        found = [proposed[fix.commit] for fix in mined if proposed[fix.commit].right]
        print(
            f"{part}: {len({fix.repo for fix in mined})} repositories, {len(mined)} fixes, {len(found)} proposed",
            end=" ",
        )
        print(f"({len(found) / max(1, len(mined)):.0%}); ranks of these:")
        print(f"{'':24} {'median':>6} {'mean':>6} {'MRR':>6}  {'in 10':>5}  {'100':>5}  {'500':>5}")
        for name, ranks in ranked(found, development).items() if found else []:
            print(f"{name:24} {summary(ranks)}")
        print()
    kinds(fixes, proposed)
    names = sorted({fix.repo for fix in fixes})
    print("\nrepositories:", ", ".join(names))


def kinds(fixes: list[Mined], proposed: dict[str, Proposed]) -> None:
    """Print how many development fixes of each kind there are, proposed, or with words at hand."""
    counted: Counter[str] = Counter()
    made: Counter[str] = Counter()
    reach: Counter[str] = Counter()
    for fix in fixes:
        if fix.part != PARTS[0]:
            continue
        before = dict(functions_of(ast.parse(fix.before)))[fix.qualname]
        kind = kind_of(normalised(before), fix.fixed)
        counted[kind] += 1
        made[kind] += bool(proposed[fix.commit].right)
        reach[kind] += is_in_reach(fix)
    heads = f"{'all':>5} {'proposed':>9} {'not, words at hand':>19} {'not, new words':>15}"
    print(f"{'kinds of development fixes':50} {heads}")
    for kind, number in sorted(counted.items(), key=lambda one: (-one[1], one[0])):
        rest = max(0, reach[kind] - made[kind])
        print(f"{kind:50} {number:5} {made[kind]:9} {rest:19} {number - made[kind] - rest:15}")
    total, ok, near = sum(counted.values()), sum(made.values()), sum(reach.values())
    print(f"{'all':50} {total:5} {ok:9} {near - ok:19} {total - near:15}")


def main() -> None:
    """Mine, propose, learn and report."""
    parser = argparse.ArgumentParser(
        description="Learn the priors of repair templates from the history of repositories."
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder with the clones")
    parser.add_argument("--most", type=int, default=20, help="how many fixes of one repository")
    parser.add_argument("--without", type=Path, nargs="*", default=[], help="files with repositories to leave out")
    parser.add_argument("--write", action="store_true", help="replace the table that ships")
    chosen = parser.parse_args()
    lines = [line for file in chosen.without for line in file.read_text(encoding="utf-8").splitlines()]
    fixes = all_mined(chosen.data, chosen.most, {json.loads(line)["repo"] for line in lines})
    proposed = all_proposed(chosen.data, fixes)
    if chosen.write:
        table.write(table.learn([one for one in proposed.values() if one.part == PARTS[0]]))
    report(fixes, proposed)


if __name__ == "__main__":
    main()
