"""Everything a user may choose, in one frozen value; each room declares its own options, this composes them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from certo.generation.builtin.options import BuiltinOptions
from certo.generation.scripted import ScriptedOptions
from certo.sandbox.options import ExecutorOptions, SandboxOptions
from certo.search.options import SearchOptions
from certo.strategies.retry import RetryOptions
from certo.verification.options import TestOptions, ToolOptions
from certo.verification.policy import PolicyOptions


class Settings(BaseModel):
    """What is in force for one project: a group of options for each room, and the interpreter.

    `interpreter` is a Python program or an environment's directory; None lets certo find one. The group `retry` is
    named like the strategy, `builtin` and `scripted` like the generators they are for.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True)

    interpreter: str | None = None
    search: SearchOptions = SearchOptions()
    retry: RetryOptions = RetryOptions()
    builtin: BuiltinOptions = BuiltinOptions()
    scripted: ScriptedOptions = ScriptedOptions()
    tests: TestOptions = TestOptions()
    verify: ToolOptions = ToolOptions()
    policy: PolicyOptions = PolicyOptions()
    sandbox: SandboxOptions = SandboxOptions()
    executor: ExecutorOptions = ExecutorOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One setting: the names that lead to it through the groups, its type and its default."""

    path: tuple[str, ...]
    annotation: Any
    default: Any

    @property
    def name(self) -> str:
        """The dotted name in snake_case, as TOML files write it."""
        return ".".join(self.path)

    @property
    def wire_name(self) -> str:
        """The dotted name in camelCase, as editors write it."""
        return ".".join(map(to_camel, self.path))

    @property
    def may_be_none(self) -> bool:
        """Whether the setting can be unset."""
        return NoneType in get_args(self.annotation)

    @property
    def is_list(self) -> bool:
        """Whether the setting holds several values."""
        return get_origin(self.annotation) in (tuple, list, frozenset)


@cache
def known_options() -> Mapping[str, Option]:
    """Every setting there is, by its dotted name in snake_case, in the order of Settings."""
    return {
        option.name: option
        for name, declared in Settings.model_fields.items()
        for option in _below((name,), declared.annotation, declared.default)
    }


def _below(path: tuple[str, ...], annotation: Any, default: Any) -> Iterator[Option]:
    """The settings in a group, or the one setting that is no group."""
    if not dataclasses.is_dataclass(annotation):
        yield Option(path=path, annotation=annotation, default=default)
        return
    types = get_type_hints(annotation)
    for field in dataclasses.fields(annotation):
        yield from _below((*path, field.name), types[field.name], getattr(default, field.name))
