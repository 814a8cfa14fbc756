"""Values that a source of settings may not set: those the user owns in a project's file, and keys in any source."""

from __future__ import annotations

import re
from typing import Any

from certo.settings.schema import Option

_ADVICE = "put it in your editor's settings or the environment"

_KEY = re.compile(
    r"""
    (?<![A-Za-z0-9])
    (?: (?:sk|pk|rk|xai|nvapi|pplx|csk|glpat|xox[abp])- | (?:gsk|hf|r8|ghp|gho|github_pat)_ | AIza | AKIA )
    (?= [A-Za-z_-]* \d )
    [A-Za-z0-9_-]{16,}
    | \beyJ[A-Za-z0-9_-]{16,} \. [A-Za-z0-9_-]+
    | \bBearer \s+ \S{8,}
    | :// [^/\s:@]* : [^/\s@]+ @
    """,
    re.VERBOSE,
)
"""The forms of keys: a provider's prefix, then many characters with digits among them; a JSON web token; a bearer
header; a password in an address."""

_KEY_NAMES = frozenset({"api_key", "apikey", "key", "token", "api_token", "secret", "password", "authorization"})
"""Names of settings that are meant to be keys."""

KEYS_ELSEWHERE = (
    "looks like a key, and keys do not stand in settings; put it in the environment variable that model.key_variable "
    "names, your editor's secret storage or the system's keyring"
)
"""The reason a value is refused; the value itself is not repeated."""


def is_key(name: str, value: Any) -> bool:
    """True if a value under this dotted name is a key, by its form or by the name of the setting."""
    if not isinstance(value, str):
        return isinstance(value, list | tuple) and any(is_key(name, part) for part in value)
    group, _, last = name.rpartition(".")
    named_so = group.partition(".")[0] in ("model", "models") and last in _KEY_NAMES and bool(value)
    return named_so or _KEY.search(value) is not None


def objection(option: Option, value: Any) -> str:
    """Return why a project's own file may not set this value, or nothing if it may.

    A project comes from anyone, and its author must not choose what certo trusts.
    """
    if option.info.may_come_from_project(value):
        return ""
    return f"a project's file may not {option.info.reserved}; {_ADVICE}"
