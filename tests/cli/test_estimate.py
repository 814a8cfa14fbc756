"""`certo estimate` says what a search would take, in words and as JSON."""

from __future__ import annotations

import json

from certo.cli.estimate import show
from certo.llm.ledger import Expense
from certo.sessions.estimate import Estimate
from support.cli.command import certo, till

MODEL = {
    "CERTO_MODEL__NAME": "gpt-5-mini",
    "CERTO_SEARCH__CALLS": "3",
    "CERTO_GENERATION__RELATED_TOKENS": "0",
}


def test_estimate_tells_calls_and_dollars(tmp_path):
    root = till(tmp_path / "till")
    ran = certo(root, "estimate", "till.py::change", "--generator", "model", "--json", **MODEL)
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    assert (told["type"], told["models"], told["tries"]) == ("estimate", ["openai:gpt-5-mini"], 64)
    assert (told["likely"]["calls"], told["most"]["calls"], told["cap"]) == (2, 384, "search.calls = 3")
    assert 0 < told["likely"]["dollars"] < told["most"]["dollars"]


def test_it_is_said_in_words(capsys):
    likely = Expense(calls=1, tokens=1240, dollars=0.0011)
    most = Expense(calls=21, tokens=590_000, dollars=None)
    show(Estimate(models=("openai:gpt-5-mini",), tries=7, likely=likely, most=most, cap="search.calls = 3"))
    assert capsys.readouterr().out.splitlines() == [
        "models      openai:gpt-5-mini",
        "likely      1 call, 1,240 tokens, $0.0011, if the first answer passes",
        "at most     21 calls, 590,000 tokens, price unknown, in 7 tries",
        "capped by   search.calls = 3",
    ]


def test_search_without_a_model_says_so(capsys):
    show(Estimate(models=(), tries=7, likely=Expense(), most=Expense(), cap=""))
    assert capsys.readouterr().out == "No language model would be asked.\n"
