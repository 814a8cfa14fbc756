"""Calls made up beside those that checks make, for candidates that are compared elsewhere.

They are the calls with which a comparison of versions begins, before it learns from what comes of them.
"""

from __future__ import annotations

import ast
import re
from typing import Any, Dict, Iterator, List, Sequence

from certo_builtin.differential.call_rounds import CallRounds
from certo_builtin.differential.calls import call_of, distinct, has_flag, places, put, source_of
from certo_builtin.differential.generated_calls import Generator, Here
from certo_builtin.differential.typical_calls import TypicalCalls
from certo_builtin.differential.versions import Call
from certo_builtin.inputs.variants import literal
from certo_builtin.source import Source

MAX_CHARACTERS = 400
"""Maximum length of a call, which is shown to users."""

FEW = 8
"""Number of known calls in which None is put."""

MAX_TRIED = 3
"""Maximum number of calls that are made up for each one that is wanted, most of which may be unusual."""


def made_up(
    here: Here, pool: Dict[str, Any], recorded: Sequence[Dict[str, Any]], seed: int
) -> Iterator[Dict[str, Any]]:
    """Yield messages about the calls made up for a pool, and finally about parameters of which nothing is known.

    The pool wants so many usual calls, and gets half as many unusual ones beside them, which lack what all `recorded`
    ones have in common. There is none if nothing tells the type of a parameter.
    """
    callee = pool["callee"]
    known = [call for call in (call_of(message, callee) for message in recorded) if call is not None]
    generator = Generator(here, callee, [here.target, *_others(pool)], known, (), seed)
    asked: Dict[str, Any] = {}
    list(distinct(known, asked))
    rounds, typical = CallRounds(generator, known, asked), TypicalCalls(known)
    wanted, unusual = pool["most"], pool["most"] // 2
    left = 0 if generator.is_guess else wanted * MAX_TRIED
    while wanted > 0 and left > 0:
        calls = [call for call in rounds.next() if _is_possible(source_of(call), generator.words.large)]
        if not calls:
            break
        left -= len(calls)
        for call in calls:
            is_usual = typical.include(call) and not has_flag(call)
            wanted -= is_usual
            unusual -= not is_usual
            if (wanted if is_usual else unusual) >= 0:
                yield _told(call, callee, is_usual=is_usual)
    for call in [] if generator.is_guess else distinct(_with_none(known[:FEW]), asked):
        yield _told(call, callee, is_usual=False)
    yield {"kind": "unmade", "names": [*generator.unmade, *(generator.guessed if generator.is_guess else ())]}


def _is_possible(text: str, large: Sequence[int]) -> bool:
    """True if a call can be shown, and has no number that may fill the memory, unless the code has it."""
    numbers = map(int, re.findall(r"\d{9,}", text))
    return len(text) <= MAX_CHARACTERS and all(number in large or -number in large for number in numbers)


def _with_none(known: Sequence[Call]) -> Iterator[Call]:
    """Yield calls with None in place of a value or an element, which the function may not be made for."""
    for call in known:
        for place, text in places(call):
            if place == "":
                continue
            yield put(call, place, "None")
            if isinstance(literal(text), list):
                yield put(call, place, "[None]")


def _told(call: Call, callee: Dict[str, Any], *, is_usual: bool) -> Dict[str, Any]:
    """Return the message about a call: the receiver is the first argument, unless each call has the same."""
    arguments = call["arguments"]
    if call["receiver"] is not None and (callee["receiver"] is None or callee["is_class_method"]):
        arguments = [call["receiver"], *arguments]
    return {"kind": "made up", "arguments": arguments, "named": call["named"], "is_usual": is_usual}


def _others(pool: Dict[str, Any]) -> List[ast.AST]:
    """Return the function in the texts of the other candidates."""
    found = (Source(one["text"]).function_at(one["line"], one["name"]) for one in pool["others"])
    return [function for function in found if function is not None]
