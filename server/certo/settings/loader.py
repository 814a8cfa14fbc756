"""The settings in force: defaults, then the project's file, the editor, the environment and the command line."""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certo.settings.layers import Layer, SettingEntry, client_layer, environment_layer, flags_layer, project_layer
from certo.settings.schema import GIVEN_NAME, NAME, Option, Settings, known_options, named_groups
from certo.settings.trust import KEYS_ELSEWHERE, is_key, objection
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.records import dataclass

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The settings in force, the origin of each that is not a default, and a sentence for each problem.

    A value with a problem is left out, so the settings are those in force without it.
    """

    settings: Settings
    origins: Mapping[str, str]
    problems: tuple[str, ...]


def load_settings(
    root: Path, *, client: Mapping[str, Any] | None, environ: Mapping[str, str], flags: Mapping[str, Any] | None
) -> Settings:
    """Return the settings in force for the project at `root`; a later source wins, setting by setting.

    Raises:
        BadSetting: something is unknown or malformed; the message names each source, name and value, a line apiece.
    """
    loaded = read_settings(root, client=client, environ=environ, flags=flags)
    if loaded.problems:
        raise BadSetting("\n".join(loaded.problems))
    return loaded.settings


def read_settings(
    root: Path, *, client: Mapping[str, Any] | None, environ: Mapping[str, str], flags: Mapping[str, Any] | None
) -> Loaded:
    """Read the settings like `load_settings`, but collect what is wrong instead of stopping at it."""
    unreadable, project = "", None
    try:
        project = project_layer(root)
    except BadSetting as error:
        unreadable = str(error)
    layers = (project, client_layer(client or {}), environment_layer(environ), flags_layer(flags or {}))
    return _merged(_Sources(unreadable, tuple(layer for layer in layers if layer is not None)))


class _Sources:
    """The sources of settings, and the reason why the project's file cannot be read; equal if they say the same."""

    def __init__(self, unreadable: str, layers: tuple[Layer, ...]) -> None:
        self.unreadable = unreadable
        self.layers = layers
        self._key = repr((unreadable, [(layer.title, layer.entries) for layer in layers]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Sources) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=16)
def _merged(sources: _Sources) -> Loaded:
    """Return what the sources come to; a program that makes a hundred searches at once has the same for each."""
    merge = _Merge(problems=[sources.unreadable] if sources.unreadable else [])
    for layer in sources.layers:
        merge.add(layer)
    merge.lay_presets()
    return Loaded(settings=Settings(**merge.values), origins=merge.origins, problems=tuple(merge.problems))


def _values(settings: Settings) -> dict[str, Any]:
    return {field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)}


def wrong_in(client: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a sentence for each of an editor's settings that is unknown or malformed, without the other sources."""
    layer, problems = client_layer(client), []
    for entry in layer.entries:
        try:
            _checked(layer, entry)
        except BadSetting as error:
            problems.append(str(error))
    return tuple(problems)


@dataclass(kw_only=True)
class _Merge:
    """Settings that grow layer by layer."""

    values: dict[str, Any] = field(default_factory=lambda: _values(Settings()))
    origins: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, layer: Layer) -> None:
        """Lay the valid values of one more source over the settings, group by group."""
        set_here: dict[tuple[str, ...], dict[tuple[str, ...], Any]] = {}
        for entry in layer.entries:
            try:
                option, value = _checked(layer, entry if layer.has_hyphens else self._hyphenated(entry))
            except BadSetting as error:
                self.problems.append(str(error))
            else:
                set_here.setdefault(option.group, {})[option.path[len(option.group) :]] = value
                self.origins[option.name] = layer.title
        for group, changes in set_here.items():
            try:
                self._lay(group, changes)
            except ValueError as error:
                # The options of a room say themselves which values do not go together, and name them.
                place = f"{'.'.join(group)}: " if len(group) > 1 else ""
                self.problems.append(f"{layer.title}: {place}{error}")
                self.origins = {
                    known: origin
                    for known, origin in self.origins.items()
                    if origin != layer.title or tuple(known.split("."))[: len(group)] != group
                }

    def _hyphenated(self, entry: SettingEntry) -> SettingEntry:
        """Return an entry with the name of a group as an earlier source has given it, with hyphens if it has any.

        A group that is named as the entry is comes first. Of several with hyphens none is meant.
        """
        group = entry.keys[0]
        if len(entry.keys) < 2 or group not in named_groups():
            return entry
        given = entry.keys[1]
        same = [name for name in self.values[group] if name.replace("-", "_") == given]
        if given in same or not same:
            return entry
        if len(same) > 1:
            raise BadSetting(f"{entry.spelled} may mean {' or '.join(same)}; rename one of them")
        return dataclasses.replace(entry, keys=(group, same[0], *entry.keys[2:]))

    def _lay(self, group: tuple[str, ...], changes: Mapping[tuple[str, ...], Any]) -> None:
        """Lay the values that a source sets in one group over that group."""
        setting, *given = group
        if not given:
            self.values[setting] = _replaced(self.values[setting], changes)
            return
        (name,), there = given, self.values[setting]
        changed = _replaced(there[name], changes) if name in there else _made(named_groups()[setting], changes)
        self.values[setting] = {**there, name: changed}

    def lay_presets(self) -> None:
        """Give the options that no source has set, in groups with a preset, the values of the preset."""
        for group, options in self.values.items():
            presets: Mapping[str, Mapping[str, Any]] = getattr(type(options), "presets", {})
            if not presets:
                continue
            left = {
                name: value for name, value in presets[options.preset].items() if f"{group}.{name}" not in self.origins
            }
            self.values[group] = dataclasses.replace(options, **left)
            self.origins |= {f"{group}.{name}": f"the preset {options.preset}" for name in left}


