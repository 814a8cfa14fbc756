"""Edits of single templates: a small function with a bug of their kind, and the edit that repairs it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.naturalness import Naturalness
from certo_builtin.repair.ranking import ranked
from certo_builtin.repair.templates.catalogue import CATALOGUE
from certo_builtin.source import Source, applied, within
from support.search.repair_context import asked


def context(source: str, kinds: dict[str, set[str]], literals: list[object] | None = None) -> RepairContext:
    parsed = Source(source)
    target = parsed.function_at(asked(source).line, "target")
    assert target is not None
    return RepairContext(parsed, target, {"target": kinds}, {"Point": {"left"}}, literals or [])


def natural_of(source: str) -> Naturalness:
    return Naturalness(context(source, {}), asked(source))


def proposed(name: str, source: str, kinds: dict[str, set[str]], literals: list[object] | None = None) -> list[str]:
    """The texts that one template makes of a source."""
    (template,) = [one for one in CATALOGUE if one.name == name]
    seen = context(source, kinds, literals)
    return [applied(source, change.edits) for _, node in seen.nodes() for change in template.find(seen, node)]


PICK = "def target(pairs):\n    return sorted(pairs)[0]\n"
KEYED = "def target(words):\n    return max(words, key=lambda word: len(word))\n"
TURN = "def target(text):\n    return text.lower()\n"
BARE = "def target(text):\n    return len(set(text))\n"
MARKS = "def target(text):\n    return text.replace('ab', '(')\n"
SIGN = "def target(n):\n    if n > 3:\n        return 'large'\n    return 'small'\n"
COUNT = (
    "def target(items, total):\n    for item in items:\n        if item:\n            total += 1\n    return total\n"
)
ALWAYS = "def target(items, out):\n    if items:\n        out = 1\n    out = 2\n    return out\n"
SUMS = "def target(x, y, z):\n    if x + y == z:\n        return True\n    return False\n"
DIGITS = "def target(n):\n    return n in (1, 2, 3)\n"
CHAIN = "def target(a, b, c):\n    return a ** b * c\n"
FILTER = "def target(items, limit):\n    return [item for item in items if limit]\n"
SPLIT = "def target(text, mark):\n    return text.split()\n"
UNSET = "def target(items):\n    for item in items:\n        total += item\n    return total\n"
UNREAD = "def target(items):\n    return sum(items) / size\n"
GATHER = "def target(items, found, total, counts):\n    for item in items:\n        print(item * 2)\n    return found\n"
GATHERED = {"found": {"list"}, "item": {"int"}, "total": {"int"}, "counts": {"dict"}}
RUNS = (
    "def target(items):\n    out, run = [], []\n    for item in items:\n        if run and item != run[-1]:\n"
    "            out.append(run)\n            run = []\n        run.append(item)\n    return out\n"
)
BATCHES = (
    "def target(items, size):\n    batch = []\n    for item in items:\n        batch = [*batch, item]\n"
    "        if len(batch) == size:\n            yield batch\n            batch = []\n"
)
STORE = "def target(self, key, item):\n    if key in self.items:\n        raise KeyError(key)\n    self.count = 0\n"
STORED = {"self": {"Store"}, "self.items": {"dict"}, "self.count": {"int"}, "self.run": {"method"}}
TALLY = "def target(pairs, totals):\n    for name, count in pairs:\n        totals[name] = count\n"
ADDED = TALLY.replace(" = ", " += ")
LISTED = "def target(pairs, totals):\n    for name, count in pairs:\n        totals[name].append(count)\n"
ASKED = "def target(totals, name):\n    return totals[name] + 1\n"
MAPPED = {"totals": {"dict"}, "name": {"str"}, "count": {"int"}}
MAYBE = "def target(item, *, into=None):\n    into.append(item)\n    return into\n"
DEGREES = "def target(n):\n    return n - 32 * 5 / 9\n"
CAUGHT = "def target(text):\n    try:\n        return int(text)\n    except KeyError:\n        return None\n"
RAISED = "def target(n):\n    if n < 0:\n        raise TypeError('no')\n    return n\n"
SPAN = "def target(n):\n    return sum(range(1, n))\n"


@pytest.mark.parametrize(
    ("template", "source", "kinds", "literals", "wanted"),
    [
        ("an argument left out", MAYBE, {}, [], "    if into is None:\n        into = []\n    into.append(item)"),
        ("other brackets", DEGREES, {}, [], "return (n - 32) * 5 / 9"),
        ("another exception caught", CAUGHT, {}, [], "except ValueError:"),
        ("another exception caught", CAUGHT, {}, [], "except (KeyError, TypeError):"),
        ("another exception raised", RAISED, {}, [], "raise ValueError('no')"),
        ("a missing call or assignment", GATHER, GATHERED, [], "found.append(-item)"),
        ("what a loop leaves over", RUNS, {}, [], "    if run:\n        out.append(run)\n    return out"),
        ("what a loop leaves over", BATCHES, {}, [], "            batch = []\n    if batch:\n        yield batch\n"),
        ("another order", PICK, {"pairs": {"list"}}, [], "sorted(pairs, key=lambda x: x[1])"),
        ("another order", KEYED, {"words": {"list"}}, [], "key=lambda word: (-(len(word)), word))"),
        ("another direction or fallback", PICK, {"pairs": {"list"}}, [], "sorted(pairs, reverse=True)"),
        ("another direction or fallback", KEYED, {"words": {"list"}}, [], "max(words)"),
        ("another method of the type", TURN, {"text": {"str"}}, [], "text.swapcase()"),
        ("another method of the type", TURN, {}, [], "text.casefold()"),
        ("a missing method", BARE, {"text": {"str"}}, [], "set(text.lower())"),
        ("another constant", MARKS, {"text": {"str"}}, [], "text.replace('a', '(')"),
        ("another constant", MARKS, {"text": {"str"}}, [], "text.replace('ab', ')')"),
        ("another constant", MARKS, {"text": {"str"}}, ["xyz"], "text.replace('xyz', '(')"),
        ("another constant", SIGN, {"n": {"int"}}, [17], "n > 17"),
        ("results exchanged", SIGN, {"n": {"int"}}, [], "return 'small'\n    return 'large'"),
        ("a missing else", COUNT, {"total": {"int"}}, [], "total += 1\n        else:\n            total -= 1\n"),
        ("a statement that belongs into an else", ALWAYS, {}, [], "    else:\n        out = 2\n    return out"),
        ("a missing clause like another", SUMS, {}, [], "(x + y == z or z + y == x)"),
        ("an argument dropped", DIGITS, {"n": {"int"}}, [], "n in (1, 3)"),
        ("another condition", FILTER, {"items": {"list"}}, [], "for item in items if item % 2 == 1]"),
        ("a missing argument", SPLIT, {"text": {"str"}}, [], "text.split(',')"),
        ("a missing argument", SPLIT, {"text": {"str"}, "mark": {"str"}}, [], "text.split(mark)"),
        ("a missing argument", SPAN, {"n": {"int"}}, [], "range(1, n, 2)"),
        ("a variable never set", UNSET, {"items": {"list"}}, [], "    total = 0\n    for item"),
        ("a variable never set", UNREAD, {"items": {"list"}}, [], "    size = len(items)\n    return"),
        ("a missing call or assignment", GATHER, GATHERED, [], "        found.append(item * 2)\n"),
        ("a missing call or assignment", GATHER, GATHERED, [], "counts[item] = counts.get(item, 0) + 1"),
        ("a missing call or assignment", GATHER, GATHERED, [], "total += item"),
        ("an operation dropped", CHAIN, {}, [], "return a ** c"),
        ("another constant", MARKS, {"text": {"str"}}, ["[]"], "text.replace('ab', '[')"),
        ("another range", SPAN, {"n": {"int"}}, [], "range(n)"),
        ("a missing call or assignment", STORE, STORED, [], "    self.items[key] = item\n"),
        ("a missing call or assignment", STORE, STORED, [], "    self.count += 1\n"),
        ("an item not added to what is there", TALLY, MAPPED, [], "totals[name] = totals.get(name, 0) + count\n"),
        ("an item not added to what is there", TALLY, MAPPED, [], "totals.setdefault(name, []).append(count)\n"),
        ("an item not added to what is there", ADDED, MAPPED, [], "totals[name] = totals.get(name, 0) + count\n"),
        ("a missing default", LISTED, MAPPED, [], "totals.setdefault(name, []).append(count)\n"),
        ("a missing default", ASKED, MAPPED, [], "return totals.get(name, 0) + 1\n"),
    ],
)
def test_a_template_proposes(
    template: str, source: str, kinds: dict[str, set[str]], literals: list[object], wanted: str
) -> None:
    texts = proposed(template, source, kinds, literals)
    assert any(wanted in text for text in texts), "\n".join(texts)


def test_what_is_no_mapping_has_no_defaults() -> None:
    kinds = {"totals": {"list"}, "name": {"int"}}
    assert proposed("a missing default", ASKED, kinds) == []
    assert proposed("an item not added to what is there", TALLY, kinds) == []
    assert not any("self.run" in text for text in proposed("a missing call or assignment", STORE, STORED))


def texts_of(source: str, kinds: dict[str, set[str]]) -> dict[str, float]:
    """All edits of a source with their probabilities."""
    blame = Suspicion([set(range(1, source.count("\n") + 1))], ["failed"])
    return {
        applied(source, one.edits): one.probability
        for one in ranked(context(source, kinds), blame, asked(source)).all()
    }


def test_last_statement_of_a_file_is_edited() -> None:
    """The line break after it is not part of the function, and no edit may touch it."""
    for before in ("def target(items):\n    for item in items:\n        print(item)\n        return item\n", BATCHES):
        question = asked(before)._replace(end=len(before) - 1)
        blame = Suspicion([set(range(1, before.count("\n") + 1))], ["failed"])
        edits = [one.edits for one in ranked(context(before, {}), blame, question).all()]
        assert all(last <= question.end for each in edits for _, last, _ in each)
        texts = {applied(before, each) for each in edits}
        assert texts & {
            before + "    if batch:\n        yield batch\n",
            before.replace("        return", "    return"),
        }


@given(st.lists(st.sampled_from(["a", "bb", ""]), min_size=1), st.sampled_from(["\n", "\r\n", "\r"]), st.data())
def test_whole_line_edits_ignore_final_line_break(words: list[str], newline: str, data: st.DataObject) -> None:
    """An edit that ends before the line break says the same."""
    text = "start" + newline + "".join(word + newline for word in words)
    starts = [0, *(index + len(newline) for index in range(len(text)) if text.startswith(newline, index))]
    start = data.draw(st.sampled_from(starts[1:]))
    edits = ((start, len(text), data.draw(st.sampled_from(["", "x" + newline, newline]))),)
    held = within(text, edits, len(text) - len(newline))
    assert applied(text, held) == applied(text, edits)
    assert all(last <= len(text) - len(newline) for _, last, _ in held)


def test_same_edit_is_made_elsewhere() -> None:
    source = "def target(one, other):\n    return one == other\n"
    found = texts_of(source, {"one": {"str"}, "other": {"str"}})
    both = source.replace("one == other", "set(one) == set(other)")
    assert 0 < found[both] < found[source.replace("== other", "== set(other)")]


def test_none_check_beats_another_clause() -> None:
    source = "def target(node):\n    if node.left > 3:\n        return True\n    return False\n"
    found = texts_of(source, {"node": {"NoneType", "Point"}})
    guarded = source.replace("node.left > 3", "node is not None and node.left > 3")
    assert found[guarded] > 3 * found[source.replace("node.left > 3", "node.left > 3 and node is not None")]


def test_unread_variable_makes_an_edit_unlikely() -> None:
    """One that reads a variable more is likelier."""
    source = "def target(left, right, spare):\n    return left - right\n"
    natural = natural_of(source)
    at = source.index("right\n")
    assert natural.variables_factor([(at, at + 5, "spare")]) == natural.variables_factor([(at, at + 5, "0")]) * 2.5 < 1
    assert natural.variables_factor([(at, at + 5, "abs(right)")]) == 1


def test_uncalled_inner_function_makes_an_edit_unlikely() -> None:
    source = "def target(items):\n    def half(n):\n        return n // 2\n\n    return [half(one) for one in items]\n"
    natural = natural_of(source)
    at = source.index("half(one)")
    assert natural.variables_factor([(at, at + len("half(one)"), "one")]) < 1
    assert natural.variables_factor([(at, at + len("half(one)"), "half(one) + 1")]) == 1
    assert natural.variables_factor([(at, at + len("half(one)"), "target(one)")]) == natural.variables_factor(
        [(at, at + 9, "one")]
    )


SUMS_UP = """\
def target(items, out):
    total, seen, spare = 0, [], {}
    for item in items:
        total += item
        seen.append(item)
        spare[item] = total
        out.append(item)
    return len(seen)
