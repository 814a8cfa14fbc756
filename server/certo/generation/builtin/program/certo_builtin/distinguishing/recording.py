"""The program: run the tests that reach the target and tell the calls they make of it, as expressions.

The target itself notes its arguments when it is entered, before it can change them. Objects of the module's classes
are known by the call of their class that made them, as far as they do not say themselves how to make them.
"""

from __future__ import annotations

import ast
import builtins
import functools
import gc
import importlib.util
import os
from typing import Any, Callable, Dict, Iterable, List, Sequence

from certo_builtin.allowance import Allowance, Spent
from certo_builtin.checks import Check, doctest_check, suite_of, with_pytest
from certo_builtin.distinguishing.written import Born, Writer, call_text
from certo_builtin.forks import Emit, streamed
from certo_builtin.fuel import Meter
from certo_builtin.graft import Graft
from certo_builtin.question import Question, read
from certo_builtin.source import Edit, Function, Source
from certo_builtin.trial import Bench
from certo_worker.importing import import_file

SEEN = "__certo_seen__"
STEPS = 200000
SECONDS = 5.0
"""What one test may take by the clock."""

MOST_CALLS = 120
"""Different calls that are told; the first of them tell what kind of values there are."""

MOST_BORN = 20000
"""Objects whose making is remembered: they are kept alive, so that none takes the place of another."""


def main(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Tell each different call, and last the types of arguments that could not be written."""
    question = read(request)

    def record(checks: List[Check]) -> None:
        module = import_file(os.path.join(question.root, question.path), question.root)
        everything = list(checks)
        if question.examples:
            everything.append(doctest_check(question.examples, (), lambda: vars(module)))
        for said in observed(question, everything, vars(module)):
            tell(said)

    if not suite_of(question) or importlib.util.find_spec("pytest") is None or not with_pytest(question, record):
        record([])


def observed(
    question: Question, checks: Sequence[Check], names: Dict[str, Any], edits: Iterable[Edit] = ()
) -> List[Dict[str, Any]]:
    """What these checks call the target with while it is edited so, each different call once, as messages.

    A target that passes its checks is called more often than one that fails at the first of them.
    """
    source = Source(question.text)
    target = source.function_at(question.line, question.name)
    # Whoever has judged candidates has frozen all objects, and on the list of those that are frozen nothing is found.
    gc.unfreeze()
    graft = Graft(source, question.path, target) if target is not None else None
    if target is None or graft is None or not graft.live:
        return []
    recorder = _Recorder(target, names)
    bench = Bench(graft, checks, Meter(), Allowance(question.seconds))

    def work(emit: Emit) -> None:
        recorder.watch(bench.graft, edits, emit)
        for index in range(len(checks)):
            bench.run_check(index, STEPS, SECONDS)
        emit({"kind": "unwritten", "types": sorted(recorder.writer.unwritten)})

    said: List[Dict[str, Any]] = []
    try:
        said.extend(streamed(work, SECONDS + 2.0, bench.allowance))
    except Spent:
        pass
    return said


class _Recorder:
    """Notes the calls of one function, each different one once."""

    def __init__(self, target: Function, names: Dict[str, Any]) -> None:
        given = target.args
        self._target = target
        self._plain = [one.arg for one in [*getattr(given, "posonlyargs", []), *given.args]]
        self._star = given.vararg.arg if given.vararg else None
        self._only = [one.arg for one in given.kwonlyargs]
        self._stars = given.kwarg.arg if given.kwarg else None
        self._names = names
        self._born: Born = {}
        self.writer = Writer(names, self._born)
        self._told: Dict[str, None] = {}
        self._busy = False

    def watch(self, graft: Graft, edits: Iterable[Edit], emit: Emit) -> None:
        """Have the live target, edited so, note its arguments from now on, and the module's classes their making."""
        for thing in list(self._names.values()):
            if type(thing) is type and thing.__module__ == self._names.get("__name__"):
                self._watch_class(thing)
        function = graft.tree(edits)
        for node in ast.walk(function):
            if isinstance(node, type(self._target)) and node.name == self._target.name:
                note = ast.parse("{}(({},))".format(SEEN, ", ".join(self._parameters()) or "None")).body[0]
                node.body.insert(0, note)
        ast.fix_missing_locations(function)
        setattr(builtins, SEEN, functools.partial(self._see, emit))
        graft.put(graft.compiled(function))

    def _parameters(self) -> List[str]:
        star, stars = ([one] if one else [] for one in (self._star, self._stars))
        return [*self._plain, *star, *self._only, *stars]

    def _watch_class(self, kind: Any) -> None:
        made = kind.__init__
        if not hasattr(made, "__code__"):
            return

        @functools.wraps(made)
        def making(one: Any, *arguments: Any, **named: Any) -> None:
            if type(one) is kind and not self._busy and len(self._born) < MOST_BORN:
                self._note_birth(one, arguments, named)
            made(one, *arguments, **named)

        try:
            kind.__init__ = making
        except (AttributeError, TypeError):
            return

    def _note_birth(self, one: Any, arguments: Any, named: Dict[str, Any]) -> None:
        self._busy = True
        try:
            texts = [self.writer.text(each) for each in arguments]
            by_name = {name: self.writer.text(each) for name, each in named.items()}
        finally:
            self._busy = False
        known = [text for text in texts if text is not None]
        known_by_name = {name: text for name, text in by_name.items() if text is not None}
        if (len(known), len(known_by_name)) == (len(texts), len(by_name)):
            self._born[id(one)] = (one, call_text(type(one).__qualname__, tuple(known), known_by_name))

    def _see(self, emit: Emit, values: Any) -> None:
        # What is called to write a value down may call the target itself.
        if self._busy or len(self._told) >= MOST_CALLS:
            return
        self._busy = True
        try:
            self._tell(emit, list(values))
        finally:
            self._busy = False

    def _tell(self, emit: Emit, values: List[Any]) -> None:
        positional = values[: len(self._plain)]
        rest = values[len(self._plain) :]
        if self._star:
            positional += rest.pop(0)
        named = dict(zip(self._only, rest))
        if self._stars:
            named.update(rest[-1])
        if self._target.name == "__init__":
            positional = positional[1:]  # nothing can be said yet of the object that is being made
        texts = [self.writer.text(value) for value in positional]
        by_name = {name: self.writer.text(value) for name, value in named.items()}
        if None in texts or None in by_name.values():
            return
        key = repr((texts, by_name))
        if key not in self._told:
            self._told[key] = None
            emit({"kind": "call", "arguments": texts, "named": by_name})
