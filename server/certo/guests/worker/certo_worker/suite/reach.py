"""The test functions that may reach the target, found by the names that code uses, without running any of it.

Code that calls a function has to name it, or name something that does: a caller, a table, a class, a fixture. So the
names that lead to the target are followed upwards through the project's definitions until no new one is found, and a
test function is kept if it uses one of them. Names are compared as words, whatever object they belong to, so this finds
too much rather than too little: any method `get` is taken for the target's. The words in strings count as well, as in
`patch("shop.total")`.

What cannot be followed keeps everything: a function that is handed to something when its module is imported, an
automatic fixture, a target that nothing names. If that comes several steps away, where names are many and common, only
the nearest count. A method that nothing names, or whose name is put together as in
`getattr(self, "visit_" + kind)`, is taken to be called by way of its class, and a decorated function by way of its
decorator, as a route is.
"""

from __future__ import annotations

import ast
import re
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple

_WORD = re.compile(r"[^\W\d]\w*")
_MAX_NAMES = 300
"""With more names nearly every test is kept anyway, and following them takes longer than running the tests."""

_MAX_NEAR = 40
"""The number of names that count as the nearest, if those further away cannot be followed or are too many."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = (ast.If, ast.Try, ast.With)

_HARMLESS = frozenset(
    (
        *("abstractmethod", "abc", "cache", "cached_property", "classmethod", "contextlib", "contextmanager"),
        *("asynccontextmanager", "dataclass", "dataclasses", "deprecated", "final", "fixture", "functools", "getter"),
        *("lru_cache", "overload", "override", "property", "pytest", "runtime_checkable", "setter", "singledispatch"),
        *("staticmethod", "total_ordering", "typing", "typing_extensions", "wraps"),
    )
)
"""Decorators after which a function is still called by its own name, and the modules that they come from."""

_LOOKING_UP = frozenset(
    ("__all__", "__dict__", "eval", "exec", "getattr", "getmembers", "import_module", "runpy", "vars", "walk_packages")
)
"""Names with which a test may call a function that it does not name."""

_SET_UP = re.compile(r"(?i)setup|teardown|pytest_|asyncSetUp|asyncTearDown")


class Definition(NamedTuple):
    """A function, class body or variable of a module, with the words that it uses.

    `owner` is the class of a method, with dots if it is nested. `decorators` are the first words of its decorators, and
    `labels` the words in their strings, by which a registry, or pytest for a fixture, finds it.
    `is_of_library_class` is set if that class derives from one that its file imports: its methods may be called there.
    It is set for each absolute import, one of the project's own modules included.
    """

    name: str
    owner: str
    words: Set[str]
    decorators: Set[str]
    labels: Set[str]
    is_automatic: bool
    is_of_library_class: bool

    @property
    def path(self) -> str:
        """Its name with those of its classes."""
        return self.owner + "." + self.name if self.owner else self.name


class Module:
    """The definitions of one file. `loose` are the words of statements that define nothing."""

    def __init__(self, text: bytes):
        self.definitions: List[Definition] = []
        self.loose: Set[str] = set()
        self.functions: Set[str] = set()
        self._imported: Set[str] = set()
        self._derived: Set[str] = set()
        self._read(ast.parse(text).body, "")

    def _read(self, body: Iterable[ast.stmt], owner: str) -> None:
        for statement in body:
            if isinstance(statement, _FUNCTIONS):
                self._define(statement.name, owner, statement, statement.decorator_list)
                self.functions.add(self.definitions[-1].path)
            elif isinstance(statement, ast.ClassDef):
                inner = owner + "." + statement.name if owner else statement.name
                header = [*statement.bases, *(each.value for each in statement.keywords), *statement.decorator_list]
                self._define(statement.name, owner, header, statement.decorator_list)
                if not self._imported.isdisjoint(map(_first_word, statement.bases)):
                    self._derived.add(inner)
                self._read(statement.body, inner)
            elif isinstance(statement, _BLOCKS):
                self._read_block(statement, owner)
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                for alias in statement.names:
                    if not getattr(statement, "level", 0):
                        self._imported.add((alias.asname or alias.name).partition(".")[0])
                    if alias.asname is not None:
                        self._add(alias.asname, owner, {alias.name.rpartition(".")[2]})
            else:
                self._assign(statement, owner)

    def _read_block(self, block: Any, owner: str) -> None:
        if "__main__" in words_of(getattr(block, "test", None)):
            return
        for part in ("body", "orelse", "finalbody"):
            self._read(getattr(block, part, ()), owner)
        for handler in getattr(block, "handlers", ()):
            self._read(handler.body, owner)

    def _assign(self, statement: ast.stmt, owner: str) -> None:
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if names == ["__all__"]:
            return
        words = words_of(statement)
        for name in names:
            self._add(name, owner, words)
        if owner:
            # The body of a class belongs to the class.
            above, _, name = owner.rpartition(".")
            self._add(name, above, words)
        elif not names and not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            self.loose |= words

    def _define(self, name: str, owner: str, node: Any, decorators: List[ast.expr]) -> None:
        firsts = {word for word in map(_first_word, decorators) if word}
        automatic = "autouse" in words_of(decorators)
        derived = owner in self._derived
        strings = [each for part in decorators for each in ast.walk(part) if isinstance(each, ast.Constant)]
        labels = words_of(strings) if _names_itself(decorators) else set()
        self.definitions.append(Definition(name, owner, words_of(node) | firsts, firsts, labels, automatic, derived))

    def _add(self, name: str, owner: str, words: Set[str]) -> None:
        self.definitions.append(Definition(name, owner, words, set(), set(), False, False))


def words_of(node: Any) -> Set[str]:
    """Return the words that code uses: names, attributes, imported names, parameters, and words within strings."""
    found: Set[str] = set()
    waiting: List[Any] = list(node) if isinstance(node, list) else [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Name):
            found.add(each.id)
            continue
        if isinstance(each, ast.Attribute):
            found.add(each.attr)
        elif isinstance(each, (ast.arg, ast.keyword)) and each.arg:
            found.add(each.arg)
        elif isinstance(each, ast.alias):
            found.update(_WORD.findall(each.name))
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            found.update(_WORD.findall(each.value))
        waiting.extend(_parts(each))
    return found


def _parts(node: Any) -> Iterator[ast.AST]:
    """Yield what a node is made of, but for docstrings and contexts."""
    for field in getattr(node, "_fields", ()):
        value = getattr(node, field, None)
        if value.__class__ is list:
            for each in value:
                if isinstance(each, ast.AST) and not _is_docstring(each):
                    yield each
        elif field != "ctx" and isinstance(value, ast.AST) and not _is_docstring(value):
            yield value


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _first_word(expression: ast.expr) -> str:
    node: Any = expression
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


class Reach:
    """Follows the names that lead to a target. `texts` has all Python files, and `is_test` says which hold tests."""

    def __init__(self, texts: Dict[str, bytes], is_test: Callable[[str], bool]):
        self._texts = texts
        self._is_test = is_test
        self._modules: Dict[str, Optional[Module]] = {}

    def names(self, target: str, qualname: str) -> Optional[Set[str]]:
        """Return the names that lead to the target `qualname` of the file `target`; None if they cannot be followed.

        They are only the nearest of them if these were followed for two steps at least, and those behind cannot be.
        """
        parts = [part for part in qualname.split(".") if part != "<locals>"]
        names: Set[str] = set()
        new = set(_called_by(parts[-1], parts[-2] if len(parts) > 1 else ""))
        new |= set(parts[:-1]) if "<locals>" in qualname else set()
        module = self._module(target)
        if not new or module is None:
            return None
        own = [each for each in module.definitions if each.path == ".".join(parts)]
        if len(parts) == 1 and not self._is_named(parts[0]) and not any(each.decorators - _HARMLESS for each in own):
            return None
        new |= {word for each in own for word in (each.decorators - _HARMLESS) | each.labels}
        followed: List[Set[str]] = []
        while new:
            names |= new
            found = self._callers(new) if len(names) <= _MAX_NAMES else None
            if found is None:
                near = [each for each in followed[1:] if len(each) <= _MAX_NEAR]
                return near[-1] if near else None
            followed.append(set(names))
            new = found - names
        return names

    def _callers(self, new: Set[str]) -> Optional[Set[str]]:
        """Return the names of what uses one of the `new` names; None if they cannot be followed.

        They include the classes of methods that are called without being named.
        """
        pattern = whole_word(new)
        found: Set[str] = set()
        for file, text in self._texts.items():
            if not pattern.search(text):
                continue
            module, is_test = self._module(file), self._is_test(file)
            # What a file of tests does when it is imported concerns that file alone, and so do its tests.
            if not is_test and (module is None or module.loose & new):
                return None
            for each in module.definitions if module is not None else ():
                if is_test and (_is_of_tests(each) or not each.words & new):
                    continue
                if each.name in new and each.owner and self._is_called_unnamed(each, text):
                    found.add(each.owner.rpartition(".")[2])
                if not each.words & new:
                    continue
                if (each.is_automatic and not is_test) or each.name.startswith("pytest_"):
                    return None
                callers = _called_by(each.name, each.owner.rpartition(".")[2])
                if not callers:
                    return None
                found.update(callers, each.decorators - _HARMLESS, each.labels)
        return found

    def _is_called_unnamed(self, method: Definition, text: bytes) -> bool:
        """True if a method may be called by a name that is put together, by a library, or by other unknown code."""
        if method.is_of_library_class and not method.name.startswith("_"):
            return True
        starts = [method.name[: found.end()] for found in re.finditer("(?<=[^_])_", method.name)]
        either = b"|".join(re.escape(each.encode("utf-8")) for each in starts)
        quoted = re.compile(rb"""["'](?:""" + either + rb""")["'{%]""")
        return bool(starts and b"getattr" in text and quoted.search(text)) or not self._is_named(method.name)

    def _is_named(self, name: str) -> bool:
        """True if a name is used anywhere but where it is defined."""
        pattern = whole_word([name])
        word = name.encode("utf-8")
        defined = re.compile(rb"(?:\bdef[ \t]+)" + re.escape(word) + rb"(?![\w\x80-\xff])")
        texts = (text for text in self._texts.values() if word in text)
        return any(len(pattern.findall(text)) > len(defined.findall(text)) for text in texts)

    def _module(self, file: str) -> Optional[Module]:
        if file not in self._modules:
            try:
                self._modules[file] = Module(self._texts[file])
            except (KeyError, SyntaxError, ValueError, RecursionError, MemoryError):
                self._modules[file] = None
        return self._modules[file]

    def left_out(self, file: str, names: Set[str]) -> Optional[Set[str]]:
        """Return the test functions of a file that cannot reach the target, as `Class.test`.

        None means to leave out the whole file. The others can reach it, or nothing is known of them, as of tests that a
        class inherits from another file.
        """
        if not whole_word({*names, *_LOOKING_UP}).search(self._texts[file]):
            return None
        module = self._module(file)
        if module is None:
            return set()
        leading = _leading(module, names | _LOOKING_UP)
        if leading is None:
            return set()
        kept, whole_classes = leading
        if not kept and not whole_classes:
            return None
        return {
            path
            for path in module.functions
            if path not in kept and not any(path.startswith(each + ".") for each in whole_classes)
        }


