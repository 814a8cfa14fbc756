"""Evaluation of Python code: one run in the sandbox with outcome, output, error and tests."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Literal

from certo.guests import WORKER_HOME
from certo.sandbox.executor import Ending, Executor, Finished, Interpreter, Limits, Message, Program, Work
from certo.verification.dynamic.results import was_cut_short
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Finding, Report, Verdict

PROGRAM = Program(home=WORKER_HOME, module="certo_worker.evaluation")

SECONDS = 60.0
"""Default limit of processor time of a run."""

MEMORY = 1024
"""Memory limit in mebibytes."""


class CodeOutcome(Enum):
    """The outcome of running code. The values are those of AgentTools and one more; only SUCCESS is true.

    FAILED_TIMEOUT used up its processor time, as an endless loop does. FAILED_WAITING did not, yet did not end: it
    waits for something, or the machine is too busy.
    """

    EMPTY = "CodeEmpty"
    FAILED_PARSE = "CodeFailedParse"
    FAILED_TIMEOUT = "CodeFailedTimeout"
    FAILED_WAITING = "CodeFailedWaiting"
    FAILED_EVAL = "CodeFailedEval"
    SUCCESS = "CodeSuccess"

    def __bool__(self) -> bool:
        return self is CodeOutcome.SUCCESS


_LATE = {Ending.CPU: CodeOutcome.FAILED_TIMEOUT, Ending.WALL: CodeOutcome.FAILED_WAITING}


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeError:
    """An exception of evaluated code: its type, its message, and the traceback's lines, outermost first.

    `name` is the missing name or module, if there is one.
    """

    kind: str
    words: str = ""
    lines: tuple[int, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.words}" if self.words else self.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class RanTest:
    """One test that was run: passed, failed by an assertion, or raised another error."""

    name: str
    how: Literal["passed", "failed", "error"]
    error: CodeError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The result of one run of `code`; true only if the run was a success.

    `output` is the repr of the final expression of the code, if it ends with one. `error` is that of the code itself,
    and None if only tests failed. `notes` name parts of the code left out before the run. `seconds` is the total wall
    time.
    """

    code: str
    outcome: CodeOutcome
    stdout: str = ""
    output: str = ""
    error: CodeError | None = None
    tests: tuple[RanTest, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    def __bool__(self) -> bool:
        return self.success

    @property
    def success(self) -> bool:
        """True if the code ran to its end and none of its tests failed."""
        return self.outcome is CodeOutcome.SUCCESS

    @property
    def error_lines(self) -> tuple[int, ...]:
        """The lines in the tracebacks of every error, of the code and of its tests, in order."""
        errors = [self.error, *(test.error for test in self.tests)]
        return tuple(sorted({line for error in errors if error is not None for line in error.lines}))

    def count(self, how: Literal["passed", "failed", "error"]) -> int:
        """Return the number of tests with this result."""
        return sum(test.how == how for test in self.tests)


def score_feedback(evaluation: Evaluation) -> int:
    """Return the score of AgentTools: 0 if there is no code, 1 if it does not parse, 2 if it fails, else 10.

    With tests it is 10 and one for each that passed, less one for each that failed and two for each error.
    """
    if evaluation.outcome is CodeOutcome.EMPTY:
        return 0
    if evaluation.outcome is CodeOutcome.FAILED_PARSE:
        return 1
    if evaluation.error is not None:
        return 2
    return 10 + evaluation.count("passed") - evaluation.count("failed") - 2 * evaluation.count("error")


async def evaluate(
    code: str,
    executor: Executor,
    interpreter: Interpreter,
    *,
    seconds: float = SECONDS,
    notes: Iterable[str] = (),
) -> Evaluation:
    """Run `code` as a program, then its tests, with `seconds` of processor time.

    Tests are functions without parameters named test…, methods of classes named Test…, and unittest cases. The code
    runs in a fresh process in an empty directory. One that waits is ended after about three times as long. The result
    is advice for the author of the code and no verdict, because the code shares its process with the reporter and could
    forge it.

    Raises:
        BrokenWorld: Nothing can be run here.
    """
    noted = tuple(notes)
    if not code.strip():
        return Evaluation(code=code, outcome=CodeOutcome.EMPTY, notes=noted)
    began, heard = time.monotonic(), list[Message]()
    with tempfile.TemporaryDirectory(prefix="certo-evaluated-") as empty:
        work = Work(
            program=PROGRAM,
            request={"code": code},
            interpreter=interpreter,
            root=Path(empty),
            limits=Limits.within(seconds, memory_mebibytes=MEMORY),
        )
        finished = await executor.run(work, heard.append)
    tests = tuple(_test_of(message) for message in heard if message.get("kind") == "test")
    outcome, error = _outcome(heard, finished, tests)
    return Evaluation(
        code=code,
        outcome=outcome,
        stdout=_text(heard, "stdout", finished.printed),
        output=_text(heard, "output", ""),
        error=error,
        tests=tests,
        notes=noted,
        seconds=round(time.monotonic() - began, 4),
    )


def _text(heard: list[Message], kind: str, otherwise: str) -> str:
    """Return the text of the first message of a kind, or `otherwise`."""
    return next((str(message.get("text")) for message in heard if message.get("kind") == kind), otherwise)


def _outcome(
    heard: list[Message], finished: Finished, tests: tuple[RanTest, ...]
) -> tuple[CodeOutcome, CodeError | None]:
    """Return the outcome of the code, from its messages and the end of its run."""
    said = next((message for message in heard if message.get("kind") == "error"), None)
    if said is not None:
        parse = said.get("stage") == "parse"
        return CodeOutcome.FAILED_PARSE if parse else CodeOutcome.FAILED_EVAL, _error_of(said)
    if finished.ending in _LATE:
        return _LATE[finished.ending], CodeError(kind="TimeoutError", words=_while(heard, finished))
    if not finished.complete:
        return CodeOutcome.FAILED_EVAL, CodeError(kind="SystemExit", words=_while(heard, finished))
    failed = any(test.how != "passed" for test in tests)
    return CodeOutcome.FAILED_EVAL if failed else CodeOutcome.SUCCESS, None


def _while(heard: list[Message], finished: Finished) -> str:
    """Return the ending of an unfinished run, and the test it was in, if any."""
    running = [str(message.get("test")) for message in heard if message.get("kind") == "running"]
    ended = sum(message.get("kind") in ("test", "skipped") for message in heard)
    how = "the process left before its end" if finished.ending is Ending.EXITED else f"the run {finished.words}"
    return f"{how}, in {running[-1]}" if len(running) > ended else how


def _test_of(message: Message) -> RanTest:
    how = message.get("how")
    known: Literal["passed", "failed", "error"] = (
        "passed" if how == "passed" else "failed" if how == "failed" else "error"
    )
    error = None if known == "passed" else _error_of(message)
    return RanTest(name=str(message.get("test")), how=known, error=error)


def _error_of(message: Message) -> CodeError:
    """Return the exception in a message; its fields are checked, because the code is not trusted."""
    lines = message.get("lines")
    return CodeError(
        kind=str(message.get("error") or "Exception"),
        words=str(message.get("words") or ""),
        lines=tuple(line for line in lines if type(line) is int) if isinstance(lines, list) else (),
        name=str(message.get("name") or ""),
    )


_RAISED = re.compile(
    r"([A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Group))\b:?\s*(.*)", re.DOTALL
)
"""Pattern of a message that begins with the name of an exception."""


def evaluated(candidate: Candidate, report: Report) -> Evaluation:
    """Return a report as an Evaluation: AgentTools' outcomes, with the first objecting check's findings as errors.

    Text that does not parse, tests that take too long, and all that fails otherwise are told apart; a check that runs
    no tests and objects is an error of its own kind.
    """
    failure = report.failure
    if failure is None:
        return Evaluation(code=candidate.text, outcome=CodeOutcome.SUCCESS)
    if failure.verifier == "syntax":
        return Evaluation(
            code=candidate.text, outcome=CodeOutcome.FAILED_PARSE, error=_error_of_verdict(failure, "SyntaxError")
        )
    if any(was_cut_short(finding.message) for finding in failure.findings):
        error = CodeError(kind="TimeoutError", words=_words(failure))
        return Evaluation(code=candidate.text, outcome=CodeOutcome.FAILED_TIMEOUT, error=error)
    if failure.tests is None:
        error = _error_of_verdict(failure, f"The check `{failure.verifier}`")
        return Evaluation(code=candidate.text, outcome=CodeOutcome.FAILED_EVAL, error=error)
    passed = tuple(RanTest(name="", how="passed") for _ in range(failure.tests.passed))
    wrong = tuple(_test_of_finding(finding) for finding in failure.findings)
    return Evaluation(code=candidate.text, outcome=CodeOutcome.FAILED_EVAL, tests=(*passed, *wrong))


def _error_of_verdict(verdict: Verdict, kind: str) -> CodeError:
    lines = tuple(finding.line for finding in verdict.findings if finding.line is not None)
    return CodeError(kind=kind, words=_words(verdict), lines=lines)


def _words(verdict: Verdict) -> str:
    return "\n".join(finding.message for finding in verdict.findings)


def _test_of_finding(finding: Finding) -> RanTest:
    """Return the test that a finding is about: its id is the text before the first colon and blank."""
    name, _, words = finding.message.partition(": ")
    raised = _RAISED.match(words)
    kind, said = (raised[1].rpartition(".")[2], raised[2]) if raised else ("AssertionError", words)
    error = CodeError(kind=kind, words=said, lines=(finding.line,) if finding.line is not None else ())
    return RanTest(name=name, how="failed" if kind == "AssertionError" else "error", error=error)
