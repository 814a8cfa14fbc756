"""Guest program of a search: read the question, collect its checks, repair or synthesise, and report the ending.

The candidates are compared by their behaviour afterwards, so the calls that the checks make are reported as well, and
others that are made up.
"""

from __future__ import annotations

import ast
import importlib.util
import os
from typing import Any, Callable, Dict, List, Optional

from certo_builtin.differential.call_recorder import observed
from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.checks import Check, affordable, doctest_checks, required_examples, suite_of, with_pytest
from certo_builtin.execution.scratch import SCRATCH
from certo_builtin.progress import Reporter, StoppingRule, counted
from certo_builtin.question import Question, read
from certo_builtin.repair.repair import repair
from certo_builtin.repair.two_functions import repair_both
from certo_builtin.source import Source
from certo_builtin.synthesis.synthesis import synthesise
from certo_worker.suite.module_import import import_file
from certo_worker.suite.pytest_run import import_pytest, make_importable

Tell = Callable[[Dict[str, Any]], None]


def prepare(preparation: Dict[str, Any]) -> None:
    """Import pytest, with its plug-ins for the project at `root`, before the question is known."""
    if importlib.util.find_spec("pytest") is not None:
        make_importable(preparation["root"])
        import_pytest(preparation["root"])


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Search for the request; every candidate is reported, and finally the ending."""
    SCRATCH.find()
    question = read(request)
    allowance = Allowance(question.seconds, question.steps)
    reporter = Reporter(tell, StoppingRule(question.plausible, allowance))

    def search(checks: List[Check]) -> None:
        reporter.done(_searched(question, checks, reporter, tell, allowance, request["pool"]))

    if not suite_of(question):
        search([])
    elif importlib.util.find_spec("pytest") is None:
        reporter.done("the tests need pytest, which this interpreter cannot import")
    elif not with_pytest(question, search):
        reporter.done("pytest could not collect the failing tests again")


def _searched(
    question: Question,
    checks: List[Check],
    reporter: Reporter,
    tell: Tell,
    allowance: Allowance,
    pool: Optional[Dict[str, Any]],
) -> str:
    named = len(suite_of(question))
    if named and not checks:
        return "pytest could not collect the {} again".format(counted(named, "test"))
    owed = required_examples(question)
    module = import_file(os.path.join(question.root, question.path), question.root)
    everything = list(checks)
    everything += doctest_checks(question, owed, lambda: vars(module))
    if not everything:
        return "no doctest, no test and no example says what {} should do".format(question.name)
    ending = ""
    try:
        if question.second is not None:
            return repair_both(question, question.second, affordable(everything), reporter, allowance)
        if question.is_hole:
            ending = synthesise(question, everything, vars(module), reporter, allowance)
        # A body may have to call something for its effect, which no expression for a result tells.
        if not question.is_hole or (_does_nothing(question) and not reporter.stopping_rule.count):
            everything = affordable(everything)
            ending = repair(question, everything, reporter, allowance)
    except RecursionError:
        return "{} is nested too deeply to be searched; take a part of it out into a function".format(question.name)
    except Spent as spent:
        return ending or "nothing was tried: {} while the tests ran on the current text".format(spent)
    if reporter.stopping_rule.count > 1:
        for said in observed(question, everything, vars(module), pool, reporter.first):
            tell(said)
    return ending


def _does_nothing(question: Question) -> bool:
    """True if the target's body ends with `pass`."""
    target = Source(question.text).function_at(question.line, question.name)
    return target is not None and isinstance(target.body[-1], ast.Pass)
