"""Arguments of the tools: checked strictly, because an agent may send anything."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Target = Annotated[
    str,
    Field(
        description="The function as FILE::NAME or FILE:LINE, relative to the root, such as shop/till.py::Till.total",
        min_length=1,
        max_length=1_000,
        pattern=r"^[^\x00-\x1f]+$",
    ),
]
Repairable = Annotated[
    str,
    Field(
        description="The function as FILE::NAME or FILE:LINE, or a failing test, as tests/test_till.py::test_total",
        min_length=1,
        max_length=1_000,
        pattern=r"^[^\x00-\x1f]+$",
    ),
]
Root = Annotated[
    str,
    Field(
        description="Folder of the project, at or below a folder that the server was started for; empty for the first",
        max_length=1_000,
        pattern=r"^[^\x00-\x1f]*$",
    ),
]
Words = Annotated[str, Field(max_length=20_000)]
Examples = Annotated[
    tuple[Annotated[str, StringConstraints(min_length=1, max_length=2_000)], ...],
    Field(description="Calls that must hold, such as total([1, 2]) == 3", max_length=50),
]
Seconds = Annotated[float | None, Field(description="Time limit in seconds", gt=0, le=3_600, allow_inf_nan=False)]
Apply = Annotated[
    bool, Field(description="Write the result to the project's files, if it is verified on the text they have by then")
]
Id = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,64}$")]
Digest = Annotated[
    str, Field(description="Digest of a verdict, such as cv1-3f9a…", max_length=200, pattern=r"^[^\x00-\x1f]+$")
]


class Arguments(BaseModel):
    """The arguments of a tool; unknown names and other types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class OnProject(Arguments):
    """Arguments of a tool that works on a function of a project."""

    target: Target
    root: Root = ""


class VerifyArguments(OnProject):
    """Arguments of `verify`."""

    strength: Annotated[bool, Field(description="Also count how many small changes the tests notice")] = False


class RepairArguments(Arguments):
    """Arguments of `repair`."""

    target: Repairable
    root: Root = ""
    instruction: Annotated[Words, Field(description="What to mind, for a language model that writes candidates")] = ""
    examples: Examples = ()
    seconds: Seconds = None
    apply: Apply = False


class GenerateArguments(OnProject):
    """Arguments of `generate`."""

    instruction: Annotated[Words, Field(description="What to write, for a language model that writes candidates")] = ""
    examples: Examples = ()
    faster: Annotated[bool, Field(description="Look for a version that does the same in less time")] = False
    preserve: Annotated[bool, Field(description="Refuse a candidate that acts otherwise than today's text")] = False
    seconds: Seconds = None
    apply: Apply = False


class TestsArguments(OnProject):
    """The function that needs tests."""

    __test__ = False  # not a test class, whatever its name makes pytest think

    apply: Annotated[bool, Field(description="Add the tests to the project's test file")] = False


class DiffArguments(OnProject):
    """The function to compare with an older version."""

    against: Annotated[
        str,
        Field(description="Git revision of the older version", max_length=200, pattern=r"^[^-\x00-\x1f][^\x00-\x1f]*$"),
    ] = "HEAD"
    exhaustive: Annotated[bool, Field(description="Go on after the first difference")] = False
    seconds: Annotated[float, Field(description="Time limit in seconds", gt=0, le=300, allow_inf_nan=False)] = 10.0
    seed: Annotated[int, Field(description="Random seed", ge=0, le=2**31 - 1)] = 0


class StrengthArguments(OnProject):
    """The function whose tests are measured."""


class CompareArguments(Arguments):
    """The two candidates of a search to compare."""

    search_id: Annotated[Id, Field(description="The searchId of a repair or generate")]
    candidate_id: Id
    other_id: Id


class ExplainArguments(Arguments):
    """The search, or the candidate of it, to explain."""

    search_id: Annotated[Id, Field(description="The searchId of a repair or generate")]
    candidate_id: Annotated[
        str, Field(description="A candidate that was tried; empty for the search", pattern=r"^[0-9A-Za-z_-]{0,64}$")
    ] = ""


class ApplyArguments(Arguments):
    """The candidate to write to the project's files."""

    search_id: Annotated[Id, Field(description="The searchId of a repair or generate")]
    candidate_id: Annotated[
        str, Field(description="A candidate that passed; empty for the best", pattern=r"^[0-9A-Za-z_-]{0,64}$")
    ] = ""


class CheckArguments(Arguments):
    """The digest to check."""

    digest: Digest
