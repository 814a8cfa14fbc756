"""Negotiation of the version of our own protocol, in `initialize`.

Nothing here may import `typing`, `dataclasses` or anything heavier: it runs before `initialize` is answered.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

VERSIONS = (1,)
"""The versions of the methods that begin with `certo/` that we speak."""

INSTANCE = os.urandom(16).hex()
"""The name of this process; a client that later finds another name speaks with another daemon."""

REQUESTS: tuple[str, ...] = (
    "certo/search/start",
    "certo/search/retry",
    "certo/search/resume",
    "certo/search/attach",
    "certo/search/cancel",
    "certo/search/list",
    "certo/search/get",
    "certo/search/forget",
    "certo/verify",
    "certo/tests",
    "certo/strength",
    "certo/diff",
    "certo/estimate",
    "certo/environment",
    "certo/status",
    "certo/candidate/get",
    "certo/candidate/apply",
    "certo/candidate/rebase",
    "certo/candidate/edited",
    "certo/candidate/mixed",
    "certo/candidate/feedback",
    "certo/candidate/compare",
)
"""The methods a client may ask us by, in the order of the table `certo.protocol.methods.METHODS`."""


def said(capabilities: object, options: object) -> dict[str, object]:
    """Return the values below `certo` in either of two places of a client's `initialize`, merged.

    The places are `experimental` in its capabilities, for an editor's extension, and the initialization options, which
    any editor lets its user set. Values in the capabilities win.
    """
    experimental = capabilities.get("experimental") if isinstance(capabilities, Mapping) else None
    whole: dict[str, object] = {}
    for place in (options, experimental):
        ours = place.get("certo") if isinstance(place, Mapping) else None
        if isinstance(ours, Mapping):
            whole.update(ours)
    return whole


def asked(ours: Mapping[str, object]) -> tuple[int, ...] | None:
    """The versions a client speaks; None when it names none, and so speaks LSP alone."""
    versions = ours.get("versions")
    if not isinstance(versions, list | tuple):
        return None
    return tuple(version for version in versions if isinstance(version, int) and not isinstance(version, bool))


def agreed(ours: Mapping[str, object]) -> int | None:
    """The highest version both sides speak; None when there is none, or the client did not ask."""
    return max(set(asked(ours) or ()) & set(VERSIONS), default=None)
