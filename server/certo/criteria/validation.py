"""Validation of a criterion's parameters, done when it is created."""

from __future__ import annotations

import math

from certo.criteria.aggregation import AGGREGATIONS
from certo.vocabulary.errors import BadSetting

_CHOICES = {"agg": tuple(AGGREGATIONS), "outside": ("clamp", "drop", None)}


def check_expression(expression: object) -> None:
    """Refuse an expression that says nothing.

    Raises:
        BadSetting: It is no text, or has no words.
    """
    if not isinstance(expression, str) or not expression.strip():
        raise BadSetting(f"the expression of a criterion must say in words what is judged, not {expression!r}")


def check_model(llm: object) -> None:
    """Refuse what cannot be asked.

    Raises:
        BadSetting: It is no model.
    """
    if not callable(getattr(llm, "answer", None)):
        raise BadSetting(f"the llm of a criterion must be a model that can be asked, not {llm!r}")


def check_counts(num_samples: int, **parts: int) -> None:
    """Refuse numbers of samples that are none, and parts of them that are more than there are.

    Raises:
        BadSetting: The message names the parameter and its value.
    """
    if not _is_whole(num_samples) or num_samples < 1:
        raise BadSetting(f"num_samples must be a whole number from 1, not {num_samples!r}")
    for name, value in parts.items():
        if not _is_whole(value) or not 1 <= value <= num_samples:
            raise BadSetting(
                f"{name} must be a whole number from 1 to num_samples, which is {num_samples}, not {value!r}"
            )


def check_scale(low: float, high: float) -> None:
    """Refuse a scale without two ends, the lower one first.

    Raises:
        BadSetting: The message names both.
    """
    for name, value in (("min", low), ("max", high)):
        if not is_number(value):
            raise BadSetting(f"{name} must be a finite number, not {value!r}")
    if not low < high:
        raise BadSetting(f"min must be less than max, which is {high!r}, not {low!r}")


def check_how(parameter: str, value: object) -> None:
    """Refuse a word that is none of those a parameter takes.

    Raises:
        BadSetting: The message lists them.
    """
    if value not in _CHOICES[parameter]:
        known = ", ".join(repr(choice) for choice in _CHOICES[parameter])
        raise BadSetting(f"{parameter} must be one of {known}, not {value!r}")


def is_number(value: object) -> bool:
    """True if a value is a finite number; booleans are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
