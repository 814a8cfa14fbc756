"""What to do about an exception, in a sentence for whoever mends the code: by its kind, its words and the code."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
import sys
from collections.abc import Callable, Mapping

from certo.edits.source import parse
from certo.verification.evaluation import CodeError

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
"""Names that are often used without their import, and the modules they are from."""

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
    """What to do about an exception of `code`; nothing where there is nothing to say beyond its own words."""
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
    """The first thing in quotes in an exception's words."""
    found = re.search(r"'([^']+)'", error.words)
    return found[1] if found else ""


def _names(code: str) -> set[str]:
    """All that is defined or used in some code, and what every code has."""
    try:
        tree = parse(code)
    except SyntaxError:
        return set()
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    named |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return named | {node.name for node in ast.walk(tree) if isinstance(node, kinds)} | set(dir(builtins))
