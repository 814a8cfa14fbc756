"""Kinds of fixes of real projects that the templates did not propose: a function with such a bug, and the edit."""

from __future__ import annotations

import ast
import os
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.ranking import ranked
from certo_builtin.repair.templates.catalogue import CATALOGUE
from certo_builtin.repair.templates.conditions import clause_about_part
from certo_builtin.source import Source, applied
from support.search.repair_context import alive, asked, context_of, proposed


class NotFoundError(Exception):
    """An exception of a module that the target's module imports."""


class LostError(NotFoundError):
    """A kind of it that the target's module does not know by its own name."""


ERRORS = types.ModuleType("errors")
vars(ERRORS).update(NotFoundError=NotFoundError, OtherError=type("OtherError", (Exception,), {}))
SCOPE: dict[str, Any] = {"errors": ERRORS, "os": os, "is_open": lambda value: value}

RAISING = """\
import errors

def target(text):
    if text == 'b':
        raise errors.OtherError(text)
    return text
"""


def test_exceptions_of_modules_replace_one_another() -> None:
    texts = proposed("another exception raised", RAISING, {}, SCOPE, expected=["errors.NotFoundError"])
    assert texts[RAISING.replace("OtherError", "NotFoundError")] == max(texts.values())
    assert RAISING.replace("errors.OtherError", "ValueError") in texts


def test_functions_are_variables_too() -> None:
    """A function that was handed over may be handed on; the modules' own functions are no variables."""
    source = "def other(n):\n    return n\n\ndef target(args, callback):\n    return args, args\n"
    texts = proposed("another variable", source, {"args": {"tuple"}, "callback": {"function"}}, SCOPE)
    assert list(texts) == [source.replace("args, args", one) for one in ("callback, args", "args, callback")]


def test_raise_without_exception_gets_one() -> None:
    source = "def target(text):\n    if text:\n        raise\n    return text\n"
    texts = proposed("another exception raised", source, {}, SCOPE, expected=["errors.NotFoundError"])
    assert source.replace("raise\n", "raise errors.NotFoundError\n") in texts
    again = "def target(text):\n    try:\n        return int(text)\n    except ValueError:\n        raise\n"
    assert not proposed("another exception raised", again, {}, SCOPE, expected=["errors.NotFoundError"])


def test_exceptions_are_named_by_their_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "errors", ERRORS)
    named = "import errors\n    try:\n        target('b')\n    except errors.NotFoundError:\n        pass"
    with alive(tmp_path, RAISING, [named]) as patient:
        assert patient.trace.expected == ["errors.NotFoundError"]
        assert patient.trace.raised == ["errors.OtherError"]


def test_unknown_exceptions_go_by_their_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "errors", ERRORS)
    source = "import errors\n\ndef target(fail):\n    return fail()\n"

    def fail() -> None:
        raise LostError

    monkeypatch.setattr(ERRORS, "fail", fail, raising=False)
    with alive(tmp_path, source, ["assert target(errors.fail)"]) as patient:
        assert patient.trace.raised == ["errors.NotFoundError"]


def test_all_assertions_become_errors_together() -> None:
    source = "def target(a, b):\n    assert a, 'no a'\n    assert b, 'no b'\n    return a\n"
    shape = "    if not {0}:\n        raise ValueError('no {0}')\n"
    wanted = source.replace("    assert a, 'no a'\n", shape.format("a")).replace(
        "    assert b, 'no b'\n", shape.format("b")
    )
    assert wanted in proposed("an assertion for an error", source, {}, SCOPE, expected=["ValueError"])


def test_parameters_are_literals_and_variables_not(tmp_path: Path) -> None:
    """A variable may hold a port or a temporary name, which is another in each run."""
    source = "def target(text):\n    return text\n"
    test = "made = ''.join(['t', 'o', 'k'])\n    target(made)\n    assert target('written') == made"
    with alive(tmp_path, source, [test], [b"x", ["~!", 7, 10**9], None, "y" * 99]) as patient:
        written, given = patient.trace.literals[:5], patient.trace.literals[5:]
        assert (sorted(written), given) == (["", "k", "o", "t", "written"], [b"x", "~!", 7])


def test_dictionaries_get_items() -> None:
    source = "def target(scheme):\n    return {b'http': 80, b'socks5': 1080}[scheme]\n"
    texts = proposed("a missing item of a dictionary", source, {}, SCOPE, literals=[b"socks5h", "no", 443])
    wanted = source.replace("1080}", "1080, b'socks5h': 1080}")
    assert texts[wanted] == max(texts.values())
    assert source.replace("1080}", "1080, b'socks5h': 443}") in texts
    assert not any("'no'" in text for text in texts)


