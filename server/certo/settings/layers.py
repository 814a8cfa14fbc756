"""The sources of settings: the project's file, the editor, the environment, and the command line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:
    from certo.settings.schema import Option

PREFIX = "CERTO_"
"""The beginning of the name of each environment variable that is a setting."""

_OF_THE_EDITOR = frozenset({"server", "trace"})
"""Groups that an editor keeps for itself among our settings: how to start the server, and which messages to log."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingEntry:
    """One value as it was set: the keys that lead to it, and `spelled` as the user wrote them."""

    keys: tuple[str, ...]
    spelled: str
    value: Any

    @property
    def name(self) -> str:
        """The setting's dotted name in snake_case."""
        return ".".join(_HUMP.sub("_", key.replace("-", "_")).lower() for key in self.keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The values one source sets, later layers over earlier ones.

    `title` is what users call the source; `prefix` stands before a setting's name in messages. `spell` writes an option
    the way this source does, for suggestions. `is_text` says that values are text to be read
    as what they stand for; `is_shared` that the source comes with the project, from whoever wrote it; `has_hyphens`
    that it can write the hyphens of names that users have given.
    """

    title: str
    prefix: str
    entries: tuple[SettingEntry, ...]
    spell: Callable[[Option], str]
    is_text: bool = False
    is_shared: bool = False
    has_hyphens: bool = True


def project_layer(root: Path) -> Layer | None:
    """Return the settings of the project's own file: `[tool.certo]` in pyproject.toml, or else certo.toml.

    Raises:
        BadSetting: the file cannot be read, or is no TOML.
    """
    tool = _read_toml(root / "pyproject.toml").get("tool", {})
    if isinstance(tool, dict) and "certo" in tool:
        source, table = "pyproject.toml [tool.certo]", tool["certo"]
    elif (root / "certo.toml").exists():
        source, table = "certo.toml", _read_toml(root / "certo.toml")
    else:
        return None
    if not isinstance(table, dict):
        raise BadSetting(f"{source}: must be a table of settings, not {table!r}")
    return Layer(
        title=source,
        prefix=f"{source} ",
        entries=tuple(_flattened(table)),
        spell=lambda option: option.name,
        is_shared=True,
    )


def client_layer(client: Mapping[str, Any]) -> Layer:
    """Return the editor's settings, without nulls, which mean not set, and without those for the editor itself."""
    entries = tuple(
        entry for entry in _flattened(client) if entry.value is not None and entry.keys[0] not in _OF_THE_EDITOR
    )
    return Layer(
        title="the editor's settings",
        prefix="the editor's setting certo.",
        entries=entries,
        spell=lambda option: f"certo.{option.wire_name}",
    )


def environment_layer(environ: Mapping[str, str]) -> Layer:
    """Return the settings of the environment, such as CERTO_SEARCH__SECONDS=30: two underscores follow the group.

    An underscore in a name that a user has given may stand for a hyphen, which no variable can have.
    """
    entries = tuple(
        SettingEntry(keys=tuple(name.removeprefix(PREFIX).lower().split("__")), spelled=name, value=value)
        for name, value in sorted(environ.items())
        if name.startswith(PREFIX)
    )
    return Layer(
        title="the environment",
        prefix="the environment variable ",
        entries=entries,
        spell=_spell_variable,
        is_text=True,
        has_hyphens=False,
    )


def flags_layer(flags: Mapping[str, Any]) -> Layer:
    """Return the settings of one search alone, from the command line or a client, by dotted names, without Nones."""
    entries = tuple(entry for entry in _flattened(flags) if entry.value is not None)
    return Layer(
        title="this search",
        prefix="",
        entries=entries,
        spell=lambda option: option.name,
        is_text=True,
    )


def _spell_variable(option: Option) -> str:
    return PREFIX + option.name.replace(".", "__").replace("-", "_").upper()


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return _parsed(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise BadSetting(f"{path} cannot be read: {error.strerror or error}; settings may stand in it") from error
    except UnicodeDecodeError as error:
        raise BadSetting(f"{path} is not UTF-8 text (byte {error.start}); settings may stand in it") from error
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(f"{path} is not valid TOML: {error}; settings may stand in it") from error


@lru_cache(maxsize=16)
def _parsed(text: str) -> dict[str, Any]:
    """Return what TOML says, which nobody may change; a daemon reads the same file for each request."""
    return tomllib.loads(text)


def _flattened(table: Mapping[str, Any], outer: str = "") -> Iterator[SettingEntry]:
    """Yield the leaves of nested tables; keys may be dotted, and in snake_case, camelCase or kebab-case."""
    for key, value in table.items():
        spelled = f"{outer}{key}"
        if isinstance(value, Mapping):
            yield from _flattened(value, f"{spelled}.")
        else:
            yield SettingEntry(keys=tuple(spelled.split(".")), spelled=spelled, value=value)
