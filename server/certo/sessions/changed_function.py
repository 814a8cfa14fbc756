"""Judging a function that differs from a revision: its verdict, its behaviour before and now, and its tests."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import ClassVar

from certo.behaviour.diff import BehaviourDiff
from certo.behaviour.version_comparison import MUTANTS, ComparisonBudget
from certo.edits.source import read_source
from certo.edits.target import ByName
from certo.llm.model import Models
from certo.project.revisions import Revision
from certo.sandbox.executor import Policy
from certo.sessions.assembly.problem_statement import ExecutionContext, ResolvedRequest, hidden_from_runs
from certo.sessions.assembly.request import Request
from certo.sessions.current_function import Standing, verify_current
from certo.sessions.evidence.behaviour_diff import diff_function, older_at
from certo.sessions.evidence.changed_functions import ChangedFunction
from certo.verification.baseline_cache import BaselineCache
from certo.verification.strength.strength import StrengthBudget
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.records import dataclass
from certo.vocabulary.truth import NoTruthValue

STRENGTH = StrengthBudget(mutants=100, seconds=15.0)
"""The budget for the strength of the tests of one changed function."""

COMPARISON = ComparisonBudget(seconds=10.0, mutants=MUTANTS)
"""The budget for comparing one changed function with its older version."""

_FORMAT = 1
"""Raised whenever what is stored under a key gets another meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedChange(NoTruthValue):
    """The result for one changed function; there is no `diff` of a new one."""

    ask_for: ClassVar[str] = ".standing.report.verified"

    changed: ChangedFunction
    standing: Standing
    diff: BehaviourDiff | None = None

    @property
    def lasts(self) -> bool:
        """True if another run would come to the same in this state of the project."""
        comparison = None if self.diff is None else self.diff.comparison
        return self.standing.lasts and (comparison is None or not (comparison.is_spent or comparison.trouble))


async def judge_change(
    changed: ChangedFunction,
    resolved: ResolvedRequest,
    context: ExecutionContext,
    say: Callable[[str], None],
    *,
    revision: Revision,
    texts: Mapping[str, str | None],
    models: Models,
) -> JudgedChange:
    """Compare a function with its version at a revision, verify it, and measure its tests; `texts` are the older ones.

    Raises:
        BrokenWorld: Nothing can be run here.
        BadSetting: A setting of the project names what is not there.
    """
    diff: BehaviourDiff | None = None
    name, seed = changed.target.short_name, resolved.settings.search.seed
    if not changed.is_new:
        say(f"comparing {name} with {revision.name}")
        began = time.monotonic()
        try:
            older = await older_at(revision, resolved, texts, changed.moved)
            diff = await diff_function(resolved, context, older, replace(COMPARISON, seed=seed))
        except BadRequest as error:
            diff = BehaviourDiff(
                path=changed.path,
                qualname=name,
                line=changed.target.line,
                older=revision.name,
                reason=str(error),
                seconds=round(time.monotonic() - began, 3),
            )
    lines = () if diff is None else diff.changed.now

    def about(message: str) -> None:
        say(f"{name}: {message}")

    standing = await verify_current(resolved, context, about, models=models, strength=STRENGTH, changed=lines)
    return JudgedChange(changed=changed, standing=standing, diff=diff)


def request_about(changed: ChangedFunction, revision: Revision, flags: Mapping[str, object]) -> Request:
    """Return the request for a changed function.

    Raises:
        BadRequest: Its file cannot be read any more.
    """
    document = revision.root / changed.path
    return Request(document=document, text=read_source(document), place=ByName.of(changed.target), flags=flags)


async def key_of_change(
    changed: ChangedFunction,
    resolved: ResolvedRequest,
    context: ExecutionContext,
    cache: BaselineCache,
    *,
    revision: Revision,
    texts: Mapping[str, str | None],
) -> str | None:
    """Return the key of everything that the judgement of a change may depend on; None if that is unknown."""
    circumstances = await cache.circumstances(Policy.STRICT)
    # Votes may differ each time.
    if circumstances is None or resolved.settings.criteria:
        return None
    unseen: list[str] = []
    facts = {
        "format": _FORMAT,
        "circumstances": circumstances,
        "root": str(resolved.root),
        "path": resolved.path,
        "text": resolved.request.text,
        "target": asdict(resolved.target),
        "older": [revision.name, revision.commit, dict(sorted(texts.items()))],
        "moved": None if changed.moved is None else [changed.moved[0], asdict(changed.moved[1])],
        "is_new": changed.is_new,
        "seed": resolved.settings.search.seed,
        "budgets": [asdict(STRENGTH), asdict(COMPARISON)],
        "hidden": await hidden_from_runs(resolved, context, unseen.append),
    }
    if unseen:
        return None
    written = json.dumps(facts, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()
