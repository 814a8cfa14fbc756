"""Wording of a measured speed: the factor with its bounds, what it is at the calls' own size, and the control."""

from __future__ import annotations

from certo.vocabulary.speed import Speed

ABOUT_AS_FAST = 1.05
"""Factor below which a difference at the calls' own size, which has no bounds, is called none."""


def speed_in_words(speed: Speed) -> list[str]:
    """Return what was measured, one sentence for each thing."""
    size = f"calls {speed.scale:.3g} times as large as known ones" if speed.scale > 1 else "known calls"
    bounds = f"99 % confidence: at least {speed.low:.3g}, at most {speed.high:.3g}"
    said = [f"{speed.ratio:.3g} times as fast on {size} ({bounds})"]
    if speed.observed is not None:
        said.append(_at_own_size(speed.observed))
    if speed.growth is not None:
        said.append(f"time grows like n^{speed.growth.after:.1f}, before n^{speed.growth.before:.1f}")
    said.append(f"{speed.rounds} rounds, in which a copy of the original was {speed.control:.2f} times as fast")
    return said


def _at_own_size(ratio: float) -> str:
    if ratio * ABOUT_AS_FAST < 1:
        return f"SLOWER on calls of their own size: {ratio:.2g} times as fast"
    if ratio < ABOUT_AS_FAST:
        return f"about as fast on calls of their own size: {ratio:.2f} times"
    return f"{ratio:.2g} times as fast on calls of their own size"