def test_exceptions_tell_kinds_of_edits() -> None:
    source = "def target(scheme):\n    return {'http': 80, 'ws': 80}[scheme]\n"
    usual, told = (
        ranked(
            context_of(source, {}, SCOPE, literals=["wss"], raised=raised),
            Suspicion([{1, 2}], ["failed"]),
            asked(source),
        )
        for raised in (["AssertionError"], ["KeyError"])
    )
    wanted = source.replace("80}", "80, 'wss': 80}")
    before, after = (
        next(one.probability for one in each.all() if applied(source, one.edits) == wanted) for each in (usual, told)
    )
    assert after > 2 * before


def test_missing_keys_are_literals(tmp_path: Path) -> None:
    source = "def target(text):\n    return {b'a': 1, b'b': 2}[text.encode()]\n"
    with alive(tmp_path, source, ["assert target(chr(99) + chr(99))"]) as patient:
        assert patient.trace.literals[0] == b"cc"


LAZY = """\
class Lazy:
    def __repr__(self):
        raise RuntimeError
    __class__ = __dict__ = property(__repr__)

lazy = Lazy()

def target(key, held=lazy):
    return {1: 2}[key, held]
"""


def test_observation_asks_no_lazy_values(tmp_path: Path) -> None:
    """They run the project's code when they are asked, which may raise."""
    with alive(tmp_path, LAZY, [f"target('k') or len.{name}" for name in ("Missing", "lazy")]) as patient:
        assert patient.trace.raised == ["KeyError"]
        assert "k" in patient.trace.literals
        assert not patient.runner.depends_on_order()
        scope = next(iter(patient.runner.hot_swap.namespaces))
    called = "return lazy(key, lazy.a) if lazy.name == key else 2"
    for line in ("raise lazy.Error(key)", "return isinstance(key, (lazy.A, lazy.B))", called):
        source = f"def target(key):\n    {line}\n"
        observed = context_of(source, {"key": {"lazy"}}, scope, expected=["lazy.Error"], raised=["lazy.Error"])
        assert ranked(observed, Suspicion([{1, 2}], ["failed"]), asked(source)).all()


ENDING = "def target(path, strict):\n    while path.name == strict:\n        path = path.up\n    return path\n"


def test_clauses_ask_about_parts() -> None:
    name = "a missing clause about a part"
    texts = proposed(name, ENDING, {}, SCOPE)
    assert ENDING.replace("strict:", "strict or not os.path.exists(path.name):") in texts
    assert ENDING.replace("strict:", "strict and is_open(path.name):") in texts
    blank = "def target(sql, i):\n    return 1 if sql[i].isspace() else 2\n"
    assert blank.replace("isspace()", "isspace() or sql[i] == ';'") in proposed(name, blank, {}, SCOPE, literals=[";"])


def test_clauses_join_their_like_without_brackets() -> None:
    source = "def target(a, b, c):\n    if a and b:\n        return 1\n    return 2\n"
    texts = proposed("a missing clause", source, {}, SCOPE)
    assert {source.replace("a and b", new) for new in ("not c and a and b", "a and b and c", "(a and b) or c")} <= set(
        texts
    )


def test_clauses_ask_for_own_flags() -> None:
    method = "    def target(self, a, b):\n        return a and b\n"
    source = "class Environment:\n    def other(self):\n        return 1 if self.skip else 2\n\n" + method
    parsed = Source(source)
    target = parsed.function_at(5, "target")
    assert target is not None
    seen = RepairContext(parsed, target, {}, {})
    changes = [change for _, node in seen.nodes() for change in clause_about_part(seen, node)]
    assert source.replace("a and b", "a and (self.skip or b)") in [applied(source, one.edits) for one in changes]


CONVERTED = """\
def clean(text):
    return text.strip()

def target(names, first):
    for name in names:
        print(name)
    return len(names), first
"""


def test_values_are_converted_first() -> None:
    texts = proposed("a value not converted", CONVERTED, {}, SCOPE)
    start = "    for name in names"
    assert CONVERTED.replace(start, "    names = list(names)\n" + start) in texts
    assert CONVERTED.replace(start, "    names = clean(names)\n" + start) in texts
    assert not any("first = " in text for text in texts), "it is read once: that place is converted itself"
    assert not any(
        " = list(" in text for text in proposed("a value not converted", CONVERTED, {"names": {"list"}}, SCOPE)
    )


