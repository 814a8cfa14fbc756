"""Measurement of a candidate's speed: calls that grow, rough trials of many versions, and rounds until one is decided.

All of it runs in the sandbox. Rounds are timed by the kernel's account of processes in which only one version is; the
trials before them are rough and share a process with the candidate, so what these report only saves rounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from certo.behaviour.speed_statistics import (
    LOOKS,
    RoundRatios,
    SpeedDecision,
    bounds,
    decide,
    exponent,
    level_of,
)
from certo.behaviour.subject import Subject
from certo.guests import BUILTIN_HOME
from certo.sandbox.executor import Message, Program
from certo.vocabulary.records import dataclass
from certo.vocabulary.speed import Growth, Speed
from certo.vocabulary.text import TextEdit

WORKLOAD = Program(home=BUILTIN_HOME, module="certo_builtin.speed.workload")
ROUND = Program(home=BUILTIN_HOME, module="certo_builtin.speed.measured_round")

WORKLOAD_SECONDS = 20.0
ROUND_SECONDS = 20.0
"""Processor seconds of a run, which takes a fraction of it unless a call is slow."""

MEASURING_SECONDS = 30.0
"""Processor seconds of all rounds of one candidate; what is decided by then counts."""

INTERPRETER_BYTES = 16 * 1024 * 1024
"""Memory of a process without the calls; the peak with a candidate must not be twice that of the original."""


class _GrownCall(BaseModel, strict=True, defer_build=True):
    call: dict[str, Any]
    sizes: list[list[float]] = Field(min_length=1, max_length=100)


class _Round(BaseModel, strict=True, defer_build=True):
    """Nanoseconds by turn and version, seconds by size, and the processor seconds of all."""

    main: list[list[int]] = Field(min_length=2, max_length=100)
    small: list[list[int]] = Field(max_length=100)
    growth: list[list[float]] = Field(max_length=100)
    kernel: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RoughTrial:
    """The result of one trial of a version: the ratio, and the reason if its speed does not count."""

    ratio: float
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """The calls of a measurement with their sizes, and a trial of each version; None where it did not come back.

    `trouble` says why there is no call.
    """

    calls: tuple[Mapping[str, Any], ...] = ()
    trials: tuple[RoughTrial | None, ...] = ()
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedMeasurement:
    """The answer for one candidate: the finding, its speed as far as it was measured, and why it was not."""

    finding: SpeedDecision
    speed: Speed | None = None
    trouble: str = ""


async def find_workload(subject: Subject, versions: Sequence[Sequence[TextEdit]], *, seed: int = 0) -> Workload:
    """Find the calls of a measurement and try versions of the subject's function on them.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    if subject.callee is None:
        return Workload(trouble=f"{subject.target.short_name} cannot be called from outside")
    calls: list[dict[str, Any]] = []
    trials: list[RoughTrial | None] = [None] * len(versions)
    troubles: list[str] = []

    def hear(message: Message) -> None:
        match message:
            case {"kind": "workload", "calls": list(told)} if not calls:
                calls.extend(_grown_calls(told))
            case {"kind": "rough", "version": int(number)} if 0 <= number < len(trials):
                trials[number] = _trial(message)
            case {"kind": "trouble", "text": str(text)}:
                troubles.append(text)

    request = {
        **subject.wire,
        "callee": subject.wire_callee,
        "versions": [_wire(edits) for edits in versions],
        "seconds": WORKLOAD_SECONDS,
        "seed": seed,
    }
    ended = await _run(subject, WORKLOAD, request, WORKLOAD_SECONDS, hash_seed=0, hear=hear)
    if calls:
        return Workload(calls=tuple(calls), trials=tuple(trials))
    nothing = "no call of it is known that could be made larger; a test or an annotation would help"
    return Workload(trouble=next(iter(troubles), ended or nothing))


