"""A key is found where the user put it, is shown nowhere, and comes from places that can be waited for."""

from __future__ import annotations

import copy
import json
import logging
import os
import pickle
from pathlib import Path

import anyio
import pytest

from certo.llm.keys import Keys, Secret

CANARY = "sk-canary-4f9a67d02d2ec5840726a"

BACKEND = """
import os, pathlib, time
from keyring.backend import KeyringBackend


class Shelf(KeyringBackend):
    priority = 9

    def set_password(self, service, username, password):
        raise NotImplementedError

    def get_password(self, service, username):
        home = pathlib.Path(__file__).parent
        (home / "pid").write_text(str(os.getpid()))
        if (home / "stuck").exists():
            time.sleep(3600)
        return {("certo", "SHELVED_KEY"): "sk-from-the-keyring\\n"}.get((service, username))
"""


def with_keyring(home: Path) -> dict[str, str]:
    """An environment whose keyring is a program of ours in `home`."""
    (home / "python_keyring").mkdir(parents=True)
    (home / "shelf.py").write_text(BACKEND)
    config = f"[backend]\ndefault-keyring=shelf.Shelf\nkeyring-path={home}\n"
    (home / "python_keyring" / "keyringrc.cfg").write_text(config)
    return {"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(home), "HOME": str(home)}


async def stored(provider: str, name: str) -> str | None:
    return {("openai", "OPENAI_API_KEY"): "from-the-editor"}.get((provider, name))


async def test_keys_come_from_editor_environment_keyring(tmp_path):
    """They are looked up in this order."""
    environ = {**with_keyring(tmp_path), "OPENAI_API_KEY": "from-the-environment", "OTHER_KEY": " spaced\n"}
    keys = Keys(environ, ask_editor=stored)
    found = [await keys.find("openai", name) for name in ("OPENAI_API_KEY", "OTHER_KEY", "SHELVED_KEY", "NO_KEY")]
    assert [key and key.secret.reveal() for key in found] == [
        "from-the-editor",
        "spaced",
        "sk-from-the-keyring",
        None,
    ]
    assert [key.source for key in found if key] == [
        "OPENAI_API_KEY in the editor's secret storage",
        "the environment variable OTHER_KEY",
        "SHELVED_KEY in the keyring",
    ]


async def test_the_editor_is_named_only_where_present(tmp_path):
    assert "editor" not in Keys({}).places("MY_KEY")
    assert Keys({}, ask_editor=stored).places("MY_KEY").startswith("the editor's secret storage, the environment")
    assert "keyring set certo MY_KEY" in Keys({}).places("MY_KEY")


async def test_cancelling_kills_a_stuck_keyring(tmp_path):
    environ = with_keyring(tmp_path)
    assert await Keys(environ).find("openai", "SHELVED_KEY") is not None
    (tmp_path / "stuck").touch()
    (tmp_path / "pid").unlink()
    pid = anyio.Path(tmp_path / "pid")
    async with anyio.create_task_group() as group:
        group.start_soon(Keys(environ).find, "openai", "SHELVED_KEY")
        with anyio.fail_after(100):
            while not (await pid.exists() and await pid.read_text()):  # noqa: ASYNC110 - another process writes it
                await anyio.sleep(0.01)
        group.cancel_scope.cancel()
    with pytest.raises(ProcessLookupError):
        os.kill(int(await pid.read_text()), 0)


async def test_a_keyring_that_fails_has_no_key(tmp_path):
    environ = with_keyring(tmp_path)
    (tmp_path / "shelf.py").write_text("raise RuntimeError('no bus')")
    assert await Keys(environ).find("openai", "SHELVED_KEY") is None


def test_a_secret_shows_itself_to_nobody(caplog):
    secret = Secret(CANARY)
    shown = [repr(secret), str(secret), f"{secret}", f"{secret!r}", f"{[secret]}", json.dumps({"k": str(secret)})]
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("certo").debug("the key is %s %r", secret, secret)
    assert not [words for words in [*shown, caplog.text] if CANARY in words]
    for leak in (pickle.dumps, copy.copy, copy.deepcopy, vars, json.dumps):
        with pytest.raises(TypeError):
            leak(secret)
    assert secret.reveal() == CANARY
    assert secret
    assert not Secret("")
