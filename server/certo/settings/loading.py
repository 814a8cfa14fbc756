"""The settings in force: defaults, then the project's file, the editor, the environment and the command line."""

from __future__ import annotations

import dataclasses
import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from certo.settings.layers import Entry, Layer, client_layer, environment_layer, flags_layer, project_layer
from certo.settings.schema import Option, Settings, known_options
from certo.vocabulary.errors import BadSetting


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The settings in force; where each one that is not a default comes from; and what was wrong, in sentences.

    A value that is wrong is left out, so the settings are those that would hold without it.
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
    merge = _Merge()
    try:
        project = project_layer(root)
    except BadSetting as error:
        merge.problems.append(str(error))
        project = None
    layers = (project, client_layer(client or {}), environment_layer(environ), flags_layer(flags or {}))
    for layer in layers:
        if layer is not None:
            merge.add(layer)
    return Loaded(settings=Settings(**merge.values), origins=merge.origins, problems=tuple(merge.problems))


@dataclass(kw_only=True)
class _Merge:
    """Settings while layer after layer is laid over them."""

    values: dict[str, Any] = field(default_factory=lambda: dict(Settings()))
    origins: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, layer: Layer) -> None:
        """Lay the good values of one more source over what there is, group by group."""
        set_here: dict[str, dict[tuple[str, ...], Any]] = {}
        for entry in layer.entries:
            try:
                option, value = _checked(layer, entry)
            except BadSetting as error:
                self.problems.append(str(error))
            else:
                set_here.setdefault(option.path[0], {})[option.path[1:]] = value
                self.origins[option.name] = layer.title
        for name, changes in set_here.items():
            try:
                self.values[name] = _replaced(self.values[name], changes)
            except ValueError as error:
                # The options of a room say themselves which values do not go together, and name them.
                self.problems.append(f"{layer.title}: {error}")
                self.origins = {
                    known: origin
                    for known, origin in self.origins.items()
                    if origin != layer.title or known.partition(".")[0] != name
                }


def _replaced(options: Any, changes: Mapping[tuple[str, ...], Any]) -> Any:
    """The options with the values that stand at these paths within them; the empty path is the value itself."""
    if () in changes:
        return changes[()]
    inner: dict[str, dict[tuple[str, ...], Any]] = {}
    for path, value in changes.items():
        inner.setdefault(path[0], {})[path[1:]] = value
    return dataclasses.replace(
        options, **{name: _replaced(getattr(options, name), below) for name, below in inner.items()}
    )


def _checked(layer: Layer, entry: Entry) -> tuple[Option, Any]:
    """The option an entry is for and its value.

    Raises:
        BadSetting: there is no such option, it cannot have that value, or this source may not set it.
    """
    place = f"{layer.prefix}{entry.spelled}"
    option = known_options().get(entry.name)
    if option is None:
        raise BadSetting(f"{place}: {_unknown(layer, entry)}")
    shown = json.dumps(entry.value, default=str, ensure_ascii=False)
    try:
        value = _from_text(option, entry.value) if layer.is_text else _from_json(option, entry.value)
    except ValidationError as error:
        reason = error.errors(include_url=False)[0]["msg"]
        raise BadSetting(
            f"{place} = {json.dumps(entry.value, default=str)}: {reason[:1].lower()}{reason[1:]}"
        ) from error
    if layer.is_shared and (objection := _objection(option, value)):
        raise BadSetting(f"{place} = {shown}: {objection}")
    return option, value


def _unknown(layer: Layer, entry: Entry) -> str:
    options = known_options()
    inside = [option for name, option in options.items() if name.startswith(f"{entry.name}.")]
    if inside:
        return f"is a group of settings and has no value of its own; one of them is {layer.spell(inside[0])}"
    near = difflib.get_close_matches(entry.name, options, n=1, cutoff=0.6)
    if not near:
        near = [name for name, option in options.items() if option.path[-1] == entry.name.rpartition(".")[2]][:1]
    if near:
        return f"unknown setting; did you mean {layer.spell(options[near[0]])}?"
    groups = dict.fromkeys(option.path[0] for option in options.values())
    return f"unknown setting; there are {', '.join(groups)}"


def _from_json(option: Option, value: Any) -> Any:
    """A value that has a type already: it must be the right one, but a list may be a tuple, and 30 a float."""
    return _adapter(option).validate_json(json.dumps(value, default=str), strict=True)


def _from_text(option: Option, value: Any) -> Any:
    """A value given as text stands for what the option holds: numbers, true and false, lists with commas."""
    if isinstance(value, str):
        if option.may_be_none and not value:
            return None
        if option.is_list:
            value = tuple(part.strip() for part in value.split(",") if part.strip())
    return _adapter(option).validate_python(value)


def _adapter(option: Option) -> TypeAdapter[Any]:
    return TypeAdapter(option.annotation, config=ConfigDict(allow_inf_nan=False))


def _objection(option: Option, value: Any) -> str:
    """Why a project's own file may not set this: whoever wrote the project must not choose what certo trusts."""
    advice = "put it in your editor's settings, the environment or on the command line"
    if option.name == "interpreter":
        return f"a project's file may not choose the program certo starts; {advice}"
    if option.path[0] == "executor":
        return f"a project's file may not choose the machines your files are sent to; {advice}"
    if (option.name, value) in (("sandbox.isolation", "process"), ("sandbox.allow_unsandboxed", True)):
        return f"a project's file may not take its own code out of the sandbox; {advice}"
    return ""