def _replaced(options: Any, changes: Mapping[tuple[str, ...], Any]) -> Any:
    """Return the options with other values at these paths within them; the empty path is the value itself."""
    if () in changes:
        return changes[()]
    return dataclasses.replace(
        options, **{name: _replaced(getattr(options, name), below) for name, below in _split(changes).items()}
    )


def _made(kind: type[Any], changes: Mapping[tuple[str, ...], Any]) -> Any:
    """Return new options of a kind, with values at these paths within them.

    Raises:
        ValueError: a required value is missing, or the options refuse a value.
    """
    below = _split(changes)
    for option in dataclasses.fields(kind):
        if option.default is dataclasses.MISSING and option.name not in below:
            raise ValueError(f"{option.name} is not set, and has to be")
    defaults = {option.name: option.default for option in dataclasses.fields(kind)}
    return kind(**{name: _replaced(defaults[name], inner) for name, inner in below.items()})


def _split(changes: Mapping[tuple[str, ...], Any]) -> dict[str, dict[tuple[str, ...], Any]]:
    """Return the values by the first name of their paths."""
    split: dict[str, dict[tuple[str, ...], Any]] = {}
    for path, value in changes.items():
        split.setdefault(path[0], {})[path[1:]] = value
    return split


def _checked(layer: Layer, entry: SettingEntry) -> tuple[Option, Any]:
    """Return the option that an entry sets, and its value.

    Raises:
        BadSetting: there is no such option, it cannot have that value, or this source may not set it.
    """
    place = f"{layer.prefix}{entry.spelled}"
    if is_key(entry.name, entry.value):
        raise BadSetting(f"{place} {KEYS_ELSEWHERE}")
    option = known_options().get(_asked(entry))
    if option is None:
        raise BadSetting(f"{place}: {_unknown(layer, entry)}")
    if option.is_named:
        option = option.called(entry.keys[1])
        if not re.fullmatch(GIVEN_NAME, entry.keys[1]):
            raise BadSetting(f"{place}: {_ill_named(entry.keys[1])}")
    shown = json.dumps(entry.value, default=str, ensure_ascii=False)
    pydantic = _pydantic()
    try:
        value = _from_text(option, entry.value) if layer.is_text else _from_json(option, entry.value)
    except pydantic.ValidationError as error:
        reason = error.errors(include_url=False)[0]["msg"]
        raise BadSetting(
            f"{place} = {json.dumps(entry.value, default=str)}: {reason[:1].lower()}{reason[1:]}"
        ) from error
    if layer.is_shared and (reason := objection(option, value)):
        raise BadSetting(f"{place} = {shown}: {reason}")
    return option, value


def _asked(entry: SettingEntry) -> str:
    """Return the name of the option that an entry sets, with NAME for a group that the user has named."""
    first, *others = entry.name.split(".")
    return ".".join((first, NAME, *others[1:])) if others and first in named_groups() else entry.name


def _unknown(layer: Layer, entry: SettingEntry) -> str:
    asked, options = _asked(entry), known_options()
    inside = [option for name, option in options.items() if name.startswith(f"{asked}.")]
    if inside:
        example = _spelled(layer, inside[0], entry)
        return f"is a group of settings and has no value of its own; one of them is {example}"
    last = asked.rpartition(".")[2]
    if NAME in asked and any(
        option.path[0] == entry.keys[0] and option.path[-1] == last for option in options.values()
    ):
        return _ill_named(".".join(entry.keys[1:-1]))
    near = difflib.get_close_matches(asked, options, n=1, cutoff=0.6)
    if not near:
        near = [name for name, option in options.items() if option.path[-1] == last][:1]
    if near:
        return f"unknown setting; did you mean {_spelled(layer, options[near[0]], entry)}?"
    groups = dict.fromkeys(option.path[0] for option in options.values())
    return f"unknown setting; there are {', '.join(groups)}"


def _spelled(layer: Layer, option: Option, entry: SettingEntry) -> str:
    """Return the name of an option as a source writes it, in the named group of an entry if it has one."""
    return layer.spell(option.called(entry.keys[1]) if NAME in _asked(entry) else option)


def _ill_named(name: str) -> str:
    return f"{name!r} is no name for a group of settings; make it of small letters, digits, - and _"


def _from_json(option: Option, value: Any) -> Any:
    """Return a value that must already have the right type, but a list may become a tuple, and 30 a float.

    An empty text comes from a field of a form that was left empty, and so means not set if the option may be unset.
    """
    if option.may_be_none and value == "":
        return None
    return _adapter(option).validate_json(json.dumps(value, default=str), strict=True)


def _from_text(option: Option, value: Any) -> Any:
    """Return the value that a text stands for: a number, true or false, a list with commas or in JSON."""
    if isinstance(value, str):
        if option.may_be_none and not value:
            return None
        if option.is_list:
            value = _listed(value)
    return _adapter(option).validate_python(value)


def _listed(text: str) -> tuple[Any, ...]:
    """Return a list written in JSON, or else the parts between commas."""
    if text.lstrip().startswith("["):
        with suppress(ValueError):
            return tuple(json.loads(text))
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _adapter(option: Option) -> TypeAdapter[Any]:
    pydantic = _pydantic()
    adapter: TypeAdapter[Any] = pydantic.TypeAdapter(option.annotation, config=pydantic.ConfigDict(allow_inf_nan=False))
    return adapter


def _pydantic() -> Any:
    """Return the library that checks values; where none is set, nothing has to wait for its import."""
    return importlib.import_module("pydantic")
