"""The token of a daemon on sockets: where it comes from, who can read it, and that it goes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from certo.daemon.listener import MIN_SECONDS, VARIABLE, a_token
from certo.vocabulary.errors import BadRequest


def test_a_token_is_made_anew_each_time_in_a_private_file_that_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with a_token() as (token, path), a_token() as (other, _):
        assert path is not None
        assert Path(path).read_text() == token != other
        assert len(token) >= MIN_SECONDS
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    assert not Path(path).parent.exists()


def test_the_users_own_is_taken_out_of_the_environment_and_put_in_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "x" * MIN_SECONDS)
    with a_token() as found:
        assert found == ("x" * MIN_SECONDS, None)
        assert VARIABLE not in os.environ


def test_one_that_can_be_guessed_is_refused_without_being_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "hunter2")
    with pytest.raises(BadRequest, match="has 7 characters") as refused, a_token():
        pass
    assert "hunter2" not in str(refused.value)
