"""Units in a docstring: the factors between two that measure the same."""

from __future__ import annotations

import re
from typing import Dict, Iterator, List, Tuple

from certo_builtin.synthesis.docstring_words import stem

_SCALES: Tuple[Tuple[Tuple[str, float], ...], ...] = (
    (
        ("nanosecond", 1e-9), ("microsecond", 1e-6), ("millisecond", 1e-3), ("ms", 1e-3), ("second", 1), ("minute", 60),
        ("hour", 3600), ("day", 86400), ("week", 604800),
    ),
    (("month", 1), ("quarter", 3), ("year", 12), ("decade", 120), ("century", 1200)),
    (("day", 1), ("week", 7), ("year", 365)),
    (("bit", 0.125), ("byte", 1), ("kilobyte", 1024), ("kib", 1024), ("megabyte", 1024**2), ("mib", 1024**2),
     ("gigabyte", 1024**3), ("gib", 1024**3)),
    (
        ("millimeter", 0.001), ("millimetre", 0.001), ("centimeter", 0.01), ("centimetre", 0.01), ("cm", 0.01),
        ("meter", 1), ("metre", 1), ("kilometer", 1000), ("kilometre", 1000), ("km", 1000),
    ),
    (("inch", 1), ("foot", 12), ("feet", 12), ("yard", 36)),
    (("milligram", 0.001), ("gram", 1), ("kilogram", 1000), ("kg", 1000), ("tonne", 1000000)),
    (("ounce", 1), ("pound", 16)),
    (("milliliter", 1), ("millilitre", 1), ("liter", 1000), ("litre", 1000)),
    (("cent", 1), ("dollar", 100), ("euro", 100)),
    (("percent", 1), ("percentage", 1), ("ratio", 100), ("fraction", 100)),
    (("degree", 1), ("turn", 360), ("revolution", 360), ("circle", 360)),
    (("item", 1), ("dozen", 12), ("gross", 144)),
)  # fmt: skip

_FACTORS: Tuple[Dict[str, float], ...] = tuple({stem(name): size for name, size in scale} for scale in _SCALES)


def factors(prose: str) -> List[int]:
    """Return how many of a smaller unit are one of a larger, for any two units of one scale that the prose names."""
    found = [stem(word) for word in re.findall("[a-z]+", prose.lower())]
    return list(dict.fromkeys(_factors(found)))


def _factors(words: List[str]) -> Iterator[int]:
    for scale in _FACTORS:
        sizes = sorted({scale[word] for word in words if word in scale})
        for place, small in enumerate(sizes):
            for large in sizes[place + 1 :]:
                ratio = large / small
                if abs(ratio - round(ratio)) < 1e-6 * ratio:
                    yield round(ratio)
