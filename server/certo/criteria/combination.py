"""Combined criteria: all of them, any of them, or a weighted sum; parts are asked concurrently."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from certo.concurrency import gather_until
from certo.criteria.aggregation import Decision, Rating
from certo.criteria.criterion import Gate, Gauge
from certo.criteria.validation import is_number
from certo.vocabulary.cost import Spread
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.verdict import Votes


class _Joint(Gate):
    """Combination of gates of which `needed` must pass: a vote among them."""

    def __init__(self, gates: Sequence[Gate], needed: int, name: str) -> None:
        if not gates:
            raise BadSetting("a combination needs at least one criterion; it was given none")
        self._gates = tuple(gates)
        self._needed = needed
        self.name = name

    async def decide(self, material: str | Mapping[str, str], /) -> Decision:
        """Ask every gate at once; pending ones are cancelled as soon as they cannot change the ruling.

        Raises:
            CertoError: The error of the first gate that failed.
        """

        def decided(parts: Mapping[int, Decision]) -> bool:
            passed = sum(part.passed for part in parts.values())
            return passed >= self._needed or passed + len(self._gates) - len(parts) < self._needed

        asked = [partial(gate.judged, material) for gate in self._gates]
        parts = tuple((await gather_until(asked, decided)).values())
        passed = sum(part.passed for part in parts)
        messages = [part.message for part in parts if part.message]
        met = passed >= self._needed
        return Decision(
            passed=met,
            message="" if met else "; ".join(messages),
            votes=Votes(passed=passed, valid=len(parts), asked=len(self._gates), needed=self._needed),
            parts=parts,
            heard=any(part.heard for part in parts),
        )


class AllOf(_Joint):
    """Passes if all of its gates pass."""

    def __init__(self, *gates: Gate, name: str = "criteria") -> None:
        super().__init__(gates, len(gates), name)


class AnyOf(_Joint):
    """Passes if one of its gates passes."""

    def __init__(self, *gates: Gate, name: str = "criteria") -> None:
        super().__init__(gates, 1, name)


class WeightedSum(Gauge):
    """Weighted sum of gauges, each converted so that lower is better."""

    def __init__(self, *weighted: tuple[Gauge, float], name: str = "criteria") -> None:
        if not weighted:
            raise BadSetting("a combination needs at least one criterion; it was given none")
        for _, weight in weighted:
            if not is_number(weight) or weight <= 0:
                raise BadSetting(f"the weight of a criterion must be a finite number above 0, not {weight!r}")
        self._weighted = weighted
        self.name = name

    async def rate(self, material: str | Mapping[str, str], /) -> Rating:
        """Ask every gauge at once and add up the results.

        Raises:
            CertoError: The error of the first gauge that failed.
        """
        asked = [partial(gauge.rated, material) for gauge, _ in self._weighted]
        parts = tuple((await gather_until(asked, lambda _: False)).values())
        weights = tuple(weight for _, weight in self._weighted)

        def total(numbers: Iterable[float]) -> float:
            return math.fsum(weight * number for weight, number in zip(weights, numbers, strict=True))

        spread = Spread(
            values=tuple(weight * part.cost for weight, part in zip(weights, parts, strict=True)),
            aggregate=total(part.cost for part in parts),
            low=total(part.least_cost for part in parts),
            high=total(part.most_cost for part in parts),
            fallback=any(part.fallback for part in parts),
        )
        return Rating(
            spread=spread,
            higher_is_better=False,
            message="; ".join(part.message for part in parts if part.message),
            parts=parts,
        )
