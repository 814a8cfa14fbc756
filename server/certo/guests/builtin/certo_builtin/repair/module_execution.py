"""Executions of the target's module with an edit, where importing the module runs the target.

The checks imported the module before any edit, so they pass with one that no process could import any more.
"""

from __future__ import annotations

import sys
import types
from typing import Any, Optional, Sequence

from certo_builtin.execution.allowance import Spent
from certo_builtin.execution.fork_pool import each
from certo_builtin.execution.runner import CandidateRunner
from certo_builtin.source import Edit, Function, Source, applied

SECONDS = 1.0
"""Time limit of one execution; a module that takes longer is not executed again."""

_TOLD = ("__name__", "__package__", "__path__", "__file__", "__spec__", "__loader__")


class ModuleExecution:
    """The module of a target, executed anew in forked children."""

    def __init__(self, runner: CandidateRunner, source: Source, target: Function) -> None:
        self._runner = runner
        self._source = source
        self._lines = range(source.lines_of(target)[0], target.lineno + 1)
        self._name = target.name
        self._runs_target: Optional[bool] = None

    def fails_with(self, edits: Sequence[Edit]) -> bool:
        """True if the module raises an exception with the edits, and ran the target without one as it was."""
        try:
            if self._runs_target is None:
                self._runs_target = self._result(()) == "ran"
            return self._runs_target and self._result(edits) == "failed"
        except Spent:
            # The search is over, but not the candidate's chance.
            return False

    def _result(self, edits: Sequence[Edit]) -> Optional[str]:
        [(_, ended)] = each(lambda _: self._executed(edits), [0], SECONDS, self._runner.allowance)
        return ended

    def _executed(self, edits: Sequence[Edit]) -> str:
        """Execute the module; return "failed", "ran" if the target ran, or "ended"; for a child."""
        known = next(iter(self._runner.hot_swap.namespaces), {})
        module = types.ModuleType(str(known.get("__name__")))
        vars(module).update({name: known[name] for name in _TOLD if name in known})
        sys.modules[module.__name__] = module
        ran = False

        def watch(frame: Any, event: str, _argument: Any) -> None:
            nonlocal ran
            code = frame.f_code
            ran = ran or (event == "call" and code.co_name == self._name and code.co_firstlineno in self._lines)

        try:
            text = applied(self._source.text, edits).lstrip("\ufeff")
            code = compile(text, self._runner.hot_swap.filename, "exec", dont_inherit=True)
            sys.setprofile(watch if not edits else None)
            exec(code, vars(module))
        except BaseException:  # whatever the project raises
            return "failed"
        finally:
            sys.setprofile(None)
        return "ran" if ran else "ended"
