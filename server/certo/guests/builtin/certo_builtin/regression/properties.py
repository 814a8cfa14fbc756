"""Properties of a function: relations between its results that hold on many calls and notice a mutant.

They are known by the function's form and name: it may be idempotent, undo itself or another function of its module,
keep the length of its argument, take it in any order, take its two arguments in any order, or give sorted results.
Each is also a claim that no such call raises; where a type is declared, that and the type are a property of their own.
"""

from __future__ import annotations

import ast
import functools
import itertools
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from certo_builtin.differential.generated_calls import Generator
from certo_builtin.differential.versions import STEPS, LocalVersion, Outcome
from certo_builtin.execution.fork_pool import each
from certo_builtin.inputs.variants import MISSING, literal
from certo_builtin.regression.kill_matrix import Candidate

MIN_CALLS = 200
"""Number of calls on which a property has to hold."""

MAX_DRAWN = 1200
MAX_ROWS = 16
MAX_KEPT = 4
"""Maximum numbers of calls drawn, of those that all mutants are held against, and of those that a test has."""

MIN_TELLING = 20
"""Number of these calls on which a property has to say something, where that is seen from the results only."""

MAX_LENGTH = 60
"""Maximum length of an argument in a test."""

STALL_SECONDS = 4.0

PAIRS = (
    ("dump", "load"), ("dumps", "loads"), ("encode", "decode"), ("format", "parse"), ("serialize", "deserialize"),
    ("serialise", "deserialise"), ("compress", "decompress"), ("escape", "unescape"), ("quote", "unquote"),
    ("pack", "unpack"), ("to", "from"), ("encrypt", "decrypt"), ("render", "parse"), ("join", "split"),
)  # fmt: skip
"""Words in the names of functions of which the second undoes the first."""

TYPES = ("bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple")
"""Declared types that a test can name without an import."""

BY_TYPE = "gives_"
"""Prefix of the kind of a property that says only which type results have."""

Row = Tuple[str, ...]


class Property(NamedTuple):
    """A relation: its kind, and an expression in which {0} and {1} are the arguments.

    It says something only of calls on which `telling` is true; without one, of all.
    """

    kind: str
    template: str
    partner: str = ""
    telling: str = ""

    def text(self, row: Sequence[str]) -> str:
        """Return the relation of some arguments."""
        return self.template.format(*row)


class Found(NamedTuple):
    """A property that holds, the arguments that a test of it has, and the numbers of the mutants that it notices."""

    property: Property
    rows: List[Row]
    mutants: Set[int]
    held: int


def properties(
    base: LocalVersion,
    versions: Dict[int, LocalVersion],
    calls: Sequence[Candidate],
    generator: Generator,
    callee: Dict[str, Any],
    open_ones: Set[int],
    *,
    raises: bool,
) -> Iterator[Found]:
    """Yield the properties that hold on enough calls and notice a mutant, those that notice the most first, types last.

    Of a function of which a usual call `raises` no type is stated: it would not hold for all calls.
    """
    if callee["has_receiver"] or callee["receiver"] is not None or callee["is_property"] or not versions:
        return
    rows = list(dict.fromkeys(_rows(calls)))
    sizes = {len(row) for row in rows}
    if len(sizes) != 1 or 0 in sizes:
        return
    drawn = itertools.islice(generator.drawn(), MAX_DRAWN)
    more = (tuple(call["arguments"]) for call in drawn if not call["named"] and len(call["arguments"]) in sizes)
    rows = list(itertools.islice(dict.fromkeys([*rows, *more]), 2 * MIN_CALLS))
    found = []
    for relation in _conceivable(base, callee["name"], rows):
        usable = [] if raises and relation.kind.startswith(BY_TYPE) else _showing(base, relation, rows)
        few = [row for row in usable if sum(map(len, row)) <= MAX_LENGTH][:MAX_ROWS]
        chosen = _noticing(versions, relation, few, open_ones)
        if chosen.mutants:
            found.append(chosen._replace(held=MIN_CALLS))
    seen: Set[int] = set()
    for one in sorted(found, key=lambda one: (one.property.kind.startswith(BY_TYPE), -len(one.mutants))):
        # A relation says more than the type of its results, which is told if it notices what no relation does.
        if not one.property.kind.startswith(BY_TYPE) or one.mutants - seen:
            yield one
        seen |= one.mutants


def _rows(calls: Sequence[Candidate]) -> Iterator[Row]:
    """Yield the arguments of usual calls that return."""
    for one in calls:
        outcome = one.outcome
        is_plain = outcome["kind"] == "returns" and outcome["value"] != "None" and not outcome["after"]
        if one.is_usual and is_plain and not one.call["named"]:
            yield tuple(one.call["arguments"])


