"""Run of the guest program that chooses the calls of a function that are worth a test."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import field
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from certo.behaviour.subject import Subject
from certo.guests import BUILTIN_HOME
from certo.sandbox.executor import Message, Program
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span, TextEdit

PROGRAM = Program(home=BUILTIN_HOME, module="certo_builtin.regression.selection")

MAX_CHARACTERS = 2000


def _is_expression(text: str) -> str:
    """Return the text, or raise ValueError: what is written into a test is an expression and nothing else."""
    if len(text) > MAX_CHARACTERS:
        raise ValueError("too long")
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError("no expression") from None
    return text


def _is_dotted(text: str) -> str:
    if not all(part.isidentifier() for part in text.split(".")) or len(text) > MAX_CHARACTERS:
        raise ValueError("no name")
    return text


WANTED = "wanted"
"""Source of calls that get a test because an older version of the function differs on them."""

Expression = Annotated[str, AfterValidator(_is_expression)]
Name = Annotated[str, AfterValidator(_is_dotted)]
Text = Annotated[str, Field(max_length=MAX_CHARACTERS)]
Place = str | int
Attributes = list[Annotated[tuple[Name, Expression], Field(strict=False)]]


class CallMessage(BaseModel, strict=True, defer_build=True):
    """A call in a message: the receiver, if any, and the arguments as expressions."""

    callee: Name
    receiver: Expression | None
    arguments: list[Expression] = Field(max_length=50)
    named: dict[Name, Expression]
    is_property: bool


class AssertedMessage(BaseModel, strict=True, defer_build=True):
    """Facts of a call that a test can assert."""

    kind: Literal["returns", "yields", "raises"]
    printed: Text = ""
    type: Text = ""
    expected: Expression | None = None
    attributes: Attributes = []
    error: Name | None = None
    is_on_purpose: bool = False
    message: Text = ""
    changed: list[Annotated[tuple[Place, Expression | None, Attributes], Field(strict=False)]] = []


class TestMessage(BaseModel, strict=True, defer_build=True):
    """The program's message about a call that is worth a test, or that looks wrong."""

    __test__ = False

    kind: Literal["test", "suspicious"]
    call: CallMessage
    text: Text
    source: Text = ""
    is_usual: bool
    notices: list[int] = Field(max_length=1000)
    branches: list[Annotated[tuple[int, Text], Field(strict=False)]] = Field(max_length=500)
    asserted: AssertedMessage
    imports: list[Annotated[tuple[Name, str], Field(strict=False)]] = Field(max_length=50)
    declared: Text = ""


class PropertyMessage(BaseModel, strict=True, defer_build=True):
    """The program's message about a property: in its template {0} and {1} are the arguments, `rows` are some."""

    kind: Literal["property"]
    name: Name
    template: Text
    rows: list[list[Expression]] = Field(min_length=1, max_length=10)
    held: int
    notices: list[int] = Field(min_length=1, max_length=1000)
    imports: list[Annotated[tuple[Name, str], Field(strict=False)]] = Field(max_length=50)

    def text(self, *names: str) -> str:
        """Return the relation between arguments of these names.

        Raises:
            ValueError: It is no expression.
        """
        return _is_expression(self.template.format(*names))


class SummaryMessage(BaseModel, strict=True, defer_build=True):
    """The program's last message."""

    kind: Literal["summary"]
    module: Name
    counts: dict[str, int]
    results: dict[str, int]
    branches: int
    executed: int
    tested: int
    mutants: int
    noticed_before: int
    noticeable: int
    opaque: int
    changing: int
    unmade: list[Text]
    guessed: list[Text]
    unwritten: list[Text]
    is_spent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionBudget:
    """The most that one selection may take: tests, calls made up or observed, mutants, and seconds as a backstop."""

    tests: int = 8
    calls: int = 600
    further: int = 240
    mutants: int = 160
    seconds: float = 20.0


NORMAL = SelectionBudget()


@dataclass(slots=True)
class CallSelection:
    """The calls that the program has chosen, as far as its messages are well-formed; `mutants` are edits by number."""

    tests: list[TestMessage] = field(default_factory=list)
    suspicious: list[TestMessage] = field(default_factory=list)
    properties: list[PropertyMessage] = field(default_factory=list)
    mutants: dict[int, tuple[TextEdit, ...]] = field(default_factory=dict)
    lines: dict[int, int] = field(default_factory=dict)
    summary: SummaryMessage | None = None
    trouble: str = ""

    def hear(self, message: Message) -> None:
        """Take one message: its sender shares a process with the user's code."""
        try:
            match message.get("kind"):
                case "test" | "suspicious":
                    told = TestMessage.model_validate(message)
                    (self.tests if told.kind == "test" else self.suspicious).append(told)
                case "property":
                    self.properties.append(PropertyMessage.model_validate(message))
                case "mutant":
                    self._add_mutant(message)
                case "summary":
                    self.summary = SummaryMessage.model_validate(message)
                case "trouble":
                    self.trouble = str(message.get("text"))[:MAX_CHARACTERS]
        except (ValidationError, ValueError, TypeError, KeyError):
            return

    def _add_mutant(self, message: Message) -> None:
        number = int(message["number"])
        edits = [TextEdit(Span(int(start), int(end)), str(text)) for start, end, text in message["edits"]]
        self.mutants[number] = tuple(sorted(edits))
        self.lines[number] = int(message["line"])


async def select_calls(
    subject: Subject,
    wire: dict[str, Any],
    budget: SelectionBudget,
    seed: int,
    *,
    examples: Sequence[dict[str, Any]] = (),
    wanted: Sequence[dict[str, Any]] = (),
    preferred: Collection[str] = (),
    tells_open: bool = False,
) -> CallSelection:
    """Return the calls of the subject that are worth a test; `wire` says how it is called. Deterministic for a seed.

    The `examples` are made like observed calls. Those `wanted` get a test whatever they notice. Of calls that notice as
    much, those with an expression that is `preferred` are chosen. With `tells_open` it has the mutants too that no call
    notices.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    selection = CallSelection()
    request = {
        **subject.wire,
        "callee": wire,
        "end": subject.target.span.end,
        "most": budget.tests,
        "calls": budget.calls,
        "more": budget.further,
        "mutants": budget.mutants,
        "seconds": budget.seconds,
        "seed": seed,
        "examples": list(examples),
        "wanted": list(wanted),
        "preferred": list(preferred),
        "tells_open": tells_open,
    }
    finished = await subject.executor.run(
        subject.work(PROGRAM, request, budget.seconds),
        selection.hear,
    )
    if selection.summary is None and not selection.trouble:
        printed = finished.printed.strip().splitlines()
        selection.trouble = printed[-1] if printed else f"the run {finished.ending.value}"
    return selection
