"""Original classes: those of the target's file before the candidate's edit, loaded in the test process.

Their operators compare objects of the candidate (see `comparison`). The user wrote them and relied on them before the
search began, so they are the only operators that the tests can trust: those of the candidate belong to the code under
test, and a generic comparison of states would be wrong for classes that define equality by some of their attributes.

The original source is executed once, on first use, in a module of its own. The tests never see that module.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import io
import os
import sys
import types
import warnings
from types import CodeType, FunctionType, ModuleType
from typing import Any, Callable, Dict, Iterator, Optional, Set

_CONSTANT = (type(None), bool, int, float, complex, str, bytes, tuple, frozenset, type, ModuleType, FunctionType)
_CHANGING = (list, dict, set, bytearray)
_OF_PYTHON = 1 << 9

# Objects of these libraries can be made equal to anything, as `mock.ANY` is. A candidate that returned one would pass.
_OF_TESTS = frozenset(("pytest", "_pytest", "unittest", "pluggy", "doctest", "hypothesis", "mock", "certo_worker"))


class OriginalClasses:
    """Original classes by name. `text` is the original source of `file`, in which the target's `def` is at `line`."""

    def __init__(self, file: str, text: str, line: int):
        self.file = os.path.realpath(file)
        self.text = text
        self._line = line
        self._lines: Optional[range] = None
        self._modules: Dict[str, Optional[ModuleType]] = {}
        self._besides: Dict[str, ModuleType] = {}  # modules imported by the original one, kept out of sys.modules
        self._packages: Set[str] = set()
        self._named: Optional[Set[str]] = None

    def find(self, module: str, qualname: str) -> Optional[type]:
        """Return the original class of this name, if there is one of which twins may be made."""
        found: Any = self._module(module)
        for name in qualname.split(".") if found is not None else ():
            found = vars(found).get(name) if isinstance(found, (type, ModuleType)) else None
        if not isinstance(found, type) or found.__module__ != module or found.__qualname__ != qualname:
            return None
        return found if found is types.SimpleNamespace or found.__flags__ & _OF_PYTHON else None

    def _module(self, name: str) -> Optional[ModuleType]:
        here = sys.modules.get(name)
        if self._is_own(here):
            return self._before(name)
        package = name.partition(".")[0]
        if package in _OF_TESTS or not (self._is_standard(package) or self._uses(package)):
            return None
        if here is None and name not in self._besides:
            # Where only the file itself imports a module, the tests have it once the original source was executed.
            for own in list(self._own_names()):
                self._before(own)
        return self._besides.get(name) or sys.modules.get(name)

    @staticmethod
    def _is_standard(package: str) -> bool:
        file = getattr(sys.modules.get(package), "__file__", None)
        return package in sys.builtin_module_names or (
            isinstance(file, str)
            and os.path.realpath(file).startswith(os.path.dirname(os.path.realpath(os.__file__)))
            and "site-packages" not in file
        )

    def _uses(self, package: str) -> bool:
        """True if the original source imports from a package, or is part of it."""
        if not self._packages:
            self._packages.update(name.partition(".")[0] for name in self._own_names())
            with contextlib.suppress(SyntaxError, ValueError):
                self._packages.update(_imported(ast.parse(self.text)))
        return package in self._packages

    def _own_names(self) -> Iterator[str]:
        """Return the names by which the tests have imported the file."""
        return (name for name, module in list(sys.modules.items()) if self._is_own(module))

    def _is_own(self, module: Optional[ModuleType]) -> bool:
        file = getattr(module, "__dict__", {}).get("__file__")
        return isinstance(file, str) and os.path.realpath(file) == self.file

    def _before(self, name: str) -> Optional[ModuleType]:
        """Return the original module, executed under the name by which the tests import it."""
        if name not in self._modules:
            self._modules[name] = None
            module = ModuleType(name)
            module.__file__ = self.file
            module.__package__ = name.rpartition(".")[0]
            if os.path.basename(self.file) == "__init__.py":
                module.__package__, module.__path__ = name, [os.path.dirname(self.file)]
            try:
                with self._aside(name, module):
                    exec(compile(self.text, self.file, "exec", dont_inherit=True), vars(module))
            except (Exception, SystemExit):
                return None
            except BaseException:
                del self._modules[name]  # the time limit of a test; the next test may have more time
                raise
            self._modules[name] = module
        return self._modules[name]

    @contextlib.contextmanager
    def _aside(self, name: str, module: ModuleType) -> Iterator[None]:
        """Hide the execution of the original module: its output, its warnings and its entry in `sys.modules`.

        Modules that it imports for the first time are kept only if they do not refer to it. The others have bound
        objects of the original module, where the tests must find those of the candidate, and move to `_besides`.
        """
        before = dict(sys.modules)
        sys.modules[name] = module
        try:
            with contextlib.ExitStack() as quiet:
                quiet.enter_context(contextlib.redirect_stdout(io.StringIO()))
                quiet.enter_context(contextlib.redirect_stderr(io.StringIO()))
                quiet.enter_context(warnings.catch_warnings())
                warnings.simplefilter("ignore")
                yield
        finally:
            sys.modules[name] = before[name]
            for other in [each for each in sys.modules if each not in before]:
                if any(value is module or _is_of(value, name) for value in list(vars(sys.modules[other]).values())):
                    self._besides[other] = sys.modules.pop(other)

    def is_target(self, code: CodeType) -> bool:
        """True if code is that of the target, or of a function within it, in the original source."""
        if code.co_filename != self.file or code.co_name == "<module>":
            return False
        if self._lines is None:
            self._lines = next(filter(None, map(self._at_line, ast.walk(ast.parse(self.text)))), range(0))
        return code.co_firstlineno in self._lines

    def _at_line(self, node: ast.AST) -> Optional[range]:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or node.lineno != self._line:
            return None
        return range(min([node.lineno, *(each.lineno for each in node.decorator_list)]), (node.end_lineno or 0) + 1)

    def watched(self, question: Callable[[], Any]) -> WatchedCall:
        """Call `question` and record each function that it executes, to know whether the target was among them."""
        asked = WatchedCall()
        before = sys.getprofile()

        def called(frame: types.FrameType, event: str, _argument: Any) -> None:
            if event == "call":
                asked.codes.add(frame.f_code)

        sys.setprofile(called)
        try:
            asked.answer = question()
        except Exception as error:
            asked.error = error
        finally:
            sys.setprofile(before)
        asked.is_target = any(self.is_target(code) for code in asked.codes)
        return asked

    def depends(self, asked: WatchedCall, kind: type) -> bool:
        """True if an answer may depend on mutable state outside the objects: globals or class attributes.

        Each process has its own copy of such state, and they may differ. An honest candidate may then give another
        answer than the original operator.
        """
        for code in asked.codes:
            for module in filter(None, self._modules.values()):
                if code.co_filename == self.file and any(_changes(vars(module), name) for name in _globals_of(code)):
                    return True
        own = [base for base in kind.__mro__ if base.__module__ in self._modules]
        return any(
            isinstance(value, _CHANGING) and not name.startswith("_" * 2)
            for base in own
            for name, value in vars(base).items()
        )

    def has_within(self, qualname: str, method: str) -> bool:
        """True if a function of the original source defines a class of that name with that method."""
        try:
            found: Any = ast.parse(self.text)
        except (SyntaxError, ValueError):
            return False
        for part in qualname.replace("<locals>.", "").split("."):
            found = next((each for each in ast.walk(found) if getattr(each, "name", None) == part), None)
            if found is None:
                return False
        if not isinstance(found, ast.ClassDef):
            return False
        generated = any("dataclass" in ast.dump(each) or "ordering" in ast.dump(each) for each in found.decorator_list)
        return generated or any(getattr(each, "name", None) == method for each in found.body)

    def has_method(self, name: str) -> bool:
        """True if a class of the original source defines a function of that name."""
        if self._named is None:
            classes: Iterator[ast.AST] = iter(())
            with contextlib.suppress(SyntaxError, ValueError):
                classes = ast.walk(ast.parse(self.text))
            bodies = [each.body for each in classes if isinstance(each, ast.ClassDef)]
            self._named = {getattr(each, "name", "") for body in bodies for each in body}
        return name in self._named


class WatchedCall:
    """The result of a watched call: the answer or the exception, the code executed, and whether the target was run."""

    def __init__(self) -> None:
        self.answer: Any = None
        self.error: Optional[Exception] = None
        self.codes: Set[CodeType] = set()
        self.is_target = False


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _is_of(value: Any, module: str) -> bool:
    return isinstance(value, (type, FunctionType)) and value.__module__ == module


def _globals_of(code: CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname == "LOAD_GLOBAL" and isinstance(step.argval, str):
            yield step.argval


def _changes(namespace: Dict[str, Any], name: str) -> bool:
    return name in namespace and not isinstance(namespace[name], _CONSTANT)
