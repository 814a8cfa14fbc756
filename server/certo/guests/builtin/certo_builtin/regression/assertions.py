"""Facts of a call that a test can assert, written as expressions: its result, its exception, and what it changed."""

from __future__ import annotations

import ast
import asyncio
import functools
import os
from types import CoroutineType
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union, get_args, get_origin

from certo_builtin.differential.call_recorder import Writer
from certo_builtin.differential.call_runner import parts_of
from certo_builtin.differential.value_view import View, attributes_of
from certo_builtin.differential.versions import MORE_STEPS, Call, Loaded, LocalVersion, Outcome, made
from certo_builtin.execution.fork_pool import each
from certo_builtin.inputs.variants import MISSING, literal
from certo_builtin.regression.kill_matrix import Candidate
from certo_builtin.source import Function

MAX_ATTRIBUTES = 5
MIN_MESSAGE = 4
"""Minimum length of the constant part of a message that a test asserts."""

MIN_ANSWERS = 5
"""Number of other results from which on a single None is odd."""

JUDGED_TYPES: Dict[Any, Tuple[type, ...]] = {
    type(None): (type(None),),
    bool: (bool,),
    int: (int,),
    float: (float, int),
    complex: (complex, float, int),
    **{kind: (kind,) for kind in (str, bytes, list, tuple, dict, set, frozenset)},
}
"""Types of results by the type that an annotation declares; no other annotation contradicts a result."""

STALL_SECONDS = 4.0


def asserted(version: LocalVersion, calls: List[Call]) -> List[Optional[Dict[str, Any]]]:
    """Return for each call what can be asserted of it in a version; None where it was lost."""

    def work(number: int) -> Any:
        version.put_in_place()
        said: Dict[str, Any] = {}
        outcome = version.outcome(functools.partial(_made, version.loaded, calls[number], said), MORE_STEPS)
        return {**said, "kind": outcome["kind"], "printed": outcome["printed"], "left": outcome["left"]}

    found: List[Optional[Dict[str, Any]]] = [None] * len(calls)
    for number, came in each(work, range(len(calls)), STALL_SECONDS, version.loaded.allowance):
        found[number] = came
    return found


def asserts_something(said: Dict[str, Any]) -> bool:
    """True if a test of the call has something to assert."""
    if said["kind"] == "raises":
        return "error" in said
    written = said.get("expected") is not None or bool(said.get("attributes"))
    return written or bool(said["printed"]) or any(text is not None or more for _, text, more in said["changed"])


def is_odd_none(one: Candidate, others: Sequence[Candidate], target: Function) -> bool:
    """True if a call gives None where all others give numbers or texts, and nothing announces that."""
    if one.outcome["kind"] != "returns" or one.outcome["value"] != "None":
        return False
    if any(isinstance(node, ast.Constant) and node.value is None for node in ast.walk(target)):
        return False
    results = [other.outcome["value"] for other in others if other.outcome["kind"] == "returns"]
    answers = [text for text in results if text != "None"]
    return len(answers) >= MIN_ANSWERS and all(isinstance(literal(text), (int, float, str)) for text in answers)


def undeclared(candidates: Sequence[Candidate], hint: Any) -> Set[str]:
    """Return the calls, as texts, whose result is of another type than the annotation declares.

    None is, if at least half of the results are: then the annotation is wrong rather than they.
    """
    results = [(one.text, literal(one.outcome["value"])) for one in candidates if one.outcome["kind"] == "returns"]
    found = {text for text, value in results if value is not MISSING and _contradicts(value, hint)}
    return found if 2 * len(found) < len(results) else set()


def _contradicts(value: Any, hint: Any) -> bool:
    """True if an annotation admits only plain types, and a value is of none of them."""
    origin = get_origin(hint)
    # Since Python 3.10 `int | str` is of a type of its own.
    if origin is Union or type(hint).__name__ == "UnionType":
        return all(_contradicts(value, one) for one in get_args(hint))
    kind = type(None) if hint is None else origin or hint
    try:
        return kind in JUDGED_TYPES and not isinstance(value, JUDGED_TYPES[kind])
    except TypeError:  # an annotation that has no hash
        return False


