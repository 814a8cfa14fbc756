"""Feedback on an evaluation for the model that wrote the code, under the headings of AgentTools."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
import sys
from collections.abc import Callable, Iterable, Mapping

from certo.edits.source import parse
from certo.verification.code_evaluation import CodeError, CodeOutcome, Evaluation, RanTest

_MODULES: Mapping[str, str] = {
    "abc": "ABC abstractmethod",
    "bisect": "bisect_left bisect_right insort",
    "collections": "Counter OrderedDict defaultdict deque namedtuple ChainMap",
    "contextlib": "contextmanager suppress",
    "copy": "deepcopy",
    "dataclasses": "dataclass field asdict",
    "datetime": "datetime timedelta date",
    "decimal": "Decimal",
    "enum": "Enum IntEnum",
    "fractions": "Fraction",
    "functools": "reduce lru_cache partial wraps cmp_to_key",
    "heapq": "heappush heappop heapify nlargest nsmallest",
    "io": "StringIO BytesIO",
    "itertools": "accumulate chain combinations count cycle groupby islice permutations product zip_longest",
    "math": "ceil comb factorial floor gcd inf isclose isqrt lcm log pi prod sqrt",
    "operator": "itemgetter attrgetter",
    "pathlib": "Path",
    "random": "choice randint randrange shuffle",
    "statistics": "mean median stdev",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits punctuation",
    "textwrap": "dedent",
    "typing": "Any Callable Dict Generic Iterable Iterator List Optional Protocol Set Tuple TypeVar Union",
}

_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}
"""Names that are often used without import, and their modules."""

_SYNTAX = (
    ("was never closed", "find the bracket that is open there and close it"),
    ("unmatched", "a bracket is closed there that was not opened"),
    ("unterminated", "find the quotes that are open there and close them"),
    ("expected ':'", "the line before a block ends with a colon"),
    ("expected an indented block", "a block needs at least one line, such as `pass`"),
    ("indent", "indent each block by four spaces, and never by tabs"),
    ("outside function", "that belongs into a function; look at how far the line is indented"),
    ("cannot assign", "compare with ==; one = assigns, and its left side has to be a name, an attribute or an item"),
)

_TYPES = (
    (r"missing \d+ required", "give the call all arguments that have no default"),
    (r"takes .* but \d+ (was|were) given", "compare the call with the function's parameters, `self` included"),
    (r"unexpected keyword argument", "compare the names in the call with the function's parameters"),
    (r"NoneType", "something is None there; look for a function that returns nothing on one of its ways"),
    (r"unsupported operand|can only concatenate", "the two sides are of different types; convert one of them"),
    (r"not callable", "what is called there is no function; perhaps its name was given to something else"),
    (r"not subscriptable|not iterable", "what stands there is no collection; look at what it was made by"),
    (r"unhashable", "sets and keys take tuples and strings, not lists, sets or dictionaries"),
)


def tip(error: CodeError, code: str = "") -> str:
    """Return advice about an exception of `code`, or nothing if its message suffices."""
    say = _TIPS.get(error.kind)
    said = say(error, code) if say is not None else ""
    return f"**Tip:** {said}." if said else ""


def _about_name(error: CodeError, code: str) -> str:
    name = error.name or _quoted(error)
    if not name:
        return ""
    if name in sys.stdlib_module_names:
        return f"`{name}` is a module; write `import {name}` first"
    if name in _HOMES:
        return f"`{name}` is in the standard library; write `from {_HOMES[name]} import {name}` first"
    close = difflib.get_close_matches(name, _names(code) - {name}, n=1)
    if close:
        return f"nothing is called `{name}` there; perhaps `{close[0]}` is meant"
    return f"nothing is called `{name}` there; define it before it is used, or do without it"


def _about_import(error: CodeError, _: str) -> str:
    if error.kind == "ImportError" and "cannot import name" in error.words:
        return f"the module has no {_quoted(error)}; look for what it is called there, or write it yourself"
    module = (error.name or _quoted(error)).partition(".")[0]
    return f"{module or 'that module'} is not there and cannot be installed; do without it, with the standard library"


def _about_syntax(error: CodeError, _: str) -> str:
    found = next((said for words, said in _SYNTAX if words in error.words), "")
    return found or "look at that line and at the one before it; write the whole program, without a line left out"


def _about_type(error: CodeError, _: str) -> str:
    return next((said for words, said in _TYPES if re.search(words, error.words)), "look at the types of what is used")


def _about_assertion(_: CodeError, __: str) -> str:
    return (
        "the assertion says what is wanted; work out by hand what the code gives there, and mend the code, not the test"
    )


def _about_local(error: CodeError, _: str) -> str:
    name = error.name or _quoted(error) or "the variable"
    return (
        f"{name} is assigned in that function and so is its own there; set it first, or declare it nonlocal or global"
    )


_TIPS: Mapping[str, Callable[[CodeError, str], str]] = {
    "AssertionError": _about_assertion,
    "ImportError": _about_import,
    "IndentationError": _about_syntax,
    "ModuleNotFoundError": _about_import,
    "NameError": _about_name,
    "SyntaxError": _about_syntax,
    "TabError": _about_syntax,
    "TypeError": _about_type,
    "UnboundLocalError": _about_local,
}


def _quoted(error: CodeError) -> str:
    """Return the first quoted text in an exception's message."""
    found = re.search(r"'([^']+)'", error.words)
    return found[1] if found else ""


