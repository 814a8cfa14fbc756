"""Guest program that runs the tests that reach the target and reports their calls of it as expressions, and others.

The target itself records its arguments on entry, before it can change them. Objects of the module's classes are written
as the constructor calls that made them, unless their own repr tells how to make them.
"""

from __future__ import annotations

import ast
import builtins
import enum
import functools
import importlib.util
import math
import os
import re
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Set, Tuple

from certo_builtin.differential.call_pool import made_up
from certo_builtin.differential.call_runner import names_for
from certo_builtin.differential.generated_calls import Here
from certo_builtin.differential.value_view import shown
from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check, doctest_checks, required_examples, suite_of, with_pytest
from certo_builtin.execution.fork_pool import Emit, streamed
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import CandidateRunner
from certo_builtin.question import Question, read
from certo_builtin.source import Edit, Function, Source
from certo_worker.suite.module_import import import_file

MAX_CHARACTERS = 400
"""Maximum length of a useful expression; no one reads a longer one."""

MAX_DEPTH = 6

Born = Dict[int, Tuple[Any, str, str]]
"""Objects by id, kept alive, with the constructor calls that made them and the state in which these left them."""


class Writer:
    """Writes values as expressions in the names of one module; `born` has objects whose construction was recorded."""

    def __init__(self, names: Dict[str, Any], born: Born) -> None:
        self._names = names
        self._born = born
        self.unwritten: Set[str] = set()
        """Names of the types of values that could not be written."""

    def text(self, value: Any) -> Optional[str]:
        """Return an expression for a value; None if no expression is known to make an equal one."""
        written = self._text(value, MAX_DEPTH)
        if written is None or len(written) > MAX_CHARACTERS:
            self.unwritten.add(type(value).__name__)
            return None
        return written

    def _text(self, value: Any, depth: int) -> Optional[str]:
        kind = type(value)
        if depth == 0:
            return None
        if value is None or kind in (bool, int, str, bytes, complex):
            return repr(value)
        if kind is float:
            return repr(value) if math.isfinite(value) else "float({!r})".format(str(value))
        if kind in (list, tuple, set, frozenset):
            return self._collection(value, depth)
        if kind is dict:
            pairs = [(self._text(key, depth - 1), self._text(one, depth - 1)) for key, one in value.items()]
            if any(key is None or one is None for key, one in pairs):
                return None
            return "{" + ", ".join("{}: {}".format(key, one) for key, one in pairs) + "}"
        return self._named(value) or self._shown(value) or self._watched(value)

    def _collection(self, value: Any, depth: int) -> Optional[str]:
        inside = [self._text(one, depth - 1) for one in value]
        known = [one for one in inside if one is not None]
        if len(known) < len(inside):
            return None
        kind = type(value)
        if kind is list:
            return "[" + ", ".join(known) + "]"
        if kind is tuple:
            return "(" + ", ".join(known) + ("," if len(known) == 1 else "") + ")"
        known.sort()
        if kind is set:
            return "{" + ", ".join(known) + "}" if known else "set()"
        return "frozenset({" + ", ".join(known) + "})" if known else "frozenset()"

    def _named(self, value: Any) -> Optional[str]:
        """Return the name in the module or the built-ins of an enumeration's member, a function or a class."""
        if isinstance(value, enum.Enum):
            name = "{}.{}".format(type(value).__qualname__, value.name)
        elif isinstance(value, type) or callable(value):
            name = str(getattr(value, "__qualname__", ""))
        else:
            return None
        found: Any = None
        first, *rest = name.split(".")
        found = self._names.get(first, getattr(builtins, first, None))
        for part in rest:
            found = getattr(found, part, None)
        return name if found is value else None

    def _shown(self, value: Any) -> Optional[str]:
        """Return the value's own `repr`, if evaluating it gives an equal value of the same type.

        A `repr` may name the module of its class, as `datetime.date(…)` does, where only the class itself is known.
        """
        try:
            text = repr(value)
            if len(text) > MAX_CHARACTERS or getattr(type(value), "__repr__", None) is object.__repr__:
                return None
        except Exception:  # the project's own code, which may do anything
            return None
        without = re.sub(r"(?<![\w.'\"]){}\.".format(re.escape(type(value).__module__)), "", text)
        return next((each for each in dict.fromkeys((text, without)) if self._makes(each, value)), None)

    def _makes(self, text: str, value: Any) -> bool:
        """True if evaluating a text gives an equal value of the same type."""
        try:
            again = eval(text, dict(self._names))
            return type(again) is type(value) and (bool(again == value) or repr(again) == repr(value))
        except Exception:  # the project's own code, which may do anything
            return False

    def _watched(self, value: Any) -> Optional[str]:
        born = self._born.get(id(value))
        if born is None or born[0] is not value:
            return None
        # What was changed since it was made is another object than the one that its constructor would make again.
        return born[1] if shown(value) == born[2] else None


def call_text(name: str, arguments: Tuple[str, ...], named: Dict[str, str]) -> str:
    """Return a call as source."""
    return "{}({})".format(name, ", ".join([*arguments, *("{}={}".format(key, one) for key, one in named.items())]))


SEEN = "__certo_seen__"
STEPS = 200000
SECONDS = 5.0
"""Time limit of one test by the clock."""

MAX_CALLS = 120
"""Maximum number of different calls reported; the first ones show what kind of values there are."""

