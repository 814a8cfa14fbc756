"""Versions of a function for timing: compiled without counted steps, and put in place in turn."""

from __future__ import annotations

import ast
import contextlib
import copy
import os
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

from certo_builtin.differential.call_runner import called
from certo_builtin.differential.value_view import View
from certo_builtin.differential.versions import Loaded
from certo_builtin.source import Edit
from certo_builtin.speed.larger_calls import Growing, Values
from certo_builtin.speed.timer import Prepared

Made = Tuple[Callable[..., Any], List[Any], Dict[str, Any]]
"""A function and its arguments by place and by name."""


class TimedVersion:
    """One version: edits of the loaded text, none for the text itself."""

    def __init__(self, loaded: Loaded, edits: Sequence[Edit] = ()) -> None:
        self._hot_swap = loaded.hot_swap
        tree = self._hot_swap.tree(edits)
        self._code: Any = self._hot_swap.compiled(ast.fix_missing_locations(tree), is_counted=False)

    def put(self) -> None:
        """Let calls reach this version."""
        self._hot_swap.put(self._code)

    def forget(self) -> None:
        """Drop what this version consists of; it stays where it is put."""
        self._code = None


def made(call: Dict[str, Any], values: Values, names: Dict[str, Any]) -> Made:
    """Return the function of a call with its arguments."""
    arguments, named, receiver = values
    if receiver is None:
        return eval(call["callee"], dict(names)), arguments, named
    attribute = call["callee"]
    if call["is_property"]:
        return (lambda one: getattr(one, attribute)), [receiver, *arguments], {}
    return _method(attribute), [receiver, *arguments], named


def prepared(call: Dict[str, Any], growing: Growing, names: Dict[str, Any], factor: float, seed: int) -> Prepared:
    """Return a call at so many times its size, and what it does with its arguments, by making it once.

    Raises the exception of the call, or of an argument that cannot be made.
    """
    function, arguments, named = made(call, growing.values(factor, seed), names)
    own_arguments, own_named = copy.deepcopy((arguments, named))
    before = View((own_arguments, own_named)).state
    result = function(*own_arguments, **own_named)
    is_drained = hasattr(result, "__next__")
    if is_drained:
        for _ in result:
            pass
    return Prepared(function, arguments, named, View((own_arguments, own_named)).state != before, is_drained)


def _method(name: str) -> Any:
    return lambda one, *more, **by_name: getattr(one, name)(*more, **by_name)


def outcome(call: Prepared) -> Tuple[Any, ...]:
    """Return what comes of a call, in a form that can be compared."""
    arguments, named = copy.deepcopy((call.arguments, call.named))
    ended = called(call.function, arguments, named)
    return ended["kind"], ended["value"], ended["state"], View((arguments, named)).state


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Drop what calls print."""
    with contextlib.ExitStack() as stack:
        nothing = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
        stack.enter_context(contextlib.redirect_stdout(nothing))
        stack.enter_context(contextlib.redirect_stderr(nothing))
        yield


def sizes_below(known: Sequence[List[float]], top: float) -> List[float]:
    """Return up to three sizes for the growth of time, from the top downwards."""
    sizes = [size for size, _ in known if size <= top]
    return sizes[-1:-6:-2] if len(sizes) > 4 else sizes[::-1]
