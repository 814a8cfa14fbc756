"""What came of a run of code, in words for the model that wrote it; the headings are those of AgentTools."""

from __future__ import annotations

from collections.abc import Iterable

from certo.verification.evaluation import CodeError, CodeOutcome, Evaluation, RanTest
from certo.verification.tips import tip

MAX_LENGTH = 512
"""How many characters are said where nobody says."""

_MOST_LINES = 5
_MOST_OF_LINE = 120

_NO_CODE = """**Error Detected**: No Python code found. Always enclose Python code in a fenced block:
```python
# the whole program
```"""

_TIMED_OUT = "**Error Detected**: Evaluation timed out. Look for loops that never end, and for work that grows too fast"

_WAITED = (
    "**Error Detected**: Evaluation did not end, and hardly used the processor. Look for what waits: `sleep`, `input`, "
    "locks, other processes; if nothing does, the machine was busy, and the code may be right"
)

_LATE = {CodeOutcome.FAILED_TIMEOUT: _TIMED_OUT, CodeOutcome.FAILED_WAITING: _WAITED}

_SUCCESS = (
    "Execution has been successful (no errors detected). Consider adding one or two hard tests, of what is at the edges"
)


def code_feedback(evaluation: Evaluation, *, max_length: int = MAX_LENGTH) -> str:
    """What to tell the model about its code, in at most so many characters.

    Where there is output, what was printed and the value at the end, it gets up to one half of them; what went wrong
    gets the other.
    """
    output = "\n".join(filter(None, (evaluation.stdout.strip(), evaluation.output)))
    said = _said(evaluation, max_length // 2 if output else max_length)
    if evaluation.notes:
        said += "\n\n" + "\n".join(evaluation.notes)
    heading = "\n\n**Output Captured:**\n"
    if output:
        said += heading + cut(output, max(0, max_length - len(said) - len(heading)))
    return cut(said, max_length)


def error_feedback(error: CodeError, code: str = "", *, max_length: int = MAX_LENGTH) -> str:
    """An exception in words: what it says, what to do about it, and the lines of `code` on the way to it."""
    words = cut(str(error), max_length)
    lines = _lines(error, code)
    named = f"**Lines that caused the error:**\n{lines}" if lines else ""
    return cut("\n\n".join(filter(None, (words, named, tip(error, code)))), max_length)


def cut(text: str, length: int) -> str:
    """The beginning of a text, with a mark where it is cut; never longer than `length` characters."""
    if len(text) <= length:
        return text
    return text[: length - 1] + "…" if length > 0 else ""


def _said(evaluation: Evaluation, length: int) -> str:
    """What became of the code, without what it printed."""
    error, code = evaluation.error, evaluation.code
    if evaluation.outcome is CodeOutcome.EMPTY:
        return _NO_CODE
    if late := _LATE.get(evaluation.outcome):
        return f"{late}: {error.words}." if error is not None else f"{late}."
    if evaluation.outcome is CodeOutcome.SUCCESS:
        passed = f" {len(evaluation.tests)} tests passed." if evaluation.tests else ""
        return f"{_SUCCESS}.{passed}"
    if error is None:
        return cut("**Error Detected:**\n" + _tests(evaluation.tests, code), length)
    heading = (
        "**Parsing Error Detected:** " if evaluation.outcome is CodeOutcome.FAILED_PARSE else "**Error Detected:**\n"
    )
    return heading + error_feedback(error, code, max_length=max(0, length - len(heading)))


def _tests(tests: Iterable[RanTest], code: str) -> str:
    """How tests went: the count, each that did not pass with its line and words, and a tip for each kind of error."""
    ran = tuple(tests)
    wrong = [(test, test.error) for test in ran if test.error is not None]
    passed, failed = sum(test.how == "passed" for test in ran), sum(test.how == "failed" for test in ran)
    lines = [f"Of {len(ran)} tests {passed} passed, {failed} failed, and {len(ran) - passed - failed} had an error."]
    lines += [f"- `{test.name}` {_place(error, code)}{error}" for test, error in wrong]
    return "\n".join([*lines, *dict.fromkeys(filter(None, (tip(error, code) for _, error in wrong)))])


def _place(error: CodeError, code: str) -> str:
    """Where an error was raised, for the middle of a sentence."""
    line = error.lines[-1] if error.lines else 0
    source = _source(code, line)
    return f"at line {line}, `{source}`: " if source else ""


def _lines(error: CodeError, code: str) -> str:
    """The last lines on the way to an error, each once, with their numbers."""
    numbers = list(dict.fromkeys(error.lines))[-_MOST_LINES:]
    return "\n".join(f"- line {number}: `{source}`" for number in numbers if (source := _source(code, number)))


def _source(code: str, line: int) -> str:
    lines = code.split("\n")
    return cut(lines[line - 1].strip(), _MOST_OF_LINE) if 0 < line <= len(lines) else ""