def _leading(module: Module, names: Set[str]) -> Optional[Tuple[Set[str], Set[str]]]:
    """Return the functions of a test file that lead to `names`, and the classes of which all do; None to keep all."""
    names = set(names)
    kept: Set[str] = set()
    whole: Set[str] = set()
    if module.loose & names:
        return None
    growing = True
    while growing:
        growing = False
        for each in module.definitions:
            if each.path in kept or not each.words & names:
                continue
            kept.add(each.path)
            names.add(each.name)
            growing = True
            if each.is_automatic or _SET_UP.match(each.name) or each.name == "pytestmark":
                if not each.owner:
                    return None
                whole.add(each.owner)
            if each.path not in module.functions:
                whole.add(each.path)  # a class whose body or header uses a name
    return kept, whole


def _names_itself(decorators: List[ast.expr]) -> bool:
    """True if the strings of decorators may be names; those of pytest's marks are parameters, but for a fixture's."""
    return any(_first_word(each) != "pytest" or "fixture" in words_of(each) for each in decorators)


def _is_of_tests(definition: Definition) -> bool:
    """True for a test, a class of tests, and what is done for all tests of a file or class."""
    return definition.name.lower().startswith("test") or _SET_UP.match(definition.name) is not None


def _called_by(name: str, owner: str) -> List[str]:
    """Return the names by which a function may be called; operators and constructors go by their class's.

    There is none for a function such as `__getattr__` of a module.
    """
    if name.startswith("__") and name.endswith("__"):
        return [owner] if owner else []
    return [name]


def whole_word(words: Iterable[str]) -> "re.Pattern[bytes]":
    """Return a pattern that finds one of some names as a whole, in whatever script it is spelled."""
    either = b"|".join(re.escape(word.encode("utf-8")) for word in sorted(words))
    return re.compile(rb"(?<![\w\x80-\xff])(?:" + either + rb")(?![\w\x80-\xff])")