def _made(loaded: Loaded, call: Call, said: Dict[str, Any]) -> Outcome:
    """Make a call; put what can be asserted of it into `said`."""
    function, arguments, named = parts_of(call, dict(loaded.names))
    given = [*enumerate(arguments), *named.items()]
    writer = Writer(loaded.names, {})
    before = {place: (View(value).state, _attributes(writer, value)) for place, value in given}

    def keeping(*values: Any, **more: Any) -> Any:
        try:
            value = function(*values, **more)
            if issubclass(type(value), CoroutineType):
                value = asyncio.run(value)
        except BaseException as error:  # what the call raises is what is asserted
            said.update(_raised(loaded, error))
            raise
        said["type"] = type(value).__name__
        if hasattr(type(value), "__next__") and iter(value) is value:
            value = list(value)
            said["expected"] = writer.text(value)
            return iter(value)
        said["expected"] = writer.text(value)
        if said["expected"] is None:
            said["attributes"] = _attributes(writer, value)
        return value

    outcome = made(keeping, arguments, named)
    shift = 1 if call["receiver"] is not None and call["receiver"] != "" else 0
    changed = []
    for place, value in given:
        state, held = before[place]
        if View(value).state != state:
            where = (place - shift if place >= shift else "") if isinstance(place, int) else place
            text = writer.text(value) if where != "" else None
            now = [] if text is not None else _attributes(writer, value)
            changed.append([where, text, [one for one in now if one not in held]])
    said["changed"] = changed
    return outcome


def _attributes(writer: Writer, value: Any) -> List[List[str]]:
    """Return the public attributes of an object that can be written, with their values."""
    found: List[List[str]] = []
    for name, one in sorted((attributes_of(value) or {}).items()):
        text = writer.text(one) if not name.startswith("_") else None
        if text is not None and len(found) < MAX_ATTRIBUTES:
            found.append([name, text])
    return found


def _raised(loaded: Loaded, error: BaseException) -> Dict[str, Any]:
    kind = type(error)
    said: Dict[str, Any] = {"error": kind.__qualname__, "is_on_purpose": _is_on_purpose(loaded, error)}
    try:
        message = str(error)
    except Exception:  # the project's own code
        message = ""
    parts = sorted(set(_constants(loaded.hot_swap.source.tree, message)), key=lambda part: (-len(part), part))
    said["message"] = parts[0] if parts else ""
    return said


def _constants(tree: ast.AST, message: str) -> Iterator[str]:
    """Yield the texts in a module's source that a message contains."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            part = node.value.strip()
            if len(part) >= MIN_MESSAGE and "\n" not in part and part in message:
                yield part


def _is_on_purpose(loaded: Loaded, error: BaseException) -> bool:
    """True if a `raise` or `assert` of the project made an exception."""
    trace = error.__traceback__
    last: Optional[Tuple[Any, int]] = None
    while trace is not None:
        last = (trace.tb_frame.f_code, trace.tb_lineno)
        trace = trace.tb_next
    if last is None:
        return False
    code, line = last
    if code in loaded.hot_swap.codes:
        return _raises(loaded.hot_swap.source.tree, line + loaded.hot_swap.first)
    file = os.path.realpath(code.co_filename)
    if not file.startswith(os.path.realpath(loaded.place.root) + os.sep) or "site-packages" in file:
        return False
    try:
        with open(file, encoding="utf-8") as opened:
            return _raises(ast.parse(opened.read()), line)
    except (OSError, SyntaxError, ValueError):
        return False


def _raises(tree: ast.AST, line: int) -> bool:
    return any(
        isinstance(node, (ast.Raise, ast.Assert)) and node.lineno <= line <= (node.end_lineno or node.lineno)
        for node in ast.walk(tree)
    )
