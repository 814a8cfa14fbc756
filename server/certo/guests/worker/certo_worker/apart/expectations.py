"""Expectations that a test may make from what a candidate changed or read, as far as its source says.

A test that compares a result with something made from its own list, after the candidate had that list, compares the
candidate with itself: one that empties the list and returns nothing passes. The same holds for the expected value that
stands on an object of the tests, if the candidate reads it. Both are allowed, since honest functions sort in place and
read attributes; so the test's own source decides whether the value can have got into the expectation.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import itertools
import os
import re
import sys
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Dict, Iterator, List, Optional, Set, Union

from certo_worker.apart.shared_state import is_of_tests
from certo_worker.observation.libraries import is_library

_CELL: Any = (lambda value: lambda: value)(0).__closure__
CellType = type(_CELL[0])
"""The class of a variable that an inner function shares; `types` has it from Python 3.8 on."""

_Function = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Module]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)

_OURS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_MAX_VISITED = 10_000
_NOT_SEARCHED = ("builtins", "_pytest", "pytest", "certo_worker")
_MAX_FILES = 2_000
_WORD = re.compile(r"\w+")


def may_be_made_from(container: Any) -> str:
    """Return the name of a test's variable that holds `container` and from which an expectation may be made, or "".

    All callers of the running code are searched for variables that are the container or have it inside, and for their
    global variables. A container that none of them holds, as the list in `total([1, 2])`, cannot be seen by an
    assertion. While a fixture is set up, the test has yet to run, and so anything may become its expectation.
    """
    frames = list(_test_frames())
    budget = [_MAX_VISITED]
    for frame in frames:
        if frame.f_locals is not frame.f_globals:
            for name in _holders(frame.f_locals, container, budget):
                if _is_expected_from(frame, name):
                    return name
    held = next((name for frame in frames for name in _holders(_plain_globals(frame), container, budget)), "")
    if held:
        return held  # any function may read a global variable
    if _is_enclosed(container):
        return "a variable of an outer function"
    in_test = any(frame.f_code.co_name.lower().startswith("test") for frame in frames)
    return "" if in_test or not frames else "a list"


def is_expected(attribute: str) -> bool:
    """True if an assertion in a file of the running test compares something with an attribute of that name."""
    for file in {frame.f_code.co_filename for frame in _test_frames()}:
        statements = list(ast.walk(_tree(file) or ast.Module(body=[], type_ignores=[])))
        kept_in = {name.id for each in statements if _keeps(each, attribute) for name in _names(each, ast.Store)}
        compared = [sides for sides in map(_sides, statements) if sides is not None]
        if any(_compares_attribute(sides, attribute, kept_in) for sides in compared):
            return True
    return False


def _keeps(statement: ast.AST, attribute: str) -> bool:
    """True if a statement keeps an attribute of that name in a variable."""
    return isinstance(statement, (ast.Assign, ast.AnnAssign)) and any(
        getattr(node, "attr", None) == attribute and isinstance(getattr(node, "ctx", None), ast.Load)
        for node in ast.walk(statement)
    )


def _compares_attribute(sides: List[ast.expr], attribute: str, kept_in: Set[str]) -> bool:
    """True if one side has the attribute and another a variable, or the only side has both.

    In `assert order.items == [1]` the attribute is what is checked: nothing that is expected can be made from it.
    """

    def has(node: ast.AST) -> bool:
        return getattr(node, "attr", None) == attribute or getattr(node, "id", None) in kept_in

    having = [side for side in sides if any(map(has, ast.walk(side)))]
    others = [side for side in sides if side not in having]
    if any(_names(side, ast.Load) for side in others) or len(having) > 1:
        return bool(having)
    return any(len(_names(side, ast.Load)) > 1 for side in having)


def _test_frames() -> Iterator[FrameType]:
    """Yield the frames of the user's own code, the innermost first."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None:
        if _is_users(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def _holders(names: Dict[str, Any], container: Any, budget: List[int]) -> Iterator[str]:
    """Yield the variables that are `container` or have it inside."""
    for name, value in list(names.items()):
        if value is container or _is_within(container, value, budget):
            yield name


def _is_enclosed(container: Any) -> bool:
    """True if a function of the user's shares a variable of an outer function that is `container`."""
    cells = [each for each in gc.get_referrers(container) if type(each) is CellType]
    closures = [each for cell in cells for each in gc.get_referrers(cell) if type(each) is tuple]
    functions = [each for one in closures for each in gc.get_referrers(one) if type(each) is FunctionType]
    return any(_is_users(each.__code__.co_filename) for each in functions)


def _is_users(file: str) -> bool:
    return not file.startswith(("<", _OURS)) and not is_library(file)


def _plain_globals(frame: FrameType) -> Dict[str, Any]:
    """Return the global variables of a frame and of the project's modules that it imports, without code."""
    found = dict(frame.f_globals)
    for value in list(found.values()):
        if type(value) is ModuleType and not is_library(getattr(value, "__file__", None)):
            found.update({value.__name__ + "." + name: each for name, each in vars(value).items()})
    return {
        name: value
        for name, value in found.items()
        if not name.startswith("__") and not isinstance(value, (ModuleType, FunctionType, type))
    }


def _is_within(container: Any, value: Any, budget: List[int]) -> bool:
    """True if `container` can be reached from `value`, or if the search for it takes too long to tell."""
    seen: Set[int] = set()
    pending = [value]
    while pending:
        each = pending.pop()
        if each is container:
            return True
        if id(each) in seen:
            continue
        seen.add(id(each))
        budget[0] -= 1
        if budget[0] < 0:
            return True
        pending.extend(_parts(each))
    return False


def _parts(value: Any) -> List[Any]:
    if isinstance(value, dict):
        return [*dict.keys(value), *dict.values(value)]
    kinds: Any = (list, tuple, set, frozenset)
    for kind in kinds:
        if isinstance(value, kind):
            # A class of the user's that goes through its items in its own way is not asked.
            return list(kind.__iter__(value))
    if isinstance(value, (type, ModuleType, FunctionType)) or type(value).__module__.startswith(_NOT_SEARCHED):
        return []
    try:
        parts = list(object.__getattribute__(value, "__dict__").values())
    except (AttributeError, TypeError):
        parts = []
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            with contextlib.suppress(AttributeError):
                parts.append(object.__getattribute__(value, name))
    return parts


def _is_expected_from(frame: FrameType, name: str) -> bool:
    """True unless the function's source shows that no expectation after the running call is made from a variable."""
    function = _function(frame.f_code)
    if function is None:
        return True
    path = _path_to(function, frame.f_lineno)
    if not path:
        return True
    loop = next((node for node in path if isinstance(node, _LOOPS)), None)
    call = path[-1]
    again = call if loop is None else loop
    later = [
        statement
        for statement in _statements(function)
        if statement.lineno > (again.end_lineno or again.lineno) or _contains(again, statement)
    ]
    made_since = {each.id for statement in [call, *later] for each in _names(statement, ast.Store)}
    return _compares_with(call, name, made_since, is_call=True) or any(
        _compares_with(statement, name, made_since, is_call=statement is call) for statement in later
    )


def _compares_with(statement: ast.stmt, name: str, made_since: Set[str], *, is_call: bool) -> bool:
    """True if a statement brings a variable together with what came of the call, or keeps something made from it."""
    mentioned = [each.id for each in _names(statement, ast.Load)]
    if name not in mentioned:
        return False
    sides = _sides(statement)
    if is_call and mentioned.count(name) > 1 and _repeats(statement):
        return True
    if sides is None:
        # Calling something with it again keeps nothing; anything else may become an expectation.
        return not (is_call or isinstance(statement, (ast.Expr, ast.Delete)))
    if sum(any(each.id == name for each in _names(side, ast.Load)) for side in sides) > 1:
        return True
    return any(each in made_since and each != name for each in mentioned)


def _repeats(statement: ast.stmt) -> bool:
    """True if a statement goes through something, and so may read a variable after the call that it makes itself."""
    return isinstance(statement, _LOOPS) or any(isinstance(node, ast.comprehension) for node in ast.walk(statement))


def _sides(statement: ast.AST) -> Optional[List[ast.expr]]:
    """Return the expressions that an assertion compares; None for any other statement."""
    if isinstance(statement, ast.Assert):
        test = statement.test
        if isinstance(test, ast.Compare) and all(isinstance(each, (ast.Is, ast.IsNot)) for each in test.ops):
            return []  # an object is what it is, whatever it holds
        return [test.left, *test.comparators] if isinstance(test, ast.Compare) else [test]
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        said = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if said.lower().startswith(("assert", "fail")):
            return [*statement.value.args, *(each.value for each in statement.value.keywords)]
    return None


def _names(node: ast.AST, context: type) -> List[ast.Name]:
    """Return the variables that a statement's own expressions load or store, not those of statements within it."""
    found: List[ast.Name] = []
    pending: List[ast.AST] = [node]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.Name) and isinstance(each.ctx, context):
            found.append(each)
        inner = list(ast.iter_child_nodes(each))
        if isinstance(each, ast.comprehension) and context is ast.Store:
            inner.remove(each.target)  # known within the comprehension only
        pending.extend(child for child in inner if not isinstance(child, ast.stmt))
    return found


