"""Verifier of the policy: a candidate uses no capability that the file did not use before."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from certo.analysis.capabilities import Capability
from certo.analysis.capability_uses import CapabilityUse, kinds_used, uses_in
from certo.edits.source import parse
from certo.edits.target import definition_of
from certo.verification.static.one_by_one import of_each
from certo.verification.static.text_verdict import read_verdict
from certo.vocabulary.candidate import Candidate, FileChange
from certo.vocabulary.options import option
from certo.vocabulary.problem import Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Finding, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOptions:
    """The capabilities that candidates may use."""

    allow: tuple[str, ...] = option(
        (),
        "Modules, members and builtins that a candidate may use although its file does not use them yet, such as "
        "`socket`, `os.environ` or `open`.",
    )


class PolicyVerifier:
    """Passes a candidate whose target uses nothing new: no files, network, processes, run-time code and so on.

    The same applies to other files that it changes; a new file may use nothing at all.

    This static check catches and explains carelessness of a generator. Deceptive code can evade any static check; the
    sandbox is what holds it.
    """

    def __init__(self, options: PolicyOptions) -> None:
        self._options = options

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return "policy"

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Check the candidate's target and, if that uses something, compare with the document."""
        return await read_verdict(self.name, candidate, lambda: of_each(candidate, problem, self._objections))

    def _objections(self, candidate: Candidate, problem: Problem) -> tuple[Finding, ...]:
        module = parse(candidate.text)
        definition = definition_of(candidate.text, problem.target)
        if definition is None:
            return (Finding(message=f"{problem.target.qualname} is gone; keep its name", line=problem.target.line),)
        uses = uses_in(definition.node, module, definition.ancestors)
        uses = tuple(use for use in uses if not self._allowed(use))
        known = _kinds_in_text(problem.text) if uses else frozenset()
        own = (_finding(use) for use in uses if use.kind not in known)
        return tuple(dict.fromkeys((*own, *self._elsewhere(candidate.elsewhere))))

    def _elsewhere(self, changes: Iterable[FileChange]) -> Iterator[Finding]:
        for change in changes:
            module = parse(change.after)
            uses = [use for use in uses_in(module, module) if not self._allowed(use)]
            known = _kinds_in_text(change.before or "") if uses else frozenset()
            yield from (_finding(use, change.path) for use in uses if use.kind not in known)

    def _allowed(self, use: CapabilityUse) -> bool:
        names = (use.charged, use.charged.removeprefix("builtins."), use.construct.removeprefix("import of "))
        return any(
            name == allowed or name.startswith(f"{allowed}.") for name in names for allowed in self._options.allow
        )


@functools.lru_cache(maxsize=8)
def _kinds_in_text(text: str) -> frozenset[tuple[str, Capability]]:
    """Return the kinds of uses in a document; cached, because all candidates of a search have the same text."""
    return kinds_used(parse(text))


def _finding(use: CapabilityUse, other: str = "") -> Finding:
    """Return a finding about a use, in the problem's document or in an `other` file."""
    name = use.charged.removeprefix("builtins.")
    where = f"{other}:{use.line}: " if other else ""
    return Finding(
        message=f"{where}{use.construct} reaches {use.reach.value}, which this file did not do before; do without it "
        f"(or allow {name!r} in policy.allow)",
        line=None if other else use.line,
    )
