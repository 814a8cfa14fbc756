"""The learned table of priors, the places that it counts by, and the model of the file's own tokens."""

from __future__ import annotations

import ast

import pytest

from certo_builtin.repair.context import RepairContext
from certo_builtin.repair.fault_localization import Suspicion
from certo_builtin.repair.priors import ANYWHERE, OTHER, STATEMENTS, place_of, prior_of
from certo_builtin.repair.ranking import ranked
from certo_builtin.repair.templates import learned
from certo_builtin.repair.templates.catalogue import CATALOGUE
from certo_builtin.repair.templates.template import Template
from certo_builtin.repair.token_model import MAX_TOKENS_FACTOR, MIN_TOKENS_FACTOR, TokenModel
from certo_builtin.source import Source
from support.search.repair_context import asked, context_of

PLACES = {"condition", "argument", OTHER, *STATEMENTS.values()}
CODE = """
def target(first):
    if len(first) > 1:
        second = first[0]
        print(first, 2)
    for third in first:
        return third
"""
"""Each node that is looked for stands once in it."""


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("len(first) > 1", "condition"),
        ("first[0]", "value"),
        ("2", "argument"),
        ("print(first, 2)", "call"),
        ("third", "result"),
    ],
)
def test_place_says_where_a_node_is(text: str, place: str) -> None:
    source = Source(CODE)
    target = source.tree.body[0]
    assert isinstance(target, ast.FunctionDef)
    context = RepairContext(source, target, {}, {})
    found = [(one, node) for one, node in context.nodes() if isinstance(node, ast.expr) and context.text(node) == text]
    statement, node = found[-1]
    assert place_of(context, statement, node) == place


def test_table_has_only_known_templates_and_places() -> None:
    assert set(learned.FACTORS) == {template.name for template in CATALOGUE}
    for row in learned.FACTORS.values():
        assert {ANYWHERE} <= set(row) <= {ANYWHERE, *PLACES}
        assert all(0.1 < factor < 10 for factor in row.values())


def test_prior_is_the_written_one_if_unlearned(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Template("of a plugin", 0.3, lambda _context, _node: iter(()))
    assert prior_of(one, "value") == 0.3
    monkeypatch.setattr(learned, "FACTORS", {one.name: {ANYWHERE: 2.0, "value": 3.0}})
    monkeypatch.setattr("certo_builtin.repair.priors.FACTORS", learned.FACTORS)
    assert prior_of(one, "value") == pytest.approx(0.9)
    assert prior_of(one, "result") == pytest.approx(0.6)


def test_learned_factor_moves_a_template(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def target(one, other):\n    return one < other\n"

    def first() -> str:
        [found] = ranked(context_of(text, {}, {}), Suspicion([{2}], ["failed"]), asked(text)).first(1)
        return found.template

    assert first() == "a comparison's strictness"
    table = {"a comparison's strictness": {ANYWHERE: 1.0, "result": 0.001}}
    monkeypatch.setattr("certo_builtin.repair.priors.FACTORS", table)
    assert first() != "a comparison's strictness"


def test_tokens_usual_in_the_file_are_likelier() -> None:
    text = "a = self.items.get(key)\nb = self.items.get(key)\nc = self.items.get(other)\n"
    start = text.rindex("other")
    usual, rare, longer = (
        TokenModel(text).factor([(start, start + 5, new)]) for new in ("key", "self", "key, default=None, strict=True")
    )
    assert usual > rare > longer
    assert usual <= MAX_TOKENS_FACTOR


def test_edits_of_two_places_have_their_mean() -> None:
    text = "a = one(b)\nc = one(d)\n"
    model = TokenModel(text)
    edit = (4, 7, "other")
    assert model.factor([edit, edit]) == pytest.approx(model.factor([edit]))


def test_long_blocks_keep_a_floor() -> None:
    model = TokenModel("a = one(b)\n")
    assert model.factor([(0, 0, "with two as three:\n    four(five, six)\n" * 9)]) == MIN_TOKENS_FACTOR
