"""Elements of HTML and SVG, in which text of others can be nothing but text."""

from __future__ import annotations

from html import escape

from certo.vocabulary.visible import visible


class Html(str):
    """Markup that was put together here; every other string is text."""

    __slots__ = ()


Part = str | float | None
"""What stands in an element: markup, or text, which is escaped; None is nothing."""

_VOID = frozenset({"meta", "col", "br"})


def tag(name: str, /, *parts: Part, **attributes: str | float | None) -> Html:
    """One element with what stands in it.

    An attribute's name may end with an underscore, as `class_` must, and has hyphens where Python needs underscores.
    Those that are None are left out.
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{said}>" if name in _VOID else f"<{name}{said}>{join(*parts)}</{name}>")


def join(*parts: Part) -> Html:
    """Several parts, one after the other."""
    return Html("".join(part if isinstance(part, Html) else _text(part) for part in parts if part is not None))


def section(title: str, *parts: Part) -> Html:
    """A part of the page under its heading."""
    return tag("section", tag("h2", title), *parts)


def _text(part: str | float) -> str:
    """Text as it can be shown: what is not seen is written out, and nothing in it is markup."""
    if isinstance(part, float):
        return f"{part:.2f}".rstrip("0").rstrip(".")
    return escape(visible(str(part)), quote=True)
