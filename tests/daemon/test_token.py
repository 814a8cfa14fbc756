"""The token of a daemon on sockets: its source, its readers and its end."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from certo.daemon.listener import MIN_CHARACTERS, VARIABLE, a_token
from certo.vocabulary.errors import BadRequest


def test_new_token_is_in_a_private_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """It differs each time, and the file is deleted at the end."""
    monkeypatch.delenv(VARIABLE, raising=False)
    with a_token() as (token, path), a_token() as (other, _):
        assert path is not None
        assert Path(path).read_text() == token != other
        assert len(token) >= MIN_CHARACTERS
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    assert not Path(path).parent.exists()


def test_users_token_is_in_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken out of the environment."""
    monkeypatch.setenv(VARIABLE, "x" * MIN_CHARACTERS)
    with a_token() as found:
        assert found == ("x" * MIN_CHARACTERS, None)
        assert VARIABLE not in os.environ


def test_short_tokens_are_refused_and_never_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "hunter2")
    with pytest.raises(BadRequest, match="has 7 characters") as refused, a_token():
        pass
    assert "hunter2" not in str(refused.value)