"""


def test_changing_a_variable_does_not_read_it() -> None:
    natural = natural_of(SUMS_UP)
    at = SUMS_UP.index("len(seen)")

    def returned(text: str) -> float:
        return natural.variables_factor([(at, at + len("len(seen)"), text)])

    assert returned("spare") == returned("0") * 2.5 < returned("len(seen) + 1") == 1
    assert returned("total") == returned("out") == returned("0"), "what is read or given is nothing that was forgotten"


@pytest.mark.parametrize(
    "odd",
    [
        "left - left", "left + 1 - 1", "max(left, left)", "left == left", "not not left", "left - -1", "left + 0",
        "0 - left", "left * 1", "left ** 0", "left // 1", "-0", "left if not 1 else right", "left and True",
    ],
)  # fmt: skip
def test_what_nobody_would_write_is_less_likely(odd: str) -> None:
    source = "def target(left, right):\n    return left - right\n"
    natural = natural_of(source)
    at = source.index("left -")
    assert natural.oddity([(at, at + len("left - right"), odd)]) < 1
    assert natural.oddity([(at, at + len("left - right"), "right - left")]) == 1


def test_tautological_conditions_make_an_edit_unlikely() -> None:
    """A loop that goes on while two things are equal is unlikely too."""
    source = "def target(left, right):\n    while left < right:\n        if left:\n            left += 1\n"
    natural = natural_of(source)
    at = source.index("<")
    assert natural.oddity([(at, at + 1, "==")]) < natural.oddity([(at, at + 1, "!=")]) == 1
    at = source.index("if left") + len("if ")
    assert natural.oddity([(at, at + len("left"), "True")]) < natural.oddity([(at, at + len("left"), "right")]) == 1
    assert natural.oddity([(at, at + len("left"), "1 < left")]) == 1


def test_answer_that_is_no_boolean_is_unlikely() -> None:
    """The function's name asks a question."""
    asks = "def target(left):\n    if left > 2:\n        return left\n    return False\n"
    at = asks.index("left\n")
    number = [(at, at + len("left"), "1")]
    assert natural_of(asks).oddity(number) == 1
    asks = asks.replace("return left\n", "return True\n")
    assert natural_of(asks).oddity([(at, at + len("True"), "1")]) < 1
    assert natural_of(asks).oddity([(at, at + len("True"), "left > 3")]) == 1