async def measure(
    subject: Subject, edits: Sequence[TextEdit], workload: Workload, *, seed: int = 0
) -> SpeedMeasurement:
    """Measure a version of the subject's function in rounds until its speed is decided; `seed` is that of the first.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    rounds: list[_Round] = []
    seconds = 0.0
    while len(rounds) < LOOKS[-1][0]:
        one = await _round(subject, edits, workload, seed=seed + len(rounds) + 1)
        if isinstance(one, str):
            return SpeedMeasurement(finding=SpeedDecision.OPEN, trouble=one)
        rounds.append(one)
        seconds += one.kernel
        finding = decide([_ratios(each) for each in rounds])
        if finding is not SpeedDecision.OPEN:
            return SpeedMeasurement(finding=finding, speed=_speed(rounds, workload))
        if seconds > MEASURING_SECONDS and level_of(len(rounds)) is not None:
            break
    return SpeedMeasurement(finding=SpeedDecision.NOT_FASTER, speed=_speed(rounds, workload))


async def _round(subject: Subject, edits: Sequence[TextEdit], workload: Workload, *, seed: int) -> _Round | str:
    """Return one round, or why there is none."""
    heard: list[_Round] = []
    troubles: list[str] = []

    def hear(message: Message) -> None:
        if message.get("kind") == "trouble":
            troubles.append(str(message.get("text"))[:200])
        if message.get("kind") != "round" or heard:
            return
        try:
            heard.append(_Round.model_validate({name: value for name, value in message.items() if name != "kind"}))
        except ValidationError:
            troubles.append("a round reported what is no measurement")

    request = {
        **subject.wire,
        "edits": _wire(edits),
        "calls": list(workload.calls),
        "seconds": ROUND_SECONDS,
        "seed": seed,
    }
    ended = await _run(subject, ROUND, request, ROUND_SECONDS, hash_seed=seed, hear=hear)
    if troubles or not heard:
        return next(iter(troubles), ended or "a round did not end")
    if not _is_whole(heard[0]):
        return "a round reported what is no measurement"
    return heard[0]


async def _run(
    subject: Subject, program: Program, request: Mapping[str, Any], seconds: float, *, hash_seed: int, hear: Any
) -> str:
    """Run a program; return the last line that it printed, or how it ended if not by itself."""
    finished = await subject.executor.run(
        subject.work(program, request, seconds, hash_seed=hash_seed),
        hear,
    )
    printed = finished.printed.strip().splitlines()
    return "" if finished.complete else printed[-1] if printed else f"the measurement {finished.words}"


def _wire(edits: Sequence[TextEdit]) -> list[list[Any]]:
    return [[edit.span.start, edit.span.end, edit.replacement] for edit in edits]


def _grown_calls(told: Sequence[Any]) -> list[dict[str, Any]]:
    try:
        return [_GrownCall.model_validate(one).model_dump() for one in told]
    except ValidationError:
        return []


def _trial(message: Message) -> RoughTrial | None:
    ratio, peaks = message.get("ratio"), message.get("peaks")
    if not isinstance(ratio, int | float) or not isinstance(peaks, list) or len(peaks) != 2:
        return None
    before, after = (int(peak) + INTERPRETER_BYTES for peak in peaks)
    if message.get("is_same") is not True:
        return RoughTrial(ratio=ratio, reason="it gives something else on a larger call")
    if message.get("keeps") is not False:
        return RoughTrial(ratio=ratio, reason="it keeps results from one call for the next")
    if after > 2 * before:
        mebibytes = [round(peak / 1024 / 1024) for peak in (before, after)]
        return RoughTrial(
            ratio=ratio, reason=f"its peak memory is {mebibytes[1]} MiB, and was {mebibytes[0]} MiB before"
        )
    return RoughTrial(ratio=ratio)


def _is_whole(told: _Round) -> bool:
    return (
        all(len(turn) == 3 and min(turn) > 0 for turn in told.main)
        and len(told.small) != 1
        and all(len(turn) == 2 and min(turn) > 0 for turn in told.small)
        and all(len(row) == 3 and min(row) > 0 and all(map(math.isfinite, row)) for row in told.growth)
    )


def _ratios(told: _Round) -> RoundRatios:
    pairs = _paired(told.main)
    return RoundRatios(
        candidate=median(turn[0] / turn[1] for turn in pairs), control=median(turn[0] / turn[2] for turn in pairs)
    )


def _paired(turns: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the sums of each two turns that follow each other, which have opposite orders."""
    return [
        [one + other for one, other in zip(*turns[place : place + 2], strict=True)]
        for place in range(0, len(turns) - 1, 2)
    ]


def _speed(rounds: Sequence[_Round], workload: Workload) -> Speed:
    level = level_of(len(rounds)) or LOOKS[0][1]
    ratios = [_ratios(each) for each in rounds]
    found = bounds([one.candidate for one in ratios], level)
    small = [median(turn[0] / turn[1] for turn in _paired(each.small)) for each in rounds if each.small]
    return Speed(
        ratio=found.middle,
        low=found.low,
        high=found.high,
        control=median(one.control for one in ratios),
        rounds=len(rounds),
        scale=workload.calls[0]["sizes"][-1][0],
        observed=median(small) if small else None,
        growth=_growth(rounds),
    )


def _growth(rounds: Sequence[_Round]) -> Growth | None:
    """Return the exponents of the median times by size."""
    by_size: dict[float, list[Sequence[float]]] = {}
    for each in rounds:
        for size, *seconds in each.growth:
            by_size.setdefault(size, []).append(seconds)
    sizes = sorted(by_size)
    before, after = (
        exponent(sizes, [median(row[version] for row in by_size[size]) for size in sizes]) for version in (0, 1)
    )
    return Growth(before=before, after=after) if before is not None and after is not None else None