def nodes_looked_at(monkeypatch: pytest.MonkeyPatch, statements: int) -> int:
    """Return how many nodes one template goes through in a function of so many statements."""
    whole, looked = RepairContext.within, []

    def within(self: RepairContext, scope: ast.AST) -> list[ast.AST]:
        found = whole(self, scope)
        looked.append(len(found))
        return found

    source = "def target(a):\n" + "".join(f"    print(a, {number})\n" for number in range(statements))
    with monkeypatch.context() as patch:
        patch.setattr(RepairContext, "within", within)
        assert proposed("a value not converted", source, {}, SCOPE)
    return sum(looked)


def test_long_functions_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = (nodes_looked_at(monkeypatch, statements) for statements in (20, 80))
    assert long < 5 * short


def test_unusual_types_become_usual_ones() -> None:
    source = "def target(place, root):\n    return place == root\n"
    kinds = {"root": {"PosixPath", "str"}, "place": {"str"}}
    texts = proposed(
        "a missing call", source, kinds, SCOPE, usual_kinds={"target": {"root": {"str"}, "place": {"str"}}}
    )
    assert [text for text, weight in texts.items() if weight > 1] == [source.replace("== root", "== str(root)")]


def test_right_values_stay_as_they_are() -> None:
    source = "def target(at):\n    shown = f'{at[0]},{at[1]}'\n    return shown\n"
    usual = {"usual_kinds": {"target": {"at": {"tuple"}}}}
    texts = proposed("a value that is right already", source, {"at": {"tuple", "str"}}, SCOPE, **usual)
    assert list(texts) == [source.replace("f'", "at if isinstance(at, str) else f'")]


SEARCH = "def target(node):\n    for child in node:\n        if child:\n            target(child)\n    return None\n"


def test_dropped_results_are_returned() -> None:
    source = SEARCH.replace("return None", "return node or 1")
    call = "            target(child)\n"
    wanted = "            found = target(child)\n            if found is not None:\n                return found\n"
    assert source.replace(call, wanted) in proposed("a result that is dropped", source, {}, SCOPE)
    assert not proposed("a result that is dropped", source.replace("return node or 1", "print(node)"), {}, SCOPE)


def test_texts_are_parted_by_blanks() -> None:
    name = "a missing blank between texts"
    source = "def target(n):\n    return f'element {n}' f'has length' 'or' ' so'\n"
    texts = proposed(name, source, {}, SCOPE)
    assert set(texts) == {source.replace("{n}'", "{n} '"), source.replace("length'", "length '")}


CHAIN = (
    "def target(data, text):\n    if text:\n        data['t'] = text.strip()\n    elif data:\n        data['t'] = 1\n"
)


def test_chains_get_branches() -> None:
    texts = proposed("a missing branch", CHAIN, {"data": {"dict"}, "text": {"str", "NoneType"}}, SCOPE)
    assert CHAIN + "    elif not data:\n        data['t'] = ''\n" in texts
    assert CHAIN + "    elif text is None:\n        data['t'] = ''\n" in texts, "the first of the chain asks about it"


MADE = """\
def target(metric):
    if metric == 'r2':
        def score(a, b):
            one, two, three = a, b, 0
            four = one - two
            return four
    elif metric.name == 'no':
        def score(a, b):
            return a - b
    return score(1, 2)
"""


def test_functions_of_branches_are_set_elsewhere() -> None:
    texts = proposed("a missing branch", MADE, {"metric": {"str", "function"}}, SCOPE)
    assert MADE.replace("    return score", "    else:\n        score = metric\n    return score") in texts


def test_ends_of_texts_are_taken_off() -> None:
    source = "def target(stream):\n    return stream.read()\n"
    texts = proposed("a missing method", source, {}, SCOPE, literals=["\ufeffa=b", "(c)"])
    wanted = [source.replace("read()", f"read().removeprefix({mark!r})") for mark in ("\ufeff", "(", ")")]
    assert set(wanted) <= set(texts)
    assert not any("('a')" in text or "('b')" in text for text in texts)


RESTORED = """\
def get_checks():
    return state

def target():
    set_checks(False)
    try:
        yield
    finally:
        set_checks(True)
"""


def test_states_are_restored() -> None:
    wanted = RESTORED.replace("    set_checks(F", "    before = get_checks()\n    set_checks(F").replace(
        "(True)", "(before)"
    )
    assert list(proposed("a state not restored", RESTORED, {}, SCOPE)) == [wanted]
    plain = "def target(self):\n    self.on = False\n    try:\n        run()\n    finally:\n        self.on = True\n"
    wanted = plain.replace("    self.on = F", "    before = self.on\n    self.on = F").replace("= True", "= before")
    assert list(proposed("a state not restored", plain, {}, SCOPE)) == [wanted]


