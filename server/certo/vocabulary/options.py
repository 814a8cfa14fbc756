"""Settings as dataclass fields that carry their description, their bounds and the rule who may set them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

from certo.vocabulary.records import dataclass

Value = TypeVar("Value")

Owner = Literal["project", "user"]
"""The owner of an option: `user` for the user alone, `project` if the project's own file may set it too."""

_KEY = "certo"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionInfo:
    """The declaration of one option, in addition to its type and default.

    A number must be more than `above`, and from `at_least` to `at_most`; in a list each number must be. The file of a
    project may set the values for which `project_may` is true; without such a rule, all values of the options that
    projects own and none of those that users own. `reserved` completes the sentence "a project's file may not …".
    """

    description: str
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    owner: Owner = "project"
    reserved: str = ""
    project_may: Callable[[Any], bool] | None = None

    @property
    def range_in_words(self) -> str:
        """The allowed numbers, such as "from 1 to 1,000"; empty if all are."""
        if self.above is not None:
            return f"more than {self.above:,}"
        if self.at_most is None:
            return "" if self.at_least is None else f"at least {self.at_least:,}"
        return f"at most {self.at_most:,}" if self.at_least is None else f"from {self.at_least:,} to {self.at_most:,}"

    def contains(self, number: float) -> bool:
        """True if a number is within the bounds; not-a-number is within none."""
        return (
            (self.above is None or number > self.above)
            and (self.at_least is None or number >= self.at_least)
            and (self.at_most is None or number <= self.at_most)
        )

    def may_come_from_project(self, value: Any) -> bool:
        """True if a project's own file may set this value."""
        return self.owner == "project" if self.project_may is None else self.project_may(value)


def option(
    default: Value,
    description: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    owner: Owner = "project",
    reserved: str = "",
    project_may: Callable[[Any], bool] | None = None,
) -> Value:
    """Declare a dataclass field that is an option; `OptionInfo` says what the arguments mean."""
    info = OptionInfo(
        description=description,
        above=above,
        at_least=at_least,
        at_most=at_most,
        owner=owner,
        reserved=reserved,
        project_may=project_may,
    )
    return dataclasses.field(default=default, metadata=described(info))


def described(info: OptionInfo) -> Mapping[str, OptionInfo]:
    """Return the metadata of a dataclass field that has no default and so cannot be declared with `option`."""
    return {_KEY: info}


def info_of(field: dataclasses.Field[Any]) -> OptionInfo:
    """Return the declaration of an option; a field without one has no description and no bounds."""
    info: OptionInfo = field.metadata.get(_KEY, OptionInfo(description=""))
    return info


def check_bounds(options: Any, group: str = "") -> None:
    """Check the numbers among options against the bounds that their fields declare; None has no bounds.

    Raises:
        ValueError: a number is out of bounds; the message gives its name below `group`, the bounds and the number.
    """
    for field in dataclasses.fields(options):
        info, value = info_of(field), getattr(options, field.name)
        for number in value if isinstance(value, tuple) else (value,):
            if info.range_in_words and number is not None and not info.contains(number):
                name = f"{group}.{field.name}" if group else field.name
                raise ValueError(f"{name} must be {info.range_in_words}, not {number}")
