"""Kinds of differences between two outcomes of a call."""

from __future__ import annotations

import ast
import math
import re
import sys
from typing import Any, Optional

from certo_builtin.differential.versions import Outcome

VALUE, EXCEPTION, ENDLESS = "value", "exception", "endless"
ARGUMENTS, OUTPUT, STATE = "arguments", "output", "state"
MESSAGE, SLIGHT, LOG, SHARING = WEAK = "message", "slight", "log", "sharing"

STRONG = (VALUE, EXCEPTION, ENDLESS, ARGUMENTS, STATE, OUTPUT)
"""Kinds of differences that a caller depends on, the most telling first; the others are listed and pass."""

USUAL, UNUSUAL, ACCIDENT = DOMAINS = ("usual", "unusual", "accident")
"""Where a call stands: it has what all observed calls have in common, or not, or the reference fails by accident."""

ENDLESS_FACTOR = 25
"""A version does not come back if it takes more than so many times the steps of the other, and all that it is given."""

ACCIDENTS = frozenset(
    ("TypeError", "AttributeError", "RecursionError", "NameError", "UnboundLocalError", "NotImplementedError")
)
"""Exceptions that code raises by accident rather than on purpose, for input outside its domain."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{8,16}\b")
"""The address of an object in a text, as Python writes it; short numbers may be meant."""

_ENDED = ("returns", "yields", "raises")


def is_compared(one: Optional[Outcome], other: Optional[Outcome]) -> str:
    """Return the reason why two outcomes cannot be compared; empty if they can be."""
    kinds = {outcome["kind"] if outcome is not None else "unmade" for outcome in (one, other)}
    for reason in ("unmade", "untaken", "lost"):
        if reason in kinds:
            return reason
    assert one is not None
    assert other is not None
    if _is_deep(one) and _is_deep(other):
        return "endless"
    if "endless" in kinds:
        if len(kinds) == 1:
            return "endless"
        back = one if one["kind"] != "endless" else other
        away = other if back is one else one
        if _is_deep(back) or back["steps"] * ENDLESS_FACTOR > away["steps"]:
            return "endless"
        return ""
    if (
        _is_deep(one) != _is_deep(other)
        and max(one["steps"], other["steps"]) < 500
        and "MemoryError" in one["value"] + other["value"]
    ):
        return "endless"
    if one["is_opaque"] and difference(one, other) == "":
        return "opaque"
    return ""


def is_unanswered(one: Outcome, other: Optional[Outcome]) -> bool:
    """True if version 0 has answered a call and the other has not, though that is no difference as yet."""
    return one["kind"] in _ENDED and (other is None or (other["kind"] not in _ENDED and is_compared(one, other) != ""))


def gone(outcome: Optional[Outcome]) -> Optional[Outcome]:
    """Return the outcome of a call made alone; one that ended its process, or hangs, does not come back."""
    if outcome is None or outcome["kind"] != "lost":
        return outcome
    nothing = {"value": "", "printed": "", "after": "", "state": "", "left": "", "is_opaque": False}
    return {"kind": "endless", "steps": sys.maxsize, "branches": [], **nothing}


def _is_deep(outcome: Outcome) -> bool:
    return outcome["kind"] == "raises" and str(outcome["value"]).startswith(("RecursionError", "MemoryError"))


def difference(one: Outcome, other: Outcome) -> str:
    """Return the kind of difference between two outcomes; empty if there is none."""
    if "endless" in (one["kind"], other["kind"]):
        return ENDLESS
    if "raises" in (one["kind"], other["kind"]):
        if one["kind"] != other["kind"]:
            return EXCEPTION
        ours, theirs = (outcome["value"].partition("\n") for outcome in (one, other))
        # What a process exits with is in the state.
        if ours[0] != theirs[0] or one["state"] != other["state"]:
            return EXCEPTION
        return _around(one, other) or (MESSAGE if ours[2] != theirs[2] else "")
    if one["kind"] != other["kind"]:
        return VALUE
    if (one["value"], one["state"]) != (other["value"], other["state"]):
        return _around(one, other) or SLIGHT if _is_slight(one, other) else VALUE
    return _around(one, other)


def whole_difference(one: Outcome, other: Outcome) -> str:
    """Return the same, with what a call says and shares beside its result, where that was looked at."""
    kind = difference(one, other)
    if kind and kind not in WEAK:
        return kind
    for field, beside in (("errors", OUTPUT), ("logged", kind or LOG), ("shares", kind or SHARING)):
        if one.get(field, "") != other.get(field, ""):
            return beside
    return kind


def is_address_alone(one: Outcome, other: Outcome) -> bool:
    """True if two different outcomes are the same but for addresses in texts, which are others in each process."""
    return not whole_difference(_without_addresses(one), _without_addresses(other))


def _without_addresses(outcome: Outcome) -> Outcome:
    return {name: _ADDRESS.sub("", said) if isinstance(said, str) else said for name, said in outcome.items()}


def _around(one: Outcome, other: Outcome) -> str:
    """Return the kind of a difference besides the result."""
    for field, kind in (("after", ARGUMENTS), ("left", STATE), ("printed", OUTPUT)):
        if one[field] != other[field]:
            return kind
    return ""


def _is_slight(one: Outcome, other: Outcome) -> bool:
    if one["state"] != other["state"] and (one["state"] or other["state"]):
        return False
    try:
        return is_near(ast.literal_eval(one["value"]), ast.literal_eval(other["value"]))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False


def is_near(one: Any, other: Any) -> bool:
    """True if `==` holds of both and they only differ in types of numbers, last digits, or the order of pairs."""
    numbers = (int, float, bool)
    if type(one) in numbers and type(other) in numbers:
        if bool in (type(one), type(other)) and type(one) is not type(other):
            return False
        return bool(one == other) or math.isclose(one, other, rel_tol=1e-12)
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(is_near, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_near(value, other[key]) for key, value in one.items())
    return bool(one == other)


def is_flag_alone(one: Outcome, other: Outcome) -> bool:
    """True if two values only differ in truth values that equal the numbers in their place."""
    if one["kind"] != other["kind"] or one["kind"] == "raises" or _around(one, other):
        return False
    try:
        return is_near(_counted(ast.literal_eval(one["value"])), _counted(ast.literal_eval(other["value"])))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False


def _counted(value: Any) -> Any:
    """Return a value with numbers in place of truth values."""
    if isinstance(value, (list, tuple)):
        return [_counted(one) for one in value]
    if isinstance(value, dict):
        return {key: _counted(one) for key, one in value.items()}
    return int(value) if isinstance(value, bool) else value


def is_accident(outcome: Outcome) -> bool:
    """True if a call ended with an exception that code raises by accident."""
    return outcome["kind"] == "raises" and outcome["value"].partition("\n")[0] in ACCIDENTS


def why_not_steady(first: Optional[Outcome], second: Optional[Outcome]) -> str:
    """Return why a call of version 0 says nothing: lost, unmade or unsteady; empty if it can be compared."""
    if first is None or second is None:
        return "lost"
    if first["kind"] == "unmade":
        return "unmade"
    # A call that was made alone is made once.
    return "unsteady" if first is not second and _is_unsteady(first, second) else ""


def _is_unsteady(first: Outcome, second: Outcome) -> bool:
    """True if an outcome differs from itself; how far a call came before it was ended does not count."""
    if "endless" in (first["kind"], second["kind"]):
        return bool(first["kind"] != second["kind"])
    return bool(whole_difference(first, second)) if first["kind"] in ("returns", "yields", "raises") else False