def _statements(function: _Function) -> Iterator[ast.stmt]:
    """Yield all statements of a function, those of functions and classes within it included."""
    for node in ast.walk(function):
        if isinstance(node, ast.stmt) and node is not function:
            yield node


def _contains(outer: ast.stmt, inner: ast.stmt) -> bool:
    return any(node is inner for node in ast.walk(outer))


def _path_to(function: _Function, line: int) -> List[ast.stmt]:
    """Return the statements around a line, from the outermost to the one that has no statement there within it."""
    path: List[ast.stmt] = []
    body: Any = function
    while True:
        inner = [
            node
            for node in _children(body)
            if node.lineno <= line <= (node.end_lineno or node.lineno) and not isinstance(node, _SCOPES)
        ]
        if not inner:
            return path
        path.append(inner[0])
        body = inner[0]


def _children(node: ast.AST) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler) or type(child).__name__ == "match_case":
            yield from _children(child)


def _function(code: CodeType) -> Optional[_Function]:
    """Return the definition of running code, or None if its file does not show it."""
    tree = _tree(code.co_filename)
    if tree is None or code.co_name == "<module>":
        return tree
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and node.name == code.co_name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if code.co_firstlineno in (first, node.lineno):
                return node
    return None


@functools.lru_cache(maxsize=64)
def _tree(file: str) -> Optional[ast.Module]:
    try:
        with open(file, "rb") as opened:
            return ast.parse(opened.read())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class KnownWords:
    """The words of the project's own code: what a function may know of without having read the tests.

    `text` is what the target's `file` was before the candidate, and `root` has the other files. At most 2,000 of them
    are read.
    """

    def __init__(self, text: str, file: str, root: str):
        self._text = text
        self._file = file
        self._root = root
        self._words: Set[str] = set()
        self._files: Optional[Iterator[str]] = None

    def has(self, word: str) -> bool:
        """True if the target's file, or another of the project that is no test, has the word."""
        if self._files is None:
            self._words.update(_WORD.findall(self._text))
            self._files = itertools.islice(_sources(self._root, self._file), _MAX_FILES)
        while word not in self._words:
            file = next(self._files, None)
            if file is None:
                return False
            with contextlib.suppress(OSError), open(file, encoding="utf-8", errors="replace") as opened:
                self._words.update(_WORD.findall(opened.read()))
        return True


def _sources(root: str, target: str) -> Iterator[str]:
    """Yield the Python files of a project that are neither tests, installed packages nor the target's."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            each
            for each in folders
            if not each.startswith((".", "test"))
            and each not in ("site-packages", "node_modules", "__pycache__")
            and not os.path.exists(os.path.join(folder, each, "pyvenv.cfg"))
        )
        for name in sorted(files):
            file = os.path.join(folder, name)
            if name.endswith(".py") and not is_of_tests(name) and os.path.realpath(file) != target:
                yield file
