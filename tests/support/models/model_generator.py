"""Problems for the generator `model`, with models whose answers a test sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from certo.edits.patch import apply_edits
from certo.edits.target import ByName, examples, find_target
from certo.generation.generator import Ask, Attempt, Generator, GeneratorContext, Proposal
from certo.generation.model.generator import build
from certo.generation.model.options import GenerationOptions
from certo.llm.model import ChatModel
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.candidate import Candidate, Origin, candidate_id
from certo.vocabulary.errors import BadSetting
from certo.vocabulary.problem import Baseline, Goal, KnownTest, Problem
from certo.vocabulary.verdict import Finding, Report, Ruling, Verdict
from support.projects.projects import own_interpreter

FENCE = "```"


def problem_of(
    text: str,
    qualname: str = "f",
    *,
    goal: Goal = Goal.REPAIR,
    root: Path = Path("/project"),
    tests: Sequence[KnownTest] = (),
    instruction: str = "",
    unsaved: Mapping[str, str] | None = None,
    path: str = "mod.py",
) -> Problem:
    """Return the problem of one function of a text; nothing has to be on the disk."""
    target = find_target(text, ByName(qualname), path=path)
    return Problem(
        root=root,
        path=path,
        text=text,
        target=target,
        goal=goal,
        instruction=instruction,
        examples=examples(target, text),
        baseline=Baseline(tests=tuple(tests)),
        unsaved=unsaved or {},
    )


def block(code: str, language: str = "python") -> str:
    """Return code in an answer, with a little prose around it."""
    return f"Here it is.\n\n{FENCE}{language}\n{code.rstrip()}\n{FENCE}\n\nI hope this helps!\n"


class Named:
    """Models by name, as settings would have them; the first is the default."""

    def __init__(self, *models: ChatModel) -> None:
        self._models = {model.name: model for model in models}

    def named(self, name: str = "", /) -> ChatModel:
        if not name:
            return next(iter(self._models.values()))
        if name not in self._models:
            raise BadSetting(f"there is no model {name!r}")
        return self._models[name]


def generator(*models: ChatModel, seed: int = 0, **options: object) -> Generator:
    """Return the generator `model` with these models; it looks for related code only if an option says so."""
    context = GeneratorContext(
        executor=LocalExecutor(SandboxOptions()),
        interpreter=own_interpreter(),
        options=GenerationOptions(**{"related_tokens": 0, **options}),
        seed=seed,
        models=Named(*models),
    )
    return build(context)


async def proposed(problem: Problem, *models: ChatModel, ask: Ask | None = None, **options: object) -> object:
    """Return the first proposal of the generator."""
    async with generator(*models, **options).open(problem, lambda _: None) as proposer:
        return await proposer.propose(ask or Ask())


def text_of(problem: Problem, proposal: object) -> str:
    """Return the problem's text with a proposal applied."""
    assert isinstance(proposal, Proposal), proposal
    assert all(problem.target.span.contains(edit.span) for edit in proposal.edits)
    return apply_edits(problem.text, proposal.edits)


def failed(problem: Problem, proposal: object, verifier: str, *findings: Finding) -> Attempt:
    """Return a proposal as an attempt that a verifier objected to."""
    text = text_of(problem, proposal)
    assert isinstance(proposal, Proposal)
    name = candidate_id(problem.text, text)
    origin = Origin(generator="model")
    verdict = Verdict(verifier=verifier, ruling=Ruling.FAILED, findings=findings)
    return Attempt(
        candidate=Candidate(id=name, edits=proposal.edits, text=text, origin=origin),
        report=Report(candidate_id=name, verdicts=(verdict,)),
    )
