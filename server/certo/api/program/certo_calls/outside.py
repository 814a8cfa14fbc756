"""Tools that are not in the sandbox: a call leaves as a message, and is answered when the program runs again."""

from __future__ import annotations

import inspect
import json
from typing import Any, Callable, Dict, List

Tell = Callable[[Dict[str, Any]], None]


class Left(BaseException):
    """The program has asked for something outside and can do nothing before it is answered."""


class Outside:
    """The calls of one run, in their order: those that were answered before, and the first that was not.

    A program cannot be answered while it runs, for it has a way out and none in. So it is run from its beginning with
    the answers it has so far, which are given back to it in the order of its calls.
    """

    def __init__(self, answers: List[Dict[str, Any]], tell: Tell) -> None:
        self._answers = answers
        self._tell = tell
        self._made = 0

    def tool(self, name: str, stand_in: Callable[..., Any]) -> Callable[..., Any]:
        """A function that calls the tool `name` outside; `stand_in` has its parameters."""
        signature = inspect.signature(stand_in)

        def call(*positional: Any, **named: Any) -> Any:
            bound = signature.bind(*positional, **named)
            bound.apply_defaults()
            return self._call(name, json.loads(json.dumps(bound.arguments)))

        call.__name__ = name
        call.__doc__ = stand_in.__doc__
        return call

    def _call(self, name: str, arguments: Dict[str, Any]) -> Any:
        if self._made >= len(self._answers):
            self._tell({"kind": "call", "tool": name, "arguments": arguments})
            raise Left
        answer = self._answers[self._made]
        if (answer["tool"], answer["arguments"]) != (name, arguments):
            self._tell({"kind": "strayed", "tool": name, "before": answer["tool"]})
            raise Left
        self._made += 1
        if answer["error"]:
            raise RuntimeError(answer["error"])
        return answer["value"]