MAX_RECORDED_OBJECTS = 20000
"""Maximum number of objects whose construction is remembered: they are kept alive, so that ids are not reused."""


def main(request: Dict[str, Any], tell: Callable[[Dict[str, Any]], None]) -> None:
    """Report each different call, the types of arguments that could not be written, and the calls of the pool."""
    question = read(request)

    def record(checks: List[Check]) -> None:
        module = import_file(os.path.join(question.root, question.path), question.root)
        everything = list(checks)
        everything += doctest_checks(question, required_examples(question), lambda: vars(module))
        for said in observed(question, everything, vars(module), request["pool"]):
            tell(said)

    if not suite_of(question) or importlib.util.find_spec("pytest") is None or not with_pytest(question, record):
        record([])


def observed(
    question: Question,
    checks: Sequence[Check],
    names: Dict[str, Any],
    pool: Optional[Dict[str, Any]],
    edits: Iterable[Edit] = (),
) -> List[Dict[str, Any]]:
    """Return the calls that these checks make of the edited target, each once, as messages, and those of the pool.

    A target that passes its checks is called more often than one that fails at the first of them.
    """
    source = Source(question.text)
    target = source.function_at(question.line, question.name)
    hot_swap = HotSwap(source, question.path, target) if target is not None else None
    if target is None or hot_swap is None or not hot_swap.live:
        return []
    recorder = Recorder(target, names)
    runner = CandidateRunner(hot_swap, checks, Meter(), Allowance(question.seconds))

    def work(emit: Emit) -> None:
        recorder.watch(runner.hot_swap, edits, emit)
        for index in range(len(checks)):
            runner.run_check(index, STEPS, SECONDS)
        emit({"kind": "unwritten", "names": sorted(recorder.writer.unwritten)})

    def make_up(emit: Emit) -> None:
        # Annotations are evaluated, so this is the project's code as well.
        for message in made_up(Here(target, names_for(names), hot_swap), pool or {}, said, question.seed):
            emit(message)

    said: List[Dict[str, Any]] = []
    try:
        said.extend(streamed(work, SECONDS + 2.0, runner.allowance))
        if pool is not None:
            said = [*said, *streamed(make_up, SECONDS, runner.allowance)]
    except Spent:
        pass
    return said


def _ignore(arguments: List[Any], named: Dict[str, Any]) -> None:
    """Do nothing with a call."""


class Recorder:
    """Records the calls of one function, each different one once."""

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
        self.on_unwritten: Callable[[List[Any], Dict[str, Any]], None] = _ignore
        """Called with the arguments of a call that cannot be written."""

    def watch(self, hot_swap: HotSwap, edits: Iterable[Edit], emit: Emit) -> None:
        """Make the live target, with these edits, record its arguments, and the module's classes their construction."""
        for thing in list(self._names.values()):
            if type(thing) is type and thing.__module__ == self._names.get("__name__"):
                self._watch_class(thing)
        function = hot_swap.tree(edits)
        for node in ast.walk(function):
            if isinstance(node, type(self._target)) and node.name == self._target.name:
                note = ast.parse("{}(({},))".format(SEEN, ", ".join(self._parameters()) or "None")).body[0]
                node.body.insert(0, note)
        ast.fix_missing_locations(function)
        setattr(builtins, SEEN, functools.partial(self._see, emit))
        hot_swap.put(hot_swap.compiled(function))

    def _parameters(self) -> List[str]:
        star, stars = ([one] if one else [] for one in (self._star, self._stars))
        return [*self._plain, *star, *self._only, *stars]

    def _watch_class(self, kind: Any) -> None:
        made = kind.__init__
        if not hasattr(made, "__code__"):
            return

        @functools.wraps(made)
        def making(one: Any, *arguments: Any, **named: Any) -> None:
            text = None
            if type(one) is kind and not self._busy and len(self._born) < MAX_RECORDED_OBJECTS:
                text = self._constructor_call(one, arguments, named)
            made(one, *arguments, **named)
            if text is not None:
                self._note_birth(one, text)

        try:
            kind.__init__ = making
        except (AttributeError, TypeError):
            return

    def _note_birth(self, one: Any, text: str) -> None:
        self._busy = True
        try:
            self._born[id(one)] = (one, text, shown(one))
        finally:
            self._busy = False

    def _constructor_call(self, one: Any, arguments: Any, named: Dict[str, Any]) -> Optional[str]:
        """Return the call that makes an object, as source; None if an argument cannot be written."""
        self._busy = True
        try:
            texts = [self.writer.text(each) for each in arguments]
            by_name = {name: self.writer.text(each) for name, each in named.items()}
        finally:
            self._busy = False
        known = [text for text in texts if text is not None]
        known_by_name = {name: text for name, text in by_name.items() if text is not None}
        if (len(known), len(known_by_name)) == (len(texts), len(by_name)):
            return call_text(type(one).__qualname__, tuple(known), known_by_name)
        return None

    def _see(self, emit: Emit, values: Any) -> None:
        # Methods called to write a value down may call the target itself.
        if self._busy or len(self._told) >= MAX_CALLS:
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
            self.on_unwritten(positional, named)
            return
        key = repr((texts, by_name))
        if key not in self._told:
            self._told[key] = None
            emit({"kind": "call", "arguments": texts, "named": by_name})
