"""All settings in one frozen value, composed of the options that each room declares."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING
from functools import cache
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from certo.costs.options import CostOptions
from certo.criteria.options import CriterionOptions
from certo.generation.builtin.options import BuiltinOptions
from certo.generation.model.options import GenerationOptions, MemoryOptions
from certo.generation.scripted import ScriptedOptions
from certo.llm.options import ModelOptions
from certo.plugins import PROGRAM_RESERVED
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
from certo.verification.options import StrengthOptions, TestOptions, ToolOptions
from certo.verification.static.policy import PolicyOptions
from certo.vocabulary.options import OptionInfo, check_bounds, described, info_of, option
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorOptions:
    """The display of searches in an editor."""

    inlay_hints: bool = option(
        False, "Show the score of the best candidate as an inlay hint at its function, from the next search on."
    )
    ask_when_done: bool | None = option(
        None,
        "Ask what to do with the result of a search, in editors that can ask. Not set: do not ask in editors that take "
        "what you are typing for the answer (Neovim, Vim, Emacs, Helix).",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbientOptions:
    """Repairs that certo begins by itself."""

    enabled: bool = option(
        False,
        "When you save, run the tests of the functions that changed, and repair in the background what fails. A "
        "verified fix is offered by a code lens, a code action and a hint; nothing else is said. Not on battery, never "
        "with a language model.",
        owner="user",
        reserved="have tests run whenever a file is saved",
    )
    seconds_per_minute: float = option(
        2.0,
        "Processor seconds a minute that these runs may take. What ten minutes leave unused is saved up, so that a "
        "repair need not wait. With the default, they take at most 5 % of one processor core on average.",
        above=0,
        owner="user",
        reserved="choose how much processor time is taken unasked",
    )

    compare: bool = option(
        False,
        "When you save and the tests of a changed function pass, compare what it does with the last commit. A code "
        "lens says so if calls give other results. Part of what `ambient.enabled` begins.",
        owner="user",
        reserved="have code run whenever a file is saved",
    )

    def __post_init__(self) -> None:
        check_bounds(self, "ambient")


NAME = "<name>"
"""The part of an option's path that stands for the name a user gives its group."""

GIVEN_NAME = "[a-z][a-z0-9_-]*"
"""The names that users may give, as a regular expression; the environment writes an underscore for a hyphen."""


def _named(description: str) -> Any:
    """Declare a field that holds groups which users name."""
    return dataclasses.field(default_factory=dict, metadata=described(OptionInfo(description=description)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings in force for one project: groups of options, and the interpreter.

    The groups from `auto` to `fixer` are named like the strategies, `builtin` and `scripted` like the generators they
    are for. A mapping holds groups of one kind, as many as the user has named.
    """

    interpreter: str | None = option(
        None,
        "The Python that runs the project's code: a program, or the directory of an environment. Not set: certo looks "
        "for the project's own.",
        owner="user",
        reserved=PROGRAM_RESERVED,
    )
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
    strength: StrengthOptions = StrengthOptions()
    policy: PolicyOptions = PolicyOptions()
    cost: CostOptions = CostOptions()
    sandbox: SandboxOptions = SandboxOptions()
    executor: ExecutorOptions = ExecutorOptions()
    journal: JournalOptions = JournalOptions()
    experiments: ExperimentOptions = ExperimentOptions()
    editor: EditorOptions = EditorOptions()
    ambient: AmbientOptions = AmbientOptions()
    criteria: Mapping[str, CriterionOptions] = _named(
        "Your own criteria in plain language, by which candidates are judged. You give each a name of small letters, "
        "digits, `-` and `_`."
    )
    model: ModelOptions = ModelOptions()
    models: Mapping[str, ModelOptions] = _named(
        "Further language models. You give each a name of small letters, digits, `-` and `_`, and use it in any "
        "setting that chooses a model."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One setting: the names that lead to it through the groups, its type, its default and what its field declares.

    If `is_named`, users name its group, and the second name in `path` is theirs, or NAME as long as it is open. The
    default is dataclasses.MISSING if such a group cannot do without the setting.
    """

    path: tuple[str, ...]
    annotation: Any
    default: Any
    info: OptionInfo
    is_named: bool = False

    @property
    def name(self) -> str:
        """The dotted name in snake_case, as TOML files write it."""
        return ".".join(self.path)

    @property
    def wire_name(self) -> str:
        """The dotted name in camelCase, as editors write it; what users have named stays as it is."""
        return ".".join(part if self.is_named and place == 1 else _camel(part) for place, part in enumerate(self.path))

    @property
    def group(self) -> tuple[str, ...]:
        """The names that lead to the group, or to the setting itself when it stands in none."""
        return self.path[:2] if self.is_named else self.path[:1]

    @property
    def may_be_none(self) -> bool:
        """True if the setting can be unset."""
        return NoneType in get_args(self.annotation)

    @property
    def is_list(self) -> bool:
        """True if the setting holds several values."""
        return get_origin(self.annotation) in (tuple, list, frozenset)

    def called(self, name: str) -> Option:
        """Return the same setting in the group of this name; a setting whose group users do not name stays itself."""
        return dataclasses.replace(self, path=(self.path[0], name, *self.path[2:])) if self.is_named else self


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return "".join([first, *map(str.title, others)])


@cache
def known_options() -> Mapping[str, Option]:
    """Return all settings by their dotted names in snake_case, in the order of Settings."""
    named, types = named_groups(), get_type_hints(Settings)
    return {
        option.name: option
        for field in dataclasses.fields(Settings)
        for option in (
            _below((field.name, NAME), named[field.name], MISSING, is_named=True)
            if field.name in named
            else _below((field.name,), types[field.name], field.default, info_of(field))
        )
    }


@cache
def named_groups() -> Mapping[str, type[Any]]:
    """Return the class of options of each group that users name, by the setting that holds such groups."""
    types = get_type_hints(Settings).items()
    return {name: get_args(annotation)[1] for name, annotation in types if get_origin(annotation) is Mapping}


def group_info(name: str) -> OptionInfo:
    """Return what is declared of a setting that holds groups which users name."""
    return next(info_of(field) for field in dataclasses.fields(Settings) if field.name == name)


def _below(
    path: tuple[str, ...], annotation: Any, default: Any, info: OptionInfo | None = None, *, is_named: bool = False
) -> Iterator[Option]:
    """Yield the settings in a group, or the one setting that is no group."""
    if not dataclasses.is_dataclass(annotation):
        info = info or OptionInfo(description="")
        yield Option(path=path, annotation=annotation, default=default, info=info, is_named=is_named)
        return
    types = get_type_hints(annotation)
    for field in dataclasses.fields(annotation):
        inner = field.default if default is MISSING else getattr(default, field.name)
        yield from _below((*path, field.name), types[field.name], inner, info_of(field), is_named=is_named)


def chosen(settings: Settings) -> dict[str, Any]:
    """Return the settings that differ from their defaults, by dotted names in snake_case, with values as in JSON.

    All settings of a group that a user has named are among them. No secret is: settings only say where keys are.
    """
    defaults = dict(_flat(_as_json(Settings()), ""))
    return {
        name: value for name, value in _flat(_as_json(settings), "") if name not in defaults or defaults[name] != value
    }


def _as_json(settings: Settings) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(settings), default=list))
    return found


def _flat(group: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for name, value in group.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield above + name, value
