"""Code that no model has to write: the loop around a language model, when that is what was asked for."""

from __future__ import annotations

import textwrap
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from certo.api.specification import Specification
from certo.generation.generator import Ask, Declined, Proposal, Proposer
from certo.verification.static.code_shape import IsLoop
from certo.verification.verifier import Verifier
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit


def wants_template(verifiers: Iterable[Verifier]) -> bool:
    """True if code is to be a loop around a model, for which there is a template."""
    return any(isinstance(verifier, IsLoop) for verifier in verifiers)


class TemplateGenerator:
    """Writes the one function that hands its inputs to a language model, which is asked until its answer fits."""

    name = "template"

    def __init__(self, wanted: Specification) -> None:
        """Write for a specification.

        Raises:
            BadSetting: there is no language model among its tools.
        """
        models = [tool.name for tool in wanted.all_tools if tool.is_model]
        if not models:
            raise BadSetting(f"IsLoop is to judge {wanted.name}, which has no language model; give it an LLM as tool")
        self._body = _body(wanted, models[0])

    @asynccontextmanager
    async def open(self, problem: Problem, say: Callable[[str], None], /) -> AsyncIterator[Proposer]:
        """Start work on a problem; there is nothing to prepare."""
        say("writing the loop around the language model")
        yield _Template(self._body, problem)


@dataclass(slots=True)
class _Template:
    body: str
    problem: Problem
    given: bool = False

    async def propose(self, ask: Ask, /) -> Proposal | Declined:  # noqa: ARG002 - a template does not listen
        """Give the template, once."""
        if self.given:
            return Declined(reason="there is only one template")
        self.given = True
        return Proposal(edits=(TextEdit(self.problem.target.body, self.body),), note="template")


def _body(wanted: Specification, model: str) -> str:
    inputs = ", ".join(f"{name!r}: {name}" for name in wanted.inputs)
    lines = (
        "import json",
        "",
        f"inputs = json.dumps({{{inputs}}})",
        f"content = {wanted.description.strip()!r} + '\\n\\nThe inputs, as JSON: ' + inputs",
        f"return {model}(content, output_schema={wanted.output_shape.own!r})",
    )
    return textwrap.indent("\n".join(lines), " " * 4).lstrip()
