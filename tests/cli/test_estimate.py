"""`certo estimate` says what a search would take, in words and as JSON."""

from __future__ import annotations

import json

from support.command import certo, till

MODEL = {"CERTO_MODEL__NAME": "gpt-5-mini", "CERTO_SEARCH__CALLS": "3"}


def test_what_a_search_would_take_is_said_before_it_is_made(tmp_path):
    root = till(tmp_path / "till")
    ran = certo(root, "estimate", "till.py::change", "--generator", "model", **MODEL)
    assert ran.code == 0, ran.err
    rows = {line[:12].strip(): line[12:].strip() for line in ran.out.splitlines()}
    assert rows["models"] == "openai:gpt-5-mini"
    assert rows["likely"].startswith("1 call, ")
    assert rows["likely"].endswith(", if the first answer passes")
    assert rows["at most"].startswith("21 calls, ")
    assert rows["at most"].endswith(" in 7 tries")
    assert rows["capped by"] == "search.calls = 3"
    told = json.loads(certo(root, "estimate", "till.py::change", "--json").out)
    assert (told["type"], told["models"], told["most"]["calls"]) == ("estimate", [], 0)
