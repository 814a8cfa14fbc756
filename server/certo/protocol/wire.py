"""The base of all values that cross the wire."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """A value that crosses the wire: in camelCase, frozen, and without unknown fields.

    It is made `from_attributes` of the domain's value of the same shape, so the two cannot drift apart.
    """

    model_config = ConfigDict(
        defer_build=True,  # most commands and clients use few of the models
        alias_generator=to_camel,
        validate_by_name=True,
        extra="forbid",
        frozen=True,
        from_attributes=True,
    )
