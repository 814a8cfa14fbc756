"""What every value that crosses the wire has in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """What crosses the wire: camelCase, frozen, and nothing that was not asked for.

    A wire value is made `from_attributes` of the domain's value of the same shape, so the two may not drift apart.
    """

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, extra="forbid", frozen=True, from_attributes=True
    )
