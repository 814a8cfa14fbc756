"""A build is found in the cache by everything that decides it, and by nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from certo import LLM, CodeCache, Example, Specification, Strategy
from certo.api import cache
from certo.api.cache import default_place, key_of
from certo.api.search import ApiRequest
from certo.verification.static.code_shape import IsLoop
from support.models.scripted_answers import Answers

pytestmark = pytest.mark.acceptance(44)


def wish(strategy: Strategy | None = None, model: str = "", **changes: Any) -> ApiRequest:
    fields = {"name": "double", "description": "Double it.", "inputs": {"number": int}, "output": int, **changes}
    return ApiRequest(
        wanted=Specification(**fields),
        strategy=strategy or Strategy(),
        model=Answers(name=model) if model else None,
        settings={},
        environ={},
    )


def negated(number: int) -> int:
    """What a tool may be."""
    return -number


class Short:
    """A verifier with a state."""

    def __init__(self, lines: int) -> None:
        self.lines = lines

    def verify(self, code: str) -> bool:
        """Count."""
        return len(code.splitlines()) < self.lines


def test_equal_wishes_have_equal_keys() -> None:
    assert key_of(wish()) == key_of(wish())
    assert key_of(wish(Strategy(verify=[Short(3), IsLoop()], cost=negated))) == key_of(
        wish(Strategy(verify=[Short(3), IsLoop()], cost=negated))
    )


def test_key_covers_each_deciding_part() -> None:
    """Each thing that decides what is written has a part in the key."""
    wishes = [
        wish(),
        wish(name="twice"),
        wish(description="Twice."),
        wish(output=float),
        wish(output={"type": "integer", "minimum": 0}),
        wish(inputs={"number": float}),
        wish(tools=[negated]),
        wish(examples=[Example(inputs={"number": 1}, output=2)]),
        wish(tests="def test_it(): ..."),
        wish(Strategy(num_candidates=2)),
        wish(Strategy(verify=Short(3))),
        wish(Strategy(verify=Short(4))),
        wish(Strategy(cost=negated)),
        wish(model="openai:one"),
        wish(model="openai:two"),
    ]
    assert len({key_of(each) for each in wishes}) == len(wishes)


def test_another_version_of_certo_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of(wish())
    monkeypatch.setattr(cache, "__version__", "99")
    assert key_of(wish()) != before


def test_key_covers_only_our_variables() -> None:
    """A setting of the environment has a part in the key and the rest of it has none."""
    judged = {"CERTO_CRITERIA__KIND__EXPRESSION": "It is kind."}
    assert key_of(replace(wish(), environ=judged)) != key_of(wish())
    assert key_of(replace(wish(), environ={"TERM": "dumb"})) == key_of(wish())


def test_another_python_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of(wish())
    monkeypatch.setattr(cache.sys, "version", "4.0")
    assert key_of(wish()) != before


def test_other_prompts_find_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of(wish())
    monkeypatch.setattr(cache, "shipped", lambda name: f"Write {name}.")
    assert key_of(wish()) != before


def test_unnameable_values_have_no_key() -> None:
    limit = 3
    assert key_of(wish(Strategy(verify=lambda code: len(code) < limit))) is None
    assert key_of(wish(Strategy(verify=Short(3).verify))) is None


def test_what_cannot_be_read_is_not_there(tmp_path: Path) -> None:
    kept = CodeCache(tmp_path / "cache")
    assert (list(kept), kept.get("none"), kept.clear()) == ([], None, 0)
    kept.place.mkdir()
    (kept.place / "broken.json").write_text("{", encoding="utf-8")
    assert (list(kept), kept.get("broken"), kept.clear()) == ([], None, 1)


def test_cache_is_in_users_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_place() == tmp_path / "certo" / "code"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_place().parts[-3:] == (".cache", "certo", "code")


@pytest.mark.parametrize("place", ["model", "verify"])
def test_key_knows_what_a_model_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """A name of the project's settings may stand for another model by the next time, to write or to judge."""
    monkeypatch.chdir(tmp_path)
    keys = []
    for meant in ("openai:a", "openai:b", "openai:b"):
        (tmp_path / "certo.toml").write_text(f'[models.writer]\nname = "{meant}"\n')
        made = wish(Strategy(verify=LLM("writer"))) if place == "verify" else replace(wish(), model=LLM("writer"))
        keys.append(key_of(made))
    assert keys[0] != keys[1] == keys[2]


def test_what_holds_itself_has_no_key() -> None:
    around = Short(3)
    around.lines = around
    assert key_of(wish(Strategy(verify=around))) is None
