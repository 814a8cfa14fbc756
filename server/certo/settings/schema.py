"""Everything a user may choose, in one frozen value; each room declares its own options, this composes them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass
from functools import cache
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from certo.costs.options import CostOptions
from certo.criteria.options import CriterionOptions
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.model.options import GenerationOptions, MemoryOptions
from certo.generation.scripted import ScriptedOptions
from certo.llm.options import ModelOptions
from certo.project.candidate_store.store import ExperimentOptions
from certo.sandbox.options import ExecutorOptions, SandboxOptions
from certo.search.options import SearchOptions
from certo.storage.options import JournalOptions
from certo.strategies.auto import AutoOptions
from certo.strategies.best_of import BestOfOptions
from certo.strategies.fixer import FixerOptions
from certo.strategies.linear_search import LinearSearchOptions
from certo.strategies.llm_tree_search import LlmTreeSearchOptions
from certo.strategies.mcts import MctsOptions
from certo.strategies.retry import RetryOptions
from certo.verification.options import TestOptions, ToolOptions
from certo.verification.static.policy import PolicyOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorOptions:
    """How searches are shown in an editor.

    `inlay_hints` shows the score of the best candidate at the function. `ask_when_done` asks what to do with what a
    search has found; None leaves it to what the editor does with questions: one that takes what is being typed for the
    answer gets none.
    """

    inlay_hints: bool = False
    ask_when_done: bool | None = None


NAME = "<name>"
"""What stands in the path of an option where the user gives the group a name."""

GIVEN_NAME = "[a-z][a-z0-9_-]*"
"""What names users may give, as a regular expression; the environment writes an underscore for a hyphen."""


class Settings(BaseModel):
    """What is in force for one project: a group of options for each room, and the interpreter.

    `interpreter` is a Python program or an environment's directory; None lets certo find one. The groups from `auto`
    to `fixer` are named like the strategies, `builtin` and `scripted` like the generators they are for. A mapping holds
    groups of one kind, as many as the user has named.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True)

    interpreter: str | None = None
    search: SearchOptions = SearchOptions()
    auto: AutoOptions = AutoOptions()
    retry: RetryOptions = RetryOptions()
    best_of: BestOfOptions = BestOfOptions()
    linear_search: LinearSearchOptions = LinearSearchOptions()
    llm_tree_search: LlmTreeSearchOptions = LlmTreeSearchOptions()
    mcts: MctsOptions = MctsOptions()
    fixer: FixerOptions = FixerOptions()
    builtin: BuiltinOptions = BuiltinOptions()
    scripted: ScriptedOptions = ScriptedOptions()
    generation: GenerationOptions = GenerationOptions()
    memory: MemoryOptions = MemoryOptions()
    tests: TestOptions = TestOptions()
    verify: ToolOptions = ToolOptions()
    policy: PolicyOptions = PolicyOptions()
    cost: CostOptions = CostOptions()
    sandbox: SandboxOptions = SandboxOptions()
    executor: ExecutorOptions = ExecutorOptions()
    journal: JournalOptions = JournalOptions()
    experiments: ExperimentOptions = ExperimentOptions()
    editor: EditorOptions = EditorOptions()
    criteria: Mapping[str, CriterionOptions] = {}
    model: ModelOptions = ModelOptions()
    models: Mapping[str, ModelOptions] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One setting: the names that lead to it through the groups, its type and its default.

    `is_named` says that its group is one of those that users name, and so the second name in `path` is theirs, or NAME
    as long as it is open. The default is dataclasses.MISSING where such a group cannot do without the setting.
    """

    path: tuple[str, ...]
    annotation: Any
    default: Any
    is_named: bool = False

    @property
    def name(self) -> str:
        """The dotted name in snake_case, as TOML files write it."""
        return ".".join(self.path)

    @property
    def wire_name(self) -> str:
        """The dotted name in camelCase, as editors write it; what users have named stays as it is."""
        return ".".join(
            part if self.is_named and place == 1 else to_camel(part) for place, part in enumerate(self.path)
        )

    @property
    def group(self) -> tuple[str, ...]:
        """The names that lead to the group, or to the setting itself when it stands in none."""
        return self.path[:2] if self.is_named else self.path[:1]

    @property
    def may_be_none(self) -> bool:
        """Whether the setting can be unset."""
        return NoneType in get_args(self.annotation)

    @property
    def is_list(self) -> bool:
        """Whether the setting holds several values."""
        return get_origin(self.annotation) in (tuple, list, frozenset)

    def called(self, name: str) -> Option:
        """The same setting of the group that has this name; one whose group is not for users to name stays itself."""
        return dataclasses.replace(self, path=(self.path[0], name, *self.path[2:])) if self.is_named else self


@cache
def known_options() -> Mapping[str, Option]:
    """Every setting there is, by its dotted name in snake_case, in the order of Settings."""
    named = named_groups()
    return {
        option.name: option
        for name, declared in Settings.model_fields.items()
        for option in (
            _below((name, NAME), named[name], MISSING, is_named=True)
            if name in named
            else _below((name,), declared.annotation, declared.default)
        )
    }


@cache
def named_groups() -> Mapping[str, type[Any]]:
    """The options of the groups that users name, by the setting that holds them."""
    return {
        name: get_args(declared.annotation)[1]
        for name, declared in Settings.model_fields.items()
        if get_origin(declared.annotation) is Mapping
    }


def _below(path: tuple[str, ...], annotation: Any, default: Any, *, is_named: bool = False) -> Iterator[Option]:
    """The settings in a group, or the one setting that is no group."""
    if not dataclasses.is_dataclass(annotation):
        yield Option(path=path, annotation=annotation, default=default, is_named=is_named)
        return
    types = get_type_hints(annotation)
    for field in dataclasses.fields(annotation):
        inner = field.default if default is MISSING else getattr(default, field.name)
        yield from _below((*path, field.name), types[field.name], inner, is_named=is_named)


def chosen(settings: Settings) -> dict[str, Any]:
    """The settings that differ from their defaults, by their dotted names in snake_case, as JSON has their values.

    What stands in a group that a user has named is always among them. No secret is: settings only say where keys are.
    """
    defaults = dict(_flat(Settings().model_dump(mode="json"), ""))
    return {
        name: value
        for name, value in _flat(settings.model_dump(mode="json"), "")
        if name not in defaults or defaults[name] != value
    }


def _flat(group: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for name, value in group.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield above + name, value
