"""Clients on sockets are admitted by token, host and origin."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import anyio
import pytest

from certo.daemon.authentication import Authenticator
from certo.vocabulary.errors import NotAuthorised

TOKEN = "tøken-of-the-daemon"


def said(token: Any) -> dict[str, Any]:
    return {"capabilities": {}, "initializationOptions": {"certo": {"token": token}}}


async def test_only_the_token_lets_a_client_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certo.daemon.authentication.WRONG_TRY_SECONDS", 0)
    guard = Authenticator(TOKEN)
    await guard.admit(said(TOKEN))
    await guard.admit({"capabilities": {"experimental": {"certo": {"versions": [1], "token": TOKEN}}}})
    wrong = [said(token) for token in ("", TOKEN[:-1], TOKEN + " ", TOKEN.upper(), "\ud800", None, [TOKEN], 1)]
    wrong += [{"capabilities": {"experimental": {"certo": {"token": TOKEN[1:]}}}}, {"capabilities": None}]
    wrong += [{}, {"initializationOptions": TOKEN}, {"initializationOptions": {"certo": TOKEN}}]
    for params in wrong:
        with pytest.raises(NotAuthorised) as refused:
            await guard.admit(params)
        assert TOKEN not in str(refused.value)


async def test_correct_token_overtakes_wrong_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong tokens wait one after the other; the right one is not kept waiting by them."""
    monkeypatch.setattr("certo.daemon.authentication.WRONG_TRY_SECONDS", 0.05)
    guard, order = Authenticator(TOKEN), []

    async def attempt(token: str) -> None:
        with suppress(NotAuthorised):
            await guard.admit(said(token))
        order.append(token)

    async with anyio.create_task_group() as group:
        for token in ("first", "second", "third", TOKEN):
            group.start_soon(attempt, token)
    assert order == [TOKEN, "first", "second", "third"]


@pytest.mark.parametrize("host", ["localhost", "localhost:80", "LOCALHOST:4000", "127.0.0.2:1", "[::1]:8080", "[::1]"])
def test_every_name_of_this_machine_is_accepted(host: str) -> None:
    assert Authenticator(TOKEN).objection(host, None) is None


@pytest.mark.parametrize(
    "host", ["", "evil.example", "localhost.evil.example:80", "127.0.0.1.evil.example", "0.0.0.0:1"]
)
def test_hosts_of_other_machines_are_refused(host: str) -> None:
    assert "not at" in str(Authenticator(TOKEN).objection(host, None))


def test_only_pages_of_named_origins_are_accepted() -> None:
    guard = Authenticator(TOKEN, ["http://localhost:3000"])
    assert guard.objection("localhost:1", "http://localhost:3000") is None
    for origin in ("http://localhost:3001", "https://localhost:3000", "null", "", "http://localhost:3000.evil.example"):
        assert f"--origin {origin}" in str(guard.objection("localhost:1", origin))
