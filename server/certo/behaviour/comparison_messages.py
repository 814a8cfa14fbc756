"""Checks of the messages of the program that compares versions: a version may have written them."""

from __future__ import annotations

from typing import Literal, get_args

from certo.behaviour.outcome import outcome
from certo.sandbox.executor import Message

Kind = Literal["value", "exception", "endless", "arguments", "state", "output", "message", "slight", "log", "sharing"]
"""What differs: the result, if or what it raises, if it comes back, its arguments afterwards, globals or files, what is
printed; or only the message of an exception, what `==` and the last digits hide, what is logged or warned of, or if the
result is an argument, or a part of one, rather than a copy.
"""

Domain = Literal["usual", "unusual", "accident"]
"""Where a call stands: it has what all observed calls have in common, or not, or the older version fails on it by
accident, as with a TypeError.
"""


def is_difference(message: Message) -> bool:
    """True if a message has the form of a difference."""
    outcomes = message.get("outcomes")
    return (
        isinstance(message.get("version"), int)
        and isinstance(message.get("text"), str)
        and isinstance(message.get("where"), str)
        and (message.get("call") is None or isinstance(message["call"], dict))
        and isinstance(outcomes, list)
        and len(outcomes) == 2
        and all(outcome(one) is not None for one in outcomes)
        and message.get("class") in get_args(Kind)
        and message.get("domain") in get_args(Domain)
    )


def is_summary(message: Message) -> bool:
    """True if a message has the form of the summary of a comparison."""
    counts, branches = message.get("counts"), message.get("branches")
    numbers = [message.get(name) for name in ("compared", "unanswered", "unconfirmed")]
    return (
        isinstance(counts, dict)
        and all(isinstance(count, int) for count in counts.values())
        and isinstance(branches, list)
        and all(isinstance(each, list) and len(each) == len(branches) - 1 for each in numbers)
        and all(isinstance(count, int) for each in numbers if each is not None for count in each)
        and all(isinstance(message.get(name), list) for name in ("unmade", "guessed", "unwritten"))
        and _is_sensitivity(message.get("sensitivity"))
        and isinstance(message.get("raised"), dict)
        and all(isinstance(count, int) for count in message["raised"].values())
    )


def _is_sensitivity(said: object) -> bool:
    match said:
        case [int(noticed), int(tried)]:
            return 0 <= noticed <= tried
    return False
