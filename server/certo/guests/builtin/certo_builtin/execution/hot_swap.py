"""Hot swap: give live functions the code of a candidate.

The tests import the target before a candidate exists, under any name, decorator or class. So nothing is imported again:
the candidate's function is compiled, and its code object replaces that of every live function made from the target's
code, which the garbage collector lists. `from module import f`, methods, properties, wrapped and registered functions
all see it at once. A target within another function is swapped with the outermost function around it.
"""

from __future__ import annotations
import __future__

import ast
import functools
import gc
import inspect
import os
import types
import warnings
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple

from certo_builtin.execution.fuel import put_ticks
from certo_builtin.source import FUNCTIONS, Edit, Function, Source, applied

Path = Tuple[Tuple[str, int], ...]
"""Path of a nested code object: at each level its name and its index among those of that name."""


def nested(code: types.CodeType, path: Path = ()) -> Iterator[Tuple[Path, types.CodeType]]:
    """Yield a code object and all within it, each with its path."""
    yield path, code
    seen: Dict[str, int] = {}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            number = seen.get(constant.co_name, 0)
            seen[constant.co_name] = number + 1
            yield from nested(constant, (*path, (constant.co_name, number)))


_KINDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""What a function is besides a plain one."""


def _replace(function: types.FunctionType, code: types.CodeType) -> None:
    """Give a function other code, which may make a generator of it."""
    if not (function.__code__.co_flags ^ code.co_flags) & _KINDS:
        function.__code__ = code
        return
    with warnings.catch_warnings():
        # Python 3.14 warns of this, and a project may have warnings raised as errors.
        warnings.simplefilter("ignore", DeprecationWarning)
        function.__code__ = code


def future_flags(tree: ast.Module) -> int:
    """Return the compiler flags of the module's `from __future__ import` lines."""
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                flags |= getattr(__future__, alias.name).compiler_flag
    return flags


_LISTED = (types.FunctionType, functools._lru_cache_wrapper)
"""The types of objects that are looked for among all that there are."""


class HotSwap:
    """The live functions made from one function of a document, and replacement of their code.

    `first` is the offset from lines of the compiled code to lines of the document.
    """

    def __init__(self, source: Source, path: str, target: Function) -> None:
        self.source = source
        self.classes, self.outermost = source.lineage(target)
        first, last = source.lines_of(self.outermost)
        self.origin = source.starts[first - 1]
        self.segment = source.text[self.origin : source.starts[last]]
        # An indented function stands alone under `if 1:`, which keeps its columns as they are.
        self.prefix = "if 1:\n" if self.segment[:1] in (" ", "\t") else ""
        self.first = first - 1 - (1 if self.prefix else 0)
        self.flags = future_flags(source.tree)
        self.filename = path
        self.codes: List[types.CodeType] = []
        self.live: List[Tuple[types.FunctionType, Path]] = []
        self.caches: List[Any] = []
        self._find(path)

    def _find(self, path: str) -> None:
        first, _ = self.source.lines_of(self.outermost)
        ending = os.sep + path.replace("/", os.sep)
        # The heap is searched and not the modules: a function may be held only by a decorator, a registry or a test's
        # `from … import`, and one `def` that runs repeatedly makes several. Frozen objects would not be listed: the
        # runs before have frozen theirs, and a module that pytest or a plug-in uses is loaded before pytest begins.
        gc.unfreeze()
        found = [thing for thing in gc.get_objects() if type(thing) in _LISTED]
        functions = [thing for thing in found if type(thing) is types.FunctionType]
        paths: Dict[int, Path] = {}
        for function in functions:
            code = function.__code__
            if (
                code.co_name == self.outermost.name
                and first <= code.co_firstlineno <= self.outermost.lineno
                and os.path.realpath(code.co_filename).endswith(ending)
            ):
                self.filename = code.co_filename
                paths.update((id(inner), inner_path) for inner_path, inner in nested(code))
        self.live = [
            (function, paths[id(function.__code__)]) for function in functions if id(function.__code__) in paths
        ]
        ours = {id(function) for function, _ in self.live}
        self.caches = [
            thing
            for thing in found
            if type(thing) is functools._lru_cache_wrapper and id(getattr(thing, "__wrapped__", None)) in ours
        ]

    @property
    def namespaces(self) -> List[Dict[str, Any]]:
        """The global names of the live functions, those of each module once."""
        return list({id(function.__globals__): function.__globals__ for function, _ in self.live}.values())

    def tree(self, edits: Iterable[Edit]) -> Function:
        """Return the syntax tree of the edited function; raise SyntaxError if it is no Python."""
        parsed = ast.parse(self.prefix + applied(self.segment, edits, self.origin))
        inner = parsed.body[0]
        if isinstance(inner, ast.If) and self.prefix:
            if len(inner.body) != 1 or len(parsed.body) != 1:
                raise SyntaxError("the edit leaves the function")
            inner = inner.body[0]
        elif len(parsed.body) != 1:
            raise SyntaxError("the edit leaves the function")
        if not isinstance(inner, FUNCTIONS):
            raise SyntaxError("the edit leaves no function")
        return inner

    def shape(self, edits: Iterable[Edit]) -> str:
        """Return the edited function's tree as text that is equal for equal code; raise SyntaxError as `tree`."""
        return ast.dump(self.tree(edits))

    def compiled(self, function: Function, *, is_counted: bool = True) -> types.CodeType:
        """Compile a function, in classes of the same names, so that `super()` and `__names` work.

        It has ticks, by which its steps are counted and limited, unless it `is_counted` no more.
        """
        function.decorator_list = []
        if is_counted:
            put_ticks(function)
        wrapped: ast.stmt = function
        for name in reversed(self.classes):
            # A class parsed anew has the fields that this version of Python wants.
            shell = ast.parse("class {}: pass".format(name)).body[0]
            assert isinstance(shell, ast.ClassDef)
            shell.body = [wrapped]
            wrapped = shell
        module = ast.parse("")
        module.body = [wrapped]
        code: types.CodeType = compile(module, self.filename, "exec", self.flags, dont_inherit=True)
        for name in [*self.classes, self.outermost.name]:
            inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
            code = next(one for one in inner if one.co_name == name)
        return code

    def put(self, code: types.CodeType) -> None:
        """Give every live function its part of `code`; raise ValueError if the outermost closure does not fit."""
        parts = dict(nested(code))
        self.codes = list(parts.values())
        for function, path in self.live:
            part: Optional[types.CodeType] = parts.get(path)
            # A closure made before the hot_swap keeps its old code where the new one captures other variables.
            if part is not None and (not path or part.co_freevars == function.__code__.co_freevars):
                _replace(function, part)
        # Cached results are those of an earlier candidate.
        for cache in self.caches:
            cache.cache_clear()

    def try_on(self, edits: Iterable[Edit]) -> None:
        """Compile the edited function and put it in place; raise SyntaxError or ValueError if that is impossible."""
        self.put(self.compiled(self.tree(edits)))

    def forget(self) -> None:
        """Drop the text, so that code which is in place later cannot find it here."""
        self.source, self.segment = Source(""), ""
        self.outermost.body = []
