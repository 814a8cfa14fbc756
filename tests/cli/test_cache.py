"""`certo cache` lists what was built and forgets it."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from certo import CodeCache, Generated
from certo.api.execution import Code
from certo.api.generated import Passed
from certo.cli.stored.cache import main
from certo.vocabulary.cost import Cost, Spent
from certo.vocabulary.outcome import Outcome
from certo.vocabulary.verdict import Report

pytestmark = pytest.mark.acceptance(44)


def generated(name: str, *, verified: bool) -> Generated:
    passed = Passed(
        candidate_id="c",
        code=Code(text="", function=name),
        source="",
        report=Report(candidate_id="c"),
        verified=verified,
        cost=Cost(value=1.0, unit="tokens", source="size"),
    )
    return Generated(name=name, outcome=Outcome.SOLVED, passed=(passed,), tried=(), spent=Spent())


def test_what_is_kept_is_listed_and_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for key, verified in (("aa", True), ("bb", False)):
        CodeCache().put(key, generated(f"f{key}", verified=verified))
    assert main(argparse.Namespace(what="list")) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("aa  faa  ")
    assert first.endswith("  verified")
    assert second.endswith("  not verified")
    assert main(argparse.Namespace(what="clear")) == 0
    assert capsys.readouterr().out == f"deleted 2 functions in {tmp_path / 'certo' / 'code'}\n"
    main(argparse.Namespace(what="list"))
    assert capsys.readouterr().out == ""
