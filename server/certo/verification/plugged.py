"""Verifiers from plug-ins: functions or classes, sync or async, alone or in a list."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

from certo.verification.verifier import Verifier
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.errors import BadSetting, CertoError
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Ruling, Verdict


def as_verifiers(brought: object, name: str) -> tuple[Verifier, ...]:
    """Return the verifiers in a plug-in: an object or class with `name` and `judge`, a function, or a list.

    A function takes the target's code as a string and returns True if it passes, or that and a message, directly or as
    an awaitable. All in a list must pass and are asked in order; functions in it keep their own names.

    Raises:
        BadSetting: It is none of these.
    """
    return tuple(_each(brought, name))


def code_of(candidate: Candidate, problem: Problem) -> str:
    """Return the target's code in a candidate."""
    span, grown = problem.target.span, len(candidate.text) - len(problem.text)
    return candidate.text[span.start : span.end + grown]


def _each(brought: object, name: str) -> Iterator[Verifier]:
    if isinstance(brought, list | tuple):
        for one in brought:
            yield from _each(one, str(getattr(one, "__name__", name)))
        return
    made = brought() if inspect.isclass(brought) else brought
    judge = getattr(made, "judge", None)
    if callable(judge):
        yield _PluggedVerifier(judge, str(getattr(made, "name", name)))
    elif callable(made):
        yield _Function(made, name)
    else:
        raise BadSetting(f"the verifier {name!r} is a {type(made).__name__}; it must be a function, or have judge()")


class _PluggedVerifier:
    """Judges by a plug-in's verifier; if it raises, the candidate is undecided and others go on."""

    def __init__(self, function: Callable[..., object], name: str) -> None:
        self._function = function
        self.name = name

    async def judge(self, candidate: Candidate, problem: Problem, /) -> Verdict:
        """Ask the verifier, and report a failure of it."""
        try:
            return self._verdict(await self._asked(candidate, problem))
        except CertoError:
            raise
        except Exception as error:  # noqa: BLE001 - it is not ours; what it raised is told as a finding
            return self._said(Ruling.UNDECIDED, f"{self.name} could not judge: {type(error).__name__}: {error}")

    async def _asked(self, candidate: Candidate, problem: Problem) -> object:
        said = self._function(candidate, problem)
        return await said if inspect.isawaitable(said) else said

    def _verdict(self, said: object) -> Verdict:
        if not isinstance(said, Verdict):
            raise TypeError(f"it returned {said!r}; judge() returns a Verdict")
        return said

    def _said(self, ruling: Ruling, message: str) -> Verdict:
        return Verdict(verifier=self.name, ruling=ruling, findings=(Finding(message=message),))


class _Function(_PluggedVerifier):
    """Judges by a plug-in's function of the target's code."""

    async def _asked(self, candidate: Candidate, problem: Problem) -> object:
        said = self._function(code_of(candidate, problem))
        return await said if inspect.isawaitable(said) else said

    def _verdict(self, said: object) -> Verdict:
        passed, message = said if isinstance(said, tuple) and len(said) == 2 else (said, "")
        if not isinstance(passed, bool):
            raise TypeError(f"it returned {said!r}; a check returns True or False, or that and a message")
        if passed:
            return Verdict(verifier=self.name, ruling=Ruling.PASSED)
        return self._said(Ruling.FAILED, str(message) or f"{self.name} refuses the code")
