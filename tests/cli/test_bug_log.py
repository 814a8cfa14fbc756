"""The file that keeps tracebacks."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from certo.cli.bug_log import LOG, keep_log, log_file, record


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    before = LOG.handlers[:], LOG.propagate
    yield
    LOG.handlers[:], LOG.propagate = before


def test_nothing_to_say_makes_no_file(tmp_path: Path) -> None:
    keep_log()
    assert list(tmp_path.iterdir()) == []


def test_logged_exceptions_keep_their_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    keep_log()
    try:
        raise KeyError("oops")
    except KeyError:
        logging.getLogger("certo.sessions.searches").exception("search %s met a bug", "5eac")
    kept = log_file().read_text()
    assert "search 5eac met a bug" in kept
    assert "KeyError: 'oops'" in kept
    assert capsys.readouterr().err == ""


def test_sentence_names_the_bug_and_the_file() -> None:
    said = record(ValueError("seven"))
    assert "ValueError: seven" in said
    assert str(log_file()) in said
    assert "\n" not in said


def test_unwritable_home_is_no_second_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert "seven" in record(ValueError("seven"))
