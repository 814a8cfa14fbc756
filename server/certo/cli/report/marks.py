"""The mark of a candidate: its shape and its sign say what has become of it, and its colour says so once more."""

from __future__ import annotations

from certo.cli.report.markup import Html, tag
from certo.cli.standing import Standing

KINDS = {
    Standing.VERIFIED: "verified",
    Standing.NOT_APART: "not-apart",
    Standing.UNVERIFIED: "unverified",
    Standing.FAILED: "failed",
    Standing.UNDECIDED: "undecided",
    Standing.JUDGING: "judging",
    Standing.LEFT: "judging",
}
"""The class of each standing in the style sheet."""

_STROKES = {
    "not-apart": "M-3.4 .2 -1.1 2.6 3.4-2.4",
    "verified": "M-3.4 .2 -1.1 2.6 3.4-2.4",
    "failed": "M-2.6-2.6 2.6 2.6M2.6-2.6-2.6 2.6",
    "unverified": "M-1.9-1.5C-1.9-3.9 2-3.9 2-1.5 2 .1 0 0 0 1.3M0 3.3v.1",
    "undecided": "M-1.9-1.5C-1.9-3.9 2-3.9 2-1.5 2 .1 0 0 0 1.3M0 3.3v.1",
    "judging": "M-3 0h.1M0 0h.1M3 0h.1",
    "untried": "M-2 0h4",
}


def mark(kind: str, x: float = 0, y: float = 0) -> Html:
    """A mark within a drawing, around a place."""
    if kind in ("not-apart", "unverified"):
        body = tag("path", class_="body", d="M0-8 8 0 0 8-8 0Z")
    elif kind == "untried":
        body = tag("circle", class_="body", r="4")
        return tag("g", body, class_=f"mark {kind}", transform=f"translate({x:.1f} {y:.1f})")
    else:
        body = tag("circle", class_="body", r="7")
    sign = tag("path", class_="sign", d=_STROKES[kind])
    return tag("g", body, sign, class_=f"mark {kind}", transform=f"translate({x:.1f} {y:.1f})")


def mark_alone(kind: str) -> Html:
    """A mark as a picture of its own, beside words that say the same."""
    return tag("svg", mark(kind), class_="alone", viewBox="-9 -9 18 18", width="18", height="18", aria_hidden="true")
