"""The specification of a function: name, description, types, examples, tests, and the tools it may call."""

from __future__ import annotations

import inspect
import json
import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, get_type_hints

from certo.api.parts import require_callable, require_kind
from certo.api.strategy import Strategy
from certo.api.tools import Tool, as_tool
from certo.llm.model import ChatModel
from certo.llm.typed.answer_type import AnswerMismatch, AnswerType
from certo.vocabulary.errors import BadRequest, BadSetting
from certo.vocabulary.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One call of the function and what it must return."""

    inputs: Mapping[str, Any]
    output: Any


@dataclass(frozen=True, kw_only=True)
class Specification:
    """A function that is wanted.

    `inputs` are its parameters, and `output` what it returns: pydantic models, whatever other types pydantic knows, or
    JSON schemas. Values cross to the sandbox as JSON, so inside the function an object is a dictionary. `examples` and
    `tests`, the text of pytest tests that call the function by its name, are what a candidate is verified by; without
    them code can be written, but nothing can be verified. `tools` are what it may call. `strategy` and `llm` are how
    to come to it, and what writes it, unless the call says otherwise.
    """

    name: str
    description: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    output: Any = str
    tools: Sequence[Tool | Callable[..., Any]] = ()
    examples: Sequence[Example] = ()
    tests: str = ""
    strategy: Strategy | None = None
    llm: ChatModel | str | None = None

    def __post_init__(self) -> None:
        for name in (self.name, *self.inputs, *(tool.name for tool in self.all_tools)):
            if not name.isidentifier() or keyword.iskeyword(name):
                raise BadSetting(f"{name!r} cannot be a name in Python; use letters, digits and underscores")
        names = [self.name, *(tool.name for tool in self.all_tools)]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise BadSetting(f"{twice[0]!r} is the name of more than one function of {self.name}; rename one")
        if not self.description.strip():
            raise BadSetting(f"the description of {self.name} is empty; say in a sentence what it is to do")
        require_kind(f"the strategy of {self.name}", self.strategy, Strategy | None, "give a Strategy")
        require_callable(self.name, llm=self.llm)
        for number, example in enumerate(self.examples, 1):
            require_kind(f"example {number} of {self.name}", example, Example, "give Example(inputs=…, output=…)")
            try:
                self.plain_inputs(example.inputs)
                self.output_shape.plain(example.output)
            except AnswerMismatch as error:
                raise BadSetting(f"example {number} of {self.name}: {error}") from error

    @classmethod
    def of(
        cls,
        function: Callable[..., Any],
        *,
        tools: Sequence[Tool | Callable[..., Any]] = (),
        examples: Sequence[Example] = (),
        tests: str = "",
        strategy: Strategy | None = None,
        llm: ChatModel | str | None = None,
    ) -> Specification:
        """Return the specification in a function's head: its name, its types, and its docstring with examples.

        Raises:
            BadSetting: a parameter or the result has no type, or the function no docstring.
        """
        if inspect.iscoroutinefunction(function):
            raise BadSetting(f"{function.__name__} is a coroutine function, which certo does not write; use def")
        try:
            types = get_type_hints(function, include_extras=True)
        except NameError as error:
            raise BadSetting(f"{function.__name__} has a type that is not known: {error}") from error
        names = list(inspect.signature(function).parameters)
        if untyped := [name for name in (*names, "return") if name not in types]:
            raise BadSetting(f"{function.__name__} does not say the type of {untyped[0]!r}; annotate it")
        return cls(
            name=function.__name__,
            description=inspect.getdoc(function) or "",
            inputs={name: types[name] for name in names},
            output=types["return"],
            tools=tools,
            examples=examples,
            tests=tests,
            strategy=strategy,
            llm=llm,
        )

    @cached_property
    def all_tools(self) -> tuple[Tool, ...]:
        """The tools, those given as plain functions included."""
        return tuple(map(as_tool, self.tools))

    @cached_property
    def input_shapes(self) -> Mapping[str, AnswerType]:
        """The type of each input."""
        return {name: AnswerType(wanted) for name, wanted in self.inputs.items()}

    @cached_property
    def output_shape(self) -> AnswerType:
        """The type of the result."""
        return AnswerType(self.output)

    def plain_inputs(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the inputs of a call as plain data.

        Raises:
            AnswerMismatch: one is missing, unknown, or not of its type.
        """
        if unknown := sorted(set(inputs) - set(self.inputs)):
            raise AnswerMismatch(f"{self.name} has no input {unknown[0]!r}; it has {', '.join(self.inputs) or 'none'}")
        if missing := [name for name in self.inputs if name not in inputs]:
            raise AnswerMismatch(f"{self.name} needs the input {missing[0]!r}")
        plain = {}
        for name, shape in self.input_shapes.items():
            try:
                plain[name] = shape.plain(inputs[name])
            except AnswerMismatch as error:
                raise AnswerMismatch(f"the input {name!r} of {self.name}: {error}") from error
        return plain

    def checked_inputs(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the inputs of a call from outside as plain data.

        Raises:
            BadRequest: one is missing, unknown, or not of its type.
        """
        require_kind(f"the inputs of {self.name}", inputs, Mapping, "give them by name")
        try:
            return self.plain_inputs(inputs)
        except AnswerMismatch as error:
            raise BadRequest(f"{error}") from error

    def as_words(self) -> str:
        """Return a text that is the same for equal specifications; the cache goes by it."""
        return json.dumps(
            {
                "name": self.name,
                "description": self.description,
                "inputs": {name: shape.own for name, shape in self.input_shapes.items()},
                "output": self.output_shape.own,
                "tools": [[tool.name, tool.outside, tool.source] for tool in self.all_tools],
                "examples": [
                    [self.plain_inputs(each.inputs), self.output_shape.plain(each.output)] for each in self.examples
                ],
                "tests": self.tests,
            }
        )
