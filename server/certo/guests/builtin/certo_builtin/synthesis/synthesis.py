"""Synthesis: find the body of a hole from the examples in its tests and doctests.

This is enumerative inductive synthesis, in steps: the tests run with a stand-in for the hole's result, which gives
examples (`expected_values`); expressions are enumerated bottom-up by cost (`enumeration`, `exploration`), helped by
deduction from the wanted values (`goals`, `meet_in_middle`, `unification`); then loops, recurrences, polynomials and
groupings are looked for (`bodies`). A body has more evidence the more bits of the results it explains for its size
(`evidence`). Examples and bodies are found in one forked child, which emits bodies as it finds them. Each is then run
on every check in other children, for the checks may expect more than the examples say.
"""

from __future__ import annotations

import ast
import re
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, TypeVar

from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check
from certo_builtin.execution.fork_pool import streamed
from certo_builtin.execution.fuel import Meter
from certo_builtin.execution.hot_swap import HotSwap
from certo_builtin.execution.runner import PASSED, CandidateRunner
from certo_builtin.progress import Reporter, counted
from certo_builtin.question import Question, Unwanted
from certo_builtin.source import Function, Source
from certo_builtin.synthesis import space
from certo_builtin.synthesis.annotations import Signature, attributes_of
from certo_builtin.synthesis.bodies import bodies
from certo_builtin.synthesis.evidence import spoken_for
from certo_builtin.synthesis.expected_values import PROBE, Refused, distinct, from_checks, from_doctests
from certo_builtin.synthesis.expressions import Setting, hints_of
from certo_builtin.synthesis.insertion import filled, imports_for
from certo_builtin.synthesis.loops import Body
from certo_builtin.synthesis.phrases.grammar import Reading, read
from certo_builtin.synthesis.phrases.guards import Guards
from certo_builtin.synthesis.phrases.phrase import MAX_CHARACTERS
from certo_builtin.synthesis.phrases.variants import ignoring_case

_VALUE = r"(None|True|False|-?\d+|\[\]|''|\"\"|an? empty list|an? empty string)"
_WHEN = r"\b(?:if|when|in case|for)\b[^.\n]*(?:\n[^.\n]*)?\bempty\b"
_SENTENCES = (
    re.compile(r"\breturns?\s+{}[\s,]+{}".format(_VALUE, _WHEN), re.IGNORECASE),
    re.compile(r"{}[^.]*?\breturns?\s+{}".format(_WHEN, _VALUE), re.IGNORECASE),
)
_WRITTEN = {"list": "[]", "string": "''"}


def result_when_empty(prose: str) -> Optional[str]:
    """Return the text of the result for an empty argument; None if the prose does not give it."""
    for sentence in _SENTENCES:
        found = sentence.search(prose[:MAX_CHARACTERS])
        if found:
            value = found.group(1)
            return _WRITTEN.get(value.rpartition(" ")[2].lower(), value)
    return None


T = TypeVar("T")


def careful(reading: Callable[[], T]) -> Optional[T]:
    """Return what words say; None if reading them fails, for no docstring may end a search."""
    try:
        return reading()
    except Exception:  # whatever it is, the examples still tell what is wanted
        return None


FUEL = 200000
MAX_STALL_SECONDS = 30.0

TRIAL_SECONDS = 10.0
"""Time limit of one check by the clock; long, because few expressions get so far and a test may be slow."""


