"""What a source of settings may not say: what a project's file has no business to choose, and keys anywhere."""

from __future__ import annotations

import re
from typing import Any

from certo.plugins import is_place
from certo.search.options import MAX_CALLS
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
"""What keys look like, as those who hand them out make them: a prefix, then many characters with digits among them; and
besides, a token of the web's, the header it stands in, and a password in an address."""

_NAMING_CODE = frozenset({"search.generator", "search.strategy", "search.evaluator", "verify.plugins", "cost.plugins"})
"""Settings that name plug-ins: packages are installed by the user, but a `module:attribute` may be anybody's."""

_NAMING_A_MODEL = frozenset(
    {"memory.model", "linear_search.idea_generation_model", "llm_tree_search.idea_generation_model"}
)

_KEY_NAMES = frozenset({"api_key", "apikey", "key", "token", "api_token", "secret", "password", "authorization"})
"""How a setting is called that is meant to be a key."""

KEYS_ELSEWHERE = (
    "looks like a key, and keys do not stand in settings; put it in the environment variable that model.key_variable "
    "names, your editor's secret storage or the system's keyring"
)
"""Why a value is refused, which is not repeated."""


def is_key(name: str, value: Any) -> bool:
    """Whether a value under this dotted name is a key, by what it looks like or by how the setting is called."""
    if not isinstance(value, str):
        return isinstance(value, list | tuple) and any(is_key(name, part) for part in value)
    group, _, last = name.rpartition(".")
    named_so = group.partition(".")[0] in ("model", "models") and last in _KEY_NAMES and bool(value)
    return named_so or _KEY.search(value) is not None


def objection(option: Option, value: Any) -> str:
    """Why a project's own file may not set this: whoever wrote the project must not choose what certo trusts."""
    if option.name == "interpreter" or (option.name in _NAMING_CODE and _names_a_place(value)):
        return f"a project's file may not choose the program certo starts; {_ADVICE}"
    if option.path[0] == "executor":
        return f"a project's file may not choose the machines your files are sent to; {_ADVICE}"
    if (option.name, value) in (("sandbox.isolation", "process"), ("sandbox.allow_unsandboxed", True)):
        return f"a project's file may not take its own code out of the sandbox; {_ADVICE}"
    if option.name == "search.calls" and value > MAX_CALLS:
        return f"a project's file may not have more than {MAX_CALLS} calls made, which you pay for; {_ADVICE}"
    if option.name == "search.record":
        return f"a project's file may not choose a file that certo writes; {_ADVICE}"
    if option.name in ("search.replay", "scripted.path"):
        return f"a project's file may not choose a file that certo reads; {_ADVICE}"
    if option.name in ("generation.models", "llm_tree_search.idea_generation_ensemble_models"):
        return next(filter(None, (_objection_to_model("name", name) for name in value)), "")
    if (option.path[0] == "criteria" and option.path[-1] == "model") or option.name in _NAMING_A_MODEL:
        return _objection_to_model("name", value)
    if option.path[0] in ("model", "models"):
        return _objection_to_model(option.path[-1], value)
    return ""


def _names_a_place(value: Any) -> bool:
    """Whether a plug-in, whose weight may follow, is named by where its code stands."""
    names = [value] if isinstance(value, str) else value
    return any(is_place(str(name).partition("=")[0].strip()) for name in names)


def never_a_projects(option: Option) -> bool:
    """Whether a project's own file may not set this at all, to whatever value."""
    return bool(objection(option, True if option.default is False else option.default))


def _objection_to_model(last: str, value: Any) -> str:
    """A project may name a model; but where your code and your key go, and what you pay, is for you to say."""
    if last in ("base_url", "api_version"):
        return f"a project's file may not choose the server your code and your key are sent to; {_ADVICE}"
    if last == "key_variable":
        return f"a project's file may not choose which of your keys is sent; {_ADVICE}"
    if last.endswith("_dollars"):
        return f"a project's file may not say what a model costs you; {_ADVICE}"
    if last == "name" and str(value).partition(":")[0].strip() == "scripted":
        return f"a project's file may not choose a file that certo reads; {_ADVICE}"
    return ""
