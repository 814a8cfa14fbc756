"""HTML and SVG elements, in which foreign text is always escaped."""

from __future__ import annotations

from html import escape

from certo.presentation.status import CandidateStatus
from certo.vocabulary.display import visible


class Html(str):
    """Markup made in this module; any other string is text."""

    __slots__ = ()


Part = str | float | None
"""Content of an element: markup, or text, which is escaped; None is nothing."""

_VOID = frozenset({"meta", "col", "br"})


def tag(name: str, /, *parts: Part, **attributes: str | float | None) -> Html:
    """Return one element with its content.

    An attribute's name may end with an underscore, as `class_` must, and its underscores become hyphens. Attributes
    that are None are left out.
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{said}>" if name in _VOID else f"<{name}{said}>{join(*parts)}</{name}>")


def join(*parts: Part) -> Html:
    """Return several parts, one after the other."""
    return Html("".join(part if isinstance(part, Html) else _text(part) for part in parts if part is not None))


def section(title: str, *parts: Part) -> Html:
    """Return a section of the page under its heading."""
    return tag("section", tag("h2", title), *parts)


def _text(part: str | float) -> str:
    """Return text with invisible characters written out and markup escaped."""
    if isinstance(part, float):
        return f"{part:.2f}".rstrip("0").rstrip(".")
    return escape(visible(str(part)), quote=True)


KINDS = {
    CandidateStatus.VERIFIED: "verified",
    CandidateStatus.NOT_APART: "not-apart",
    CandidateStatus.UNVERIFIED: "unverified",
    CandidateStatus.FAILED: "failed",
    CandidateStatus.UNDECIDED: "undecided",
    CandidateStatus.JUDGING: "judging",
    CandidateStatus.LEFT: "judging",
}
"""CSS class of each candidate status."""

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
    """Return a mark within a drawing, centred on a point."""
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
    """Return a mark as a picture of its own, beside words that say the same."""
    return tag("svg", mark(kind), class_="alone", viewBox="-9 -9 18 18", width="18", height="18", aria_hidden="true")
