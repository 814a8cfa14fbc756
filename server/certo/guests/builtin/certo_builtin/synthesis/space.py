"""Parts of expressions for a hole: parameters, attributes of `self`, constants, functions of the module."""

from __future__ import annotations

import ast
import math
import re
import signal
import string
import time
import types
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, Mapping, Sequence, Tuple

from certo_builtin.execution.fuel import OutOfFuel
from certo_builtin.question import Question
from certo_builtin.source import FUNCTIONS, Function, Source
from certo_builtin.synthesis.annotations import Signature, kind_of, meant
from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.docstring_words import stem, stems, words_of
from certo_builtin.synthesis.enumeration import Leaf
from certo_builtin.synthesis.expected_values import Known
from certo_builtin.synthesis.phrases.units import factors
from certo_builtin.synthesis.terms import ATOM, LOOSE, PRODUCT

CONSTANTS: Sequence[Tuple[Any, int]] = (
    (0, 1), (1, 1), (2, 2), (3, 3), (10, 3), (-1, 3), ("", 2), (" ", 3), (True, 2), (False, 2), (None, 3), ([], 3),
)  # fmt: skip
NUMERALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NAMED: Sequence[Tuple[str, Any, FrozenSet[str]]] = (
    ("2", 2, stems("twice double doubled half pair")),
    ("3", 3, stems("thrice triple")),
    ("10", 10, stems("decimal digit")),
    ("60", 60, stems("minute hour second")),
    ("100", 100, stems("percent percentage hundred century")),
    ("180", 180, stems("degree angle triangle")),
    ("1000", 1000, stems("thousand kilometer kilogram")),
    ("0.5", 0.5, stems("half")),
    ("math.pi", math.pi, stems("circle sphere cone cylinder circumference pi radian degree angle round circular")),
    ("string.ascii_lowercase", string.ascii_lowercase, stems("alphabet letter cipher shift")),
    ("string.punctuation", string.punctuation, stems("punctuation symbol special")),
    ("'aeiou'", "aeiou", stems("vowel consonant")),
    ("'AEIOU'", "AEIOU", stems("vowel consonant")),
    ("'0'", "0", stems("binary zero digit")),
    ("'1'", "1", stems("binary one digit bit")),
    ("float('inf')", math.inf, stems("infinity infinite")),
)
"""Constants suggested by words: those of everyday units, of geometry and of texts."""

PLAIN = (int, float, str, bool, type(None))
MAX_CONSTANT = 40
MAX_CALL_SECONDS = 0.25
"""Maximum processor time of one call of a project's function: a backstop, most take microseconds."""
MAX_ALARMS = 4
"""Maximum elapsed time of such a call as a multiple, asleep or waiting for the processor."""


# Bound now, because a project's function may replace it.
_used = time.process_time


def parameters(target: Function) -> List[str]:
    """Return the names of all parameters, in the order the probe reports them."""
    given = target.args
    arguments = [*getattr(given, "posonlyargs", []), *given.args, *given.kwonlyargs]
    return [one.arg for one in [*arguments, given.vararg, given.kwarg] if one]


def prose(question: Question) -> str:
    """Return the docstring up to its examples, and the instruction."""
    return " ".join((question.docstring.split(">>>")[0], question.instruction))


def words(question: Question) -> FrozenSet[str]:
    """Return the lower-case words of the docstring, the instruction and the name."""
    return words_of(prose(question), question.name)


def leaves(names: Sequence[str], known: Sequence[Known], own: Mapping[str, ast.expr]) -> List[Leaf]:
    """Return the parameters, and the attributes that a parameter has in every example, in the order of assignment.

    `own` are the annotations of the attributes of `self`.
    """
    found: List[Leaf] = []
    for place, name in enumerate(names):
        values = tuple(one.arguments[place] for one in known)
        found.append(Leaf(name, values, 1, ATOM, asked=name not in ("self", "cls") and not name.startswith("_")))
        attributes = [_attributes(value) for value in values]
        for attribute in attributes[0]:
            if attribute.isidentifier() and all(attribute in one for one in attributes):
                declared = own.get(attribute) if name == "self" else None
                column = tuple(meant(one[attribute], declared) for one in attributes)
                found.append(Leaf("{}.{}".format(name, attribute), column, 1, ATOM))
    return found


def _attributes(value: Any) -> Dict[str, Any]:
    """Return an object's attributes, slots included, and its class's constants; for a class, its own."""
    is_class = isinstance(value, type)
    found = dict(vars(value)) if hasattr(value, "__dict__") and not is_class else {}
    for kind in value.__mro__ if is_class else type(value).__mro__:
        for name, given in vars(kind).items() if kind.__module__ != "builtins" else ():
            if isinstance(given, types.MemberDescriptorType) and hasattr(value, name):
                found.setdefault(name, getattr(value, name))
            elif isinstance(given, PLAIN):
                found.setdefault(name, given)
    return {name: one for name, one in found.items() if not name.startswith("__")}