class Synthesis:
    """One search for a body; `run` returns the sentence about its ending."""

    def __init__(
        self, question: Question, source: Source, target: Function, runner: CandidateRunner, module: Dict[str, Any]
    ) -> None:
        self.question = question
        self.source = source
        self.target = target
        self.runner = runner
        self.module = module

    def run(self, reporter: Reporter) -> str:
        """Report each expression that passes all checks, cheapest first."""
        examples = explained = known = told = 0
        unwanted = Unwanted(self.question)
        try:
            for found in streamed(self._search, MAX_STALL_SECONDS, self.runner.allowance):
                if isinstance(found, int):
                    examples = found
                    reporter.progress("looking for an expression for " + counted(examples, "example"))
                    continue
                explained += 1
                cost, confidence, lines = found
                lines = [*imports_for("\n".join(lines), self.source), *lines]
                edits = filled(self.source, self.target, lines)
                if unwanted.made_by(edits):
                    known += 1
                    continue
                ((_, judged),) = self.runner.judge([edits], FUEL, TRIAL_SECONDS)
                if judged.ending == PASSED:
                    told += 1
                    note = "an expression for " + counted(examples, "example")
                    # A cost is a description length, so the weight falls exponentially with it.
                    reporter.candidate(edits, note, weight=0.5**cost, tried=explained, confidence=confidence)
                if reporter.stopping_rule.is_enough(explained):
                    break
        except Spent:
            pass
        if explained and explained == known:
            what = "{} of {}".format(counted(examples, "example"), self.question.name)
            return "found no other expression for the {}; give an example that tells them apart".format(what)
        return _ending(self.question.name, examples, explained, told)

    def _attributes(self) -> Mapping[str, ast.expr]:
        """Return the annotations of the attributes of `self`, if the target is a method."""
        owner = self.source.parents.get(self.target)
        return attributes_of(owner) if isinstance(owner, ast.ClassDef) else {}

    def _search(self, emit: Callable[[Any], None]) -> None:
        """In a child: probe, enumerate, and emit the number of examples, then bodies with their evidence."""
        names = space.parameters(self.target)
        probe = "return {}(({},))".format(PROBE, ", ".join(names)) if names else "return {}(())".format(PROBE)
        self.runner.hot_swap.try_on(filled(self.source, self.target, [probe]))
        signature = Signature.of(self.target)
        prose = space.prose(self.question)
        guards = Guards(names, self.module)
        refused: List[Refused] = []
        found = from_checks(self.runner, signature, refused, careful(lambda: guards.errors(prose)) or [])
        found += from_doctests(self.runner, self.question.examples, self.module, signature, refused)
        known = distinct(found)
        emit(len(known))
        if not known:
            return
        phrases = careful(lambda: read(prose, self.question.name)) or Reading()
        own = space.project_functions(self.module, self.question.name, self.source)
        setting = Setting(
            leaves=space.leaves(names, known, self._attributes()),
            constants=space.constants(self.question, known, self.module),
            components=[*own, *(careful(phrases.components) or [])],
            words=space.words(self.question),
            expected=[one.expected for one in known],
            when_empty=result_when_empty(self.question.docstring + "\n" + self.question.instruction),
            constructs=phrases.constructs,
            implied=phrases.words,
        )
        asked = careful(lambda: guards.asked_for(prose, known, refused)) or []
        lines = [line for guard in asked for line in guard.lines]
        hints = hints_of(setting)
        columns = {name: [one.arguments[place] for one in known] for place, name in enumerate(names)}
        for body in bodies(setting):
            emit([body.cost, spoken_for(body, known, hints), [*lines, *body.lines]])
            changed = ignoring_case(phrases, body.lines, columns, setting.expected)
            if changed is not None:
                extra = hints.cost("\n".join(changed)) - hints.cost("\n".join(body.lines))
                other = Body(max(1, body.cost + extra), tuple(changed))
                emit([other.cost, spoken_for(other, known, hints), [*lines, *other.lines]])


def _ending(name: str, examples: int, explained: int, told: int) -> str:
    if not examples:
        return "no test or doctest shows a value that {} should return for given arguments".format(name)
    shown = "{} of {}".format(counted(examples, "example"), name)
    if told:
        return "found {} for the {}".format(counted(told, "expression"), shown)
    if explained:
        return "found {} for the {}, but none that passes its tests".format(counted(explained, "expression"), shown)
    return "found no expression for the {}".format(shown)


def synthesise(
    question: Question, checks: Sequence[Check], module: Dict[str, Any], reporter: Reporter, allowance: Allowance
) -> str:
    """Fill the question's hole by these checks; return the sentence about the ending."""
    source = Source(question.text)
    target = source.function_at(question.line, question.name)
    if target is None:
        return "there is no function {} on line {}".format(question.qualname, question.line)
    hot_swap = HotSwap(source, question.path, target)
    if not hot_swap.live:
        return "no test imports {} into the process that runs it".format(question.path)
    return Synthesis(question, source, target, CandidateRunner(hot_swap, checks, Meter(), allowance), module).run(
        reporter
    )
