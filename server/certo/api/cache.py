"""Code that was built before, kept on the disk by all that decides what would come of building it again."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from certo import __version__
from certo.api.contextual_model import ContextualModel
from certo.api.generated import Generated
from certo.api.search import ApiRequest
from certo.generation.model.templates import PLACEHOLDERS, shipped
from certo.llm.model import ChatModel
from certo.project.root import find_root
from certo.sessions.assembly.models import choice_of
from certo.settings.layers import PREFIX
from certo.settings.loader import load_settings
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

_GENERATED = TypeAdapter(Generated)


def default_place() -> Path:
    """Return the folder of built code, below certo's own directory of the user's cache."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "certo" / "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One thing in the cache: its key, the function's name, whether it was verified, and how large it is in bytes."""

    key: str
    name: str
    verified: bool
    size: int


@dataclass(frozen=True, slots=True)
class CodeCache:
    """Keeps what was generated in one directory, a file each; what cannot be read is not there."""

    place: Path = field(default_factory=default_place)

    def get(self, key: str) -> Generated | None:
        """Return the code kept under a key; None if there is none that can be read."""
        generated = self._read(self.place / f"{key}.json")
        return replace(generated, cached=True) if generated is not None else None

    def put(self, key: str, generated: Generated) -> None:
        """Keep something; other processes see it whole or not at all."""
        self.place.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=self.place, suffix=".new")
        with os.fdopen(descriptor, "wb") as file:
            file.write(_GENERATED.dump_json(generated))
        os.replace(name, self.place / f"{key}.json")

    def __iter__(self) -> Iterator[Kept]:
        for path in sorted(self.place.glob("*.json")):
            generated = self._read(path)
            if generated is not None:
                yield Kept(key=path.stem, name=generated.name, verified=generated.verified, size=path.stat().st_size)

    def clear(self) -> int:
        """Forget everything; returns how many things there were."""
        paths = list(self.place.glob("*.json"))
        for path in paths:
            with suppress(FileNotFoundError):
                path.unlink()
        return len(paths)

    def _read(self, path: Path) -> Generated | None:
        try:
            return _GENERATED.validate_json(path.read_bytes())
        except (OSError, ValidationError):
            return None


def key_of(wish: ApiRequest) -> str | None:
    """Return the key of a request: a hash of its words, its settings wherever they are set, model, Python and certo.

    None where that cannot be put in words.
    """
    try:
        words = json.dumps(
            {
                "certo": __version__,
                "prompts": {name: shipped(name) for name in PLACEHOLDERS},
                "model": _model(wish.model, wish) if wish.model is not None else None,
                "wanted": wish.wanted.as_words(),
                "strategy": {name: _words(value, wish) for name, value in sorted(dict(wish.strategy).items())},
                "settings": {name: str(value) for name, value in sorted(wish.settings.items())},
                "environment": {name: value for name, value in sorted(wish.environ.items()) if name.startswith(PREFIX)},
                "python": sys.version,
            }
        )
    except (_NoWords, RecursionError):
        # What holds itself goes round for ever.
        return None
    return hashlib.sha256(words.encode()).hexdigest()[:32]


class _NoWords(Exception):
    """Something has no text that would tell it from others of its kind."""


def _words(value: Any, wish: ApiRequest) -> Any:
    """Return a value as text that tells it from others: plain values as they are, functions and classes by source."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple):
        return [_words(each, wish) for each in value]
    if isinstance(value, Mapping):
        return {str(key): _words(each, wish) for key, each in value.items()}
    if inspect.isfunction(value):
        if value.__code__.co_freevars:
            raise _NoWords
        return _source(value)
    if inspect.ismethod(value):
        raise _NoWords
    kind = type(value)
    if hasattr(value, "answer") and hasattr(value, "name"):
        return [kind.__qualname__, _model(value, wish)]
    state = getattr(value, "__dict__", None)
    fields = getattr(kind, "__dataclass_fields__", None)
    if fields is not None:
        state = {name: getattr(value, name) for name in fields}
    if state is None:
        raise _NoWords
    return [_source(kind), {name: _words(each, wish) for name, each in sorted(state.items())}]


def _model(model: ChatModel, wish: ApiRequest) -> Any:
    """Return a model's name, and what the settings mean by it where it is a name of theirs."""
    asked: str | ChatModel = model
    while isinstance(asked, ContextualModel):
        asked = asked.asked
    if not isinstance(asked, str):
        return asked.name
    try:
        # Models are asked by the settings of the working directory, whatever project the code is written in.
        root = find_root(Path.cwd() / "any.py")
        settings = load_settings(root, client=None, environ=wish.environ, flags=wish.settings)
        chosen = choice_of(settings).choose(asked)
    except BadSetting:
        # Code that is there already does not need it.
        return asked
    return [str(chosen.name), asdict(chosen.options)]


def _source(thing: Any) -> str:
    try:
        return f"{thing.__module__}.{thing.__qualname__}\n{inspect.getsource(thing)}"
    except (OSError, TypeError) as error:
        raise _NoWords from error