def test_taken_names_end_no_search() -> None:
    """A template that needs a new variable makes no edit if all its words are taken."""
    restored = RESTORED.replace("target()", "target(before, previous)")
    assert not proposed("a state not restored", restored, {}, {"kept": 1})
    dropped = SEARCH.replace("(node)", "(node, found, result, found_here)").replace("None", "1")
    assert not proposed("a result that is dropped", dropped, {}, {"result_here": 1})
    assert proposed("a result that is dropped", dropped, {}, {})


@pytest.mark.parametrize("parameters", ["", "a, b=(1)", "*, b"])
def test_inner_functions_take_more(parameters: str) -> None:
    source = (
        f"def target(decorate):\n    @decorate(1)\n    def made({parameters}):\n        return 1\n    return made\n"
    )
    texts = proposed("an argument not taken", source, {}, SCOPE, raised=["TypeError"])
    lead = f"{parameters}, " if parameters else ""
    assert source.replace(f"made({parameters})", f"made({lead}**kwargs)") in texts
    assert not proposed("an argument not taken", source, {}, SCOPE)


def test_calls_are_dropped_at_like_places() -> None:
    source = "def target(a, b):\n    c = str(a)\n    d = str(b)\n    return c, d\n"
    every = set(range(1, 5))
    found = ranked(context_of(source, {}, SCOPE), Suspicion([every], ["failed"]), asked(source)).all()
    assert source.replace("str(a)", "a").replace("str(b)", "b") in {applied(source, one.edits) for one in found}


def test_missing_call_passes_the_unread_variable() -> None:
    """Or what is named like the method's parameters; what the function reads already is no candidate."""
    source = "def target(code, strict):\n    parser = Parser(strict)\n    return parser.rows\n"
    texts = proposed("a missing call statement", source, {"parser": {"Parser"}}, {"Parser": Parser})
    added = {text.replace(source.partition("    return")[0], "").splitlines()[0].strip() for text in texts}
    assert {"parser.feed(code)", "parser.close()", "parser.check(code, strict)"} <= added
    assert not {"parser.feed(strict)", "parser.write()", "parser.tell()", "parser._hide()"} & added
    assert (
        texts[source.replace("    return", "    parser.feed(code)\n    return")]
        > texts[source.replace("    return", "    parser.close()\n    return")]
    )


def test_missing_call_of_function() -> None:
    defined = "def record(names, name):\n    names.add(name.lower())\n\n"
    source = defined + "def target(name):\n    names = set()\n    return names\n"
    texts = proposed("a missing call statement", source, {}, {"record": lambda names, name: names.add(name)})
    assert source.replace("    return", "    record(names, name)\n    return") in texts


def test_missing_call_turns_a_flag() -> None:
    source = "def target(code, strict):\n    parser = Parser(code, strict)\n    return parser\n"
    texts = proposed("a missing call statement", source, {"parser": {"Parser"}}, {"Parser": Parser})
    assert source.replace("    return", "    parser.lock(deep=False)\n    return") in texts


def test_missing_call_of_the_base_class(tmp_path: Path) -> None:
    source = """\
class Cache:
    def __init__(self, size, weigh=len):
        self.size = size

class Lru(Cache):
    def __init__(self, size, weigh=None):
        self.order = []
"""
    scope: dict[str, Any] = {}
    exec(compile(source, "patient.py", "exec"), scope)
    parsed = Source(source)
    target = parsed.function_at(6, "__init__")
    assert target is not None
    context = RepairContext(parsed, target, {}, {}, [], scope=scope)
    (template,) = [one for one in CATALOGUE if one.name == "a missing call statement"]
    texts = {applied(source, change.edits) for _, node in context.nodes() for change in template.find(context, node)}
    for call in ("super().__init__(size, weigh=weigh)", "super().__init__(size)", "Cache.__init__(self, size)"):
        assert source.replace("        self.order", f"        {call}\n        self.order") in texts


def test_missing_call_replaces_pass() -> None:
    source = "def target(code):\n    parser = Parser()\n    if code:\n        pass\n    return parser.rows\n"
    texts = proposed("a missing call statement", source, {"parser": {"Parser"}}, {"Parser": Parser})
    assert source.replace("pass", "parser.close()") in texts
    assert source.replace("pass", "pass\n        parser.close()") not in texts


class Parser:
    """A class whose methods a function may have to call."""

    def feed(self, data: str) -> None: ...
    def check(self, code: str, strict: bool) -> None: ...
    def close(self) -> None: ...
    def lock(self, deep: bool = True) -> None: ...
    def write(self, *, to: str) -> None: ...
    def _hide(self) -> None: ...
