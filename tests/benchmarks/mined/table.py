"""Learns the factors of the templates' priors from mined fixes, and writes them as the table that ships.

Of the fixes that some template makes, each is one hit, shared among the templates and places that make it. What the
written priors expect is, for each fix, the share of a template at a place in the sum of all: the prior times the
number of nodes at which it proposes anything. The factor is hits over expected hits, both with some more for
smoothing: as if the written prior had been seen to be right so many times (the mean of a gamma prior after Poisson
counts). A template without hits sinks with what was expected of it, and never to zero.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from mined.proposals import Proposed

from certo_builtin.repair.priors import ANYWHERE
from certo_builtin.repair.templates import learned
from certo_builtin.repair.templates.catalogue import CATALOGUE

OF_TEMPLATE, AT_PLACE = 8.0, 20.0
"""Hits for which the written prior counts, and for which the factor of a template counts at a place."""
NOTICED = 0.02
"""Smallest difference, as a share, for which a place has a factor of its own in the table."""
TABLE = Path(learned.__file__)
Factors = dict[str, dict[str, float]]
Shares = defaultdict[tuple[int, str], float]
"""Shares of fixes by the number of a template and a place."""


def learn(found: Sequence[Proposed], *, with_places: bool = True) -> Factors:
    """Return the factors by template and place; `ANYWHERE` is that of the template alone."""
    hits, expected = counts(found)
    factors: Factors = {}
    for number, template in enumerate(CATALOGUE):
        places = sorted(place for each, place in expected if each == number)
        all_hits, all_expected = (sum(each[number, place] for place in places) for each in (hits, expected))
        own = (all_hits + OF_TEMPLATE) / (all_expected + OF_TEMPLATE)
        row = {ANYWHERE: own}
        for place in places if with_places else []:
            row[place] = own * (hits[number, place] + AT_PLACE) / (own * expected[number, place] + AT_PLACE)
        factors[template.name] = row
    return factors


def counts(found: Sequence[Proposed]) -> tuple[Shares, Shares]:
    """Return the hits of each template at each place, and those that the written priors expect."""
    hits: Shares = defaultdict(float)
    expected: Shares = defaultdict(float)
    for one in found:
        ways = sorted({way[:2] for number in one.right for way in one.offers[number].ways})
        for way in ways:
            hits[way] += 1 / len(ways)
        weights = {way: nodes * CATALOGUE[way[0]].prior for way, nodes in one.tried.items()}
        for way, weight in weights.items() if ways else []:
            expected[way] += weight / sum(weights.values())
    return hits, expected


def written(factors: Factors) -> str:
    """Return the table as a part of the module that ships, before formatting."""
    lines = []
    for name, row in sorted(factors.items()):
        own = row[ANYWHERE]
        other = [place for place, each in row.items() if abs(each / own - 1) > NOTICED]
        kept = {place: round(row[place], 2) for place in [ANYWHERE, *other]}
        inner = ", ".join(f'"{place}": {each}' for place, each in kept.items())
        lines.append(f'    "{name}": {{{inner}}},')
    return "FACTORS: Dict[str, Dict[str, float]] = {\n" + "\n".join(lines) + "\n}\n"


def write(factors: Factors, table: Path = TABLE) -> None:
    """Replace the table in the module that ships."""
    text = table.read_text(encoding="utf-8")
    table.write_text(re.sub(r"FACTORS: .*", lambda _: written(factors), text, flags=re.DOTALL), encoding="utf-8")