def _conceivable(base: LocalVersion, name: str, rows: Sequence[Row]) -> Iterator[Property]:
    call = "{}({})".format(name, ", ".join("{%d}" % place for place in range(len(rows[0]))))
    declared = _declared_type(base.loaded.target.returns)
    if declared:
        yield Property("{}{}_{}".format(BY_TYPE, _article(declared), declared), f"isinstance({call}, {declared})")
    # Of less than two different elements, any order is sorted.
    yield Property("is_sorted", f"{call} == sorted({call})", telling=f"{call}[0] != {call}[-1]")
    if len(rows[0]) == 2:
        yield Property("commutes", "{0}({{0}}, {{1}}) == {0}({{1}}, {{0}})".format(name))
    if len(rows[0]) != 1:
        return
    yield Property("is_idempotent", "{0}({0}({{0}})) == {0}({{0}})".format(name))
    yield Property("undoes_itself", "{0}({0}({{0}})) == {{0}}".format(name))
    yield Property("keeps_the_length", "len({0}({{0}})) == len({{0}})".format(name))
    if all(isinstance(literal(row[0]), list) for row in rows[:20]):
        yield Property("takes_any_order", "{0}({{0}}[::-1]) == {0}({{0}})".format(name))
    for partner in _partners(name, set(vars(base.loaded.module))):
        yield Property("is_undone_by_" + partner, "{1}({0}({{0}})) == {{0}}".format(name, partner), partner)


def _declared_type(annotation: Optional[ast.expr]) -> str:
    """Return the type that a function says it returns if a test can name it, else the empty string."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except (SyntaxError, ValueError):  # a null byte, before Python 3.12
            return ""
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    name = annotation.id if isinstance(annotation, ast.Name) else ""
    return name if name in TYPES else ""


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _partners(name: str, names: Set[str]) -> Iterator[str]:
    words = name.split("_")
    for first, second in PAIRS:
        if first in words:
            partner = "_".join(second if word == first else word for word in words)
            if partner in names:
                yield partner


def _is_telling(one: Property, row: Row) -> bool:
    """True if the relation says something of these arguments."""
    if one.kind == "commutes":
        return row[0] != row[1]
    if one.kind.startswith(BY_TYPE) or len(row) != 1:
        return True
    value = literal(row[0])
    return value is not MISSING and not (one.kind == "takes_any_order" and len(value) < 2)


def _showing(base: LocalVersion, relation: Property, rows: Sequence[Row]) -> List[Row]:
    """Return the rows that can show a relation to others; none if it does not hold on enough calls."""
    usable = [row for row in rows if _is_telling(relation, row)]
    held = _holding(base, relation, usable[:MIN_CALLS])
    if len(held) < MIN_CALLS or not all(held):
        return []
    if not relation.telling:
        return usable
    telling = _where(base, relation.telling, usable)
    return telling if len(telling) >= MIN_TELLING else []


def _where(version: LocalVersion, template: str, rows: Sequence[Row]) -> List[Row]:
    """Return the rows for which a relation holds in a version."""
    return [rows[number] for number, holds in _each_holding(version, Property("", template), rows) if holds]


def _holding(version: LocalVersion, one: Property, rows: Sequence[Row]) -> List[bool]:
    """Return for each row whether the relation holds in a version, up to the first for which it does not."""
    found = []
    for _, holds in _each_holding(version, one, rows):
        found.append(holds)
        if not holds:
            break
    return found


def _each_holding(version: LocalVersion, one: Property, rows: Sequence[Row]) -> Iterator[Tuple[int, bool]]:
    """Yield the number of each row, and whether the relation holds for it in a version."""

    def work(number: int) -> Any:
        if not number:
            version.put_in_place()
        return _holds(version, one, rows[number])

    for number, came in each(work, range(len(rows)), STALL_SECONDS, version.loaded.allowance):
        yield number, came is True


def _holds(version: LocalVersion, one: Property, row: Row) -> bool:
    outcome = version.outcome(functools.partial(_evaluated, version, one.text(row)), STEPS)
    return bool(outcome["kind"] == "returns" and outcome["value"] == "True")


def _evaluated(version: LocalVersion, text: str) -> Outcome:
    plain = {"printed": "", "after": "", "state": "", "is_opaque": False}
    try:
        return {"kind": "returns", "value": str(bool(eval(text, dict(version.loaded.names)))), **plain}
    except Exception as error:  # the project's own code
        return {"kind": "raises", "value": type(error).__name__, **plain}


def _noticing(versions: Dict[int, LocalVersion], one: Property, rows: Sequence[Row], open_ones: Set[int]) -> Found:
    """Return the fewest rows on which the property notices the most mutants."""
    keys = sorted(open_ones & set(versions))
    by_row: List[Set[int]] = [set() for _ in rows]
    if not keys or not rows:
        return Found(one, [], set(), 0)

    def work(place: int) -> List[int]:
        version = versions[keys[place]]
        version.put_in_place()
        return [number for number, row in enumerate(rows) if not _holds(version, one, row)]

    for place, came in each(work, range(len(keys)), STALL_SECONDS, versions[keys[0]].loaded.allowance):
        for number in came or ():
            by_row[number].add(keys[place])
    chosen: List[int] = []
    seen: Set[int] = set()
    while len(chosen) < MAX_KEPT:
        best = max(range(len(rows)), key=lambda number: (len(by_row[number] - seen), -number))
        if not by_row[best] - seen:
            break
        chosen.append(best)
        seen |= by_row[best]
    # A relation is seen from several arguments, whether or not the first of them is enough to notice a mutant.
    chosen += [number for number in range(len(rows)) if number not in chosen][: MAX_KEPT - len(chosen)] if seen else []
    return Found(one, [rows[number] for number in sorted(chosen)], seen, 0)