def _names(code: str) -> set[str]:
    """Return all names defined or used in some code, and the builtins."""
    try:
        tree = parse(code)
    except SyntaxError:
        return set()
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    named |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return named | {node.name for node in ast.walk(tree) if isinstance(node, kinds)} | set(dir(builtins))


MAX_LENGTH = 512
"""Default maximum length in characters."""

_MAX_LINES = 5
_MAX_LINE_LENGTH = 120

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
    """Return feedback for the model about its code, in a limited number of characters.

    Output, if any, gets up to one half of them: printed text and the final value. Errors get the rest.
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
    """Return an exception in words: its message, advice, and the lines of `code` in its traceback."""
    words = cut(str(error), max_length)
    lines = _lines(error, code)
    named = f"**Lines that caused the error:**\n{lines}" if lines else ""
    return cut("\n\n".join(filter(None, (words, named, tip(error, code)))), max_length)


def cut(text: str, length: int) -> str:
    """Return the beginning of a text, marked if it was cut; at most `length` characters."""
    if len(text) <= length:
        return text
    return text[: length - 1] + "…" if length > 0 else ""


def _said(evaluation: Evaluation, length: int) -> str:
    """Return the outcome of the code, without its output."""
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
    """Return the test results: counts, each failure with its line and message, and a tip for each kind of error."""
    ran = tuple(tests)
    wrong = [(test, test.error) for test in ran if test.error is not None]
    passed, failed = sum(test.how == "passed" for test in ran), sum(test.how == "failed" for test in ran)
    lines = [f"Of {len(ran)} tests {passed} passed, {failed} failed, and {len(ran) - passed - failed} had an error."]
    lines += [f"- `{test.name}` {_place(error, code)}{error}" for test, error in wrong]
    return "\n".join([*lines, *dict.fromkeys(filter(None, (tip(error, code) for _, error in wrong)))])


def _place(error: CodeError, code: str) -> str:
    """Return the place where an error was raised, for the middle of a sentence."""
    line = error.lines[-1] if error.lines else 0
    source = _source(code, line)
    return f"at line {line}, `{source}`: " if source else ""


def _lines(error: CodeError, code: str) -> str:
    """Return the last lines in the traceback, each once, with their numbers."""
    numbers = list(dict.fromkeys(error.lines))[-_MAX_LINES:]
    return "\n".join(f"- line {number}: `{source}`" for number in numbers if (source := _source(code, number)))


def _source(code: str, line: int) -> str:
    lines = code.split("\n")
    return cut(lines[line - 1].strip(), _MAX_LINE_LENGTH) if 0 < line <= len(lines) else ""