def constants(question: Question, known: Sequence[Known], module: Dict[str, Any]) -> List[Leaf]:
    """Return common constants, those suggested by words, repeated results, and the module's own."""
    found: Dict[str, Leaf] = {}
    for text, value, cost in _constants(question, known, module):
        if len(text) <= MAX_CONSTANT and text not in found:
            level = PRODUCT if text.startswith("-") else ATOM
            found[text] = Leaf(text, (value,) * len(known), cost, level, fixed=True)
    return list(found.values())


def _constants(question: Question, known: Sequence[Known], module: Dict[str, Any]) -> Iterator[Tuple[str, Any, int]]:
    yield from ((repr(literal), literal, 2) for literal in literals(question))
    yield from ((repr(value), value, cost) for value, cost in CONSTANTS)
    yield from ((repr(factor), factor, 2) for factor in factors(prose(question)))
    stemmed = {stem(word) for word in words(question)}
    yield from ((text, value, 2) for text, value, about in NAMED if about & stemmed)
    results = [one.expected for one in known if isinstance(one.expected, PLAIN)]
    for result in results:
        if sum(type(other) is type(result) and other == result for other in results) > 1:
            yield repr(result), result, 5 if isinstance(result, (int, float)) else 3
    yield from ((repr(fragment), fragment, 3) for fragment in _fragments(known))
    for name, value in module.items():
        if name.isupper() and isinstance(value, (*PLAIN, list, dict, tuple)):
            yield name, value, 2


def literals(question: Question) -> Iterator[Any]:
    """Yield the numbers and quoted texts in the docstring or instruction, except those in examples."""
    shown = re.compile(r"\b{}\s*\(|==|=>|->|[Ee]xample|\[.*\]".format(re.escape(question.name)))
    text = "\n".join(line for line in prose(question).splitlines() if not shown.search(line))
    for word in re.findall("[a-z]+", text.lower()):
        if word in NUMERALS:
            yield NUMERALS.index(word)
    for literal in re.findall(r"(?<![\w.])\d{1,6}(?:\.\d+)?(?![\w.])|'[^'\n]{1,20}'|\"[^\"\n]{1,20}\"", text)[:12]:
        try:
            yield ast.literal_eval(literal)
        except (SyntaxError, ValueError):
            # A number such as 007, or an apostrophe that is no quote.
            continue


def _fragments(known: Sequence[Known]) -> Iterator[str]:
    """Yield common prefixes and suffixes of all results, and the characters in all results that no argument has."""
    texts = [one.expected for one in known]
    if len(texts) < 2 or not all(isinstance(text, str) and text for text in texts):
        return
    first = texts[0]
    for size in range(len(first), 0, -1):
        if all(text.startswith(first[:size]) for text in texts):
            yield first[:size]
            break
    for size in range(len(first), 0, -1):
        if all(text.endswith(first[-size:]) for text in texts):
            yield first[-size:]
            break
    given = repr([one.arguments for one in known])
    for letter in sorted(set.intersection(*(set(text) for text in texts))):
        if letter not in given:
            yield letter


def project_functions(module: Dict[str, Any], own: str, source: Source) -> List[Component]:
    """Return the module's other functions of one or two parameters, with kinds from their annotations."""
    defined = {node.name: Signature.of(node) for node in source.tree.body if isinstance(node, FUNCTIONS)}
    found: List[Component] = []
    for name, value in sorted(module.items()):
        if type(value) is types.FunctionType and name != own and value.__module__ == module.get("__name__"):
            code = value.__code__
            count = code.co_argcount
            plain = not code.co_flags & 0x0C and not code.co_kwonlyargcount and not code.co_flags & 0x2A0
            if plain and count in (1, 2):
                text = "{}({})".format(name, ", ".join("{{{}}}".format(place) for place in range(count)))
                declared = defined[name].parameters if name in defined else ()
                takes = tuple(map(kind_of, declared)) if len(declared) == count else ("any",) * count
                found.append(Component(text, (LOOSE,) * count, ATOM, 2, patient(value), takes))
    return found


def patient(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a project's function with a time limit."""
    used, rings = 0.0, 0

    def ring(_number: int, _frame: Any) -> None:
        nonlocal rings
        rings += 1
        if rings >= MAX_ALARMS or _used() - used >= MAX_CALL_SECONDS:
            raise OutOfFuel

    def call(*arguments: Any) -> Any:
        nonlocal used, rings
        used, rings = _used(), 0
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, MAX_CALL_SECONDS, MAX_CALL_SECONDS)
        try:
            return function(*arguments)
        except OutOfFuel:
            raise ValueError("it did not come back") from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    return call
