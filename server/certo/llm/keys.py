"""API keys from the editor's secret storage, the environment or the system's keyring."""

from __future__ import annotations

import importlib.util
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import NoReturn

from certo.sandbox.process.command import ask
from certo.vocabulary.records import dataclass


class Secret:
    """A key that never leaks into a log, message, event or copy by accident.

    It cannot be compared, copied or pickled; only `reveal` returns the key.
    """

    __slots__ = ("_key",)

    def __init__(self, key: str) -> None:
        self._key = key

    def reveal(self) -> str:
        """Return the key itself, for the one place that sends it."""
        return self._key

    def __repr__(self) -> str:
        return "Secret(…)"

    def __str__(self) -> str:
        return "…"

    def __bool__(self) -> bool:
        return bool(self._key)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")

    def __copy__(self) -> NoReturn:
        raise TypeError("a secret is not copied")

    def __deepcopy__(self, memo: object) -> NoReturn:
        raise TypeError("a secret is not copied")


log = logging.getLogger(__name__)

SERVICE = "certo"
"""Service name of our keys in the keyring."""

KEYRING_SECONDS = 30.0
"""Maximum wait for the keyring, which may ask the user to unlock it."""

_READER = Path(__file__).with_name("keyring_reader.py")

AskEditor = Callable[[str, str], Awaitable[str | None]]
"""Asks the editor for a provider's secret by name; returns None if it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key and its source in words: "the environment variable OPENAI_API_KEY"."""

    secret: Secret
    source: str


class Keys:
    """Lookup of keys by name, the name of an environment variable; nothing is kept.

    `environ` is the daemon's own environment. `ask_editor` is None if there is no editor or it has no secret storage.
    """

    def __init__(self, environ: Mapping[str, str], *, ask_editor: AskEditor | None = None) -> None:
        self._environ = environ
        self._ask_editor = ask_editor

    def lent(self, ask_editor: AskEditor | None) -> Keys:
        """Return a lookup that asks one editor's storage before the same places."""
        return Keys(self._environ, ask_editor=ask_editor)

    async def find(self, provider: str, name: str) -> Key | None:
        """Return the key from the first place that has it; None if none does."""
        if self._ask_editor is not None and (stored := _stripped(await self._ask_editor(provider, name))):
            return Key(secret=Secret(stored), source=f"{name} in the editor's secret storage")
        if given := _stripped(self._environ.get(name)):
            return Key(secret=Secret(given), source=f"the environment variable {name}")
        if kept := await _from_keyring(name, self._environ):
            return Key(secret=Secret(kept), source=f"{name} in the keyring")
        return None

    def places(self, name: str) -> str:
        """Return the places where a key of that name may be stored, in words."""
        editor = ["the editor's secret storage"] if self._ask_editor is not None else []
        keyring = f"the keyring (`keyring set {SERVICE} {name}`"
        keyring += ")" if has_keyring() else ", which needs certo[keyring])"
        return ", ".join([*editor, f"the environment variable {name}"]) + f" or {keyring}"


def has_keyring() -> bool:
    """True if the extra certo[keyring] is installed."""
    return importlib.util.find_spec("keyring") is not None


async def _from_keyring(name: str, environ: Mapping[str, str]) -> str:
    """Return a key from the system's keyring, read in a killable process because it may wait for the user."""
    if not has_keyring():
        return ""
    command = [sys.executable, "-I", str(_READER), SERVICE, name]
    try:
        said = await ask(command, environ=environ, seconds=KEYRING_SECONDS)
    except (TimeoutError, OSError) as error:
        log.warning("the keyring was asked for %s and did not answer: %s", name, type(error).__name__)
        return ""
    return _stripped(said.out) if said.status == 0 else ""


def _stripped(key: str | None) -> str:
    """Return a key without the line break that files and pipes append."""
    return (key or "").strip()
