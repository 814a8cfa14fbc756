"""The text of a test file with tests added: no existing line is changed."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterator, Mapping, Sequence

from certo.edits.patch import apply_edits
from certo.edits.positions import newline_of, split_lines, with_newlines
from certo.generation.regression.bodies import TestBody
from certo.generation.regression.layout import TestPlace, is_test_case
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span, TextEdit

STANDARD = frozenset(
    ["asyncio", "collections", "datetime", "decimal", "enum", "fractions", "pathlib", "re", "unittest", "uuid"]
)


MAX_DOCSTRING = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A row of a table of `parametrize`: the test of that name makes the `statement` about each row's values.

    Its `fixtures` are in the statement, the same ones in each row.
    """

    table: str
    id: str
    names: tuple[str, ...]
    values: tuple[str, ...]
    statement: str
    fixtures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTest:
    """One test: its name, its body, and the names that it needs from modules; "" for the module of that name.

    What it `states` is its docstring, where the neighbours have one. A test that is the `row` of a table has its name
    from pytest, and stands alone only as a broken copy.
    """

    name: str
    body: TestBody
    imports: tuple[tuple[str, str], ...]
    states: str = ""
    row: TableRow | None = None


_Block = tuple[Sequence[str], str | None, bool]
"""Lines, the name of their test, None for what several need, and True if they go on with those before."""


class TestFileWriter:
    """Adds tests of one function to a file; `subject` is the name after which a class of tests is called."""

    __test__ = False

    def __init__(self, place: TestPlace, subject: str) -> None:
        self._place = place
        self._original = place.text or ""
        self._lines = split_lines(self._original)
        self._tree = ast.parse(self._original.lstrip("\ufeff"))
        self._class = _class_name(subject)
        self._bound = _bound_names(self._tree)
        # Python refuses a class whose lines are indented in both ways.
        self._indent = "\t" if any(line.startswith("\t") for line in self._lines) else "    "
        self._owner = self._find_owner()

    @property
    def names(self) -> set[str]:
        """The names of the tests that there are where the new ones go."""
        within = self._owner.body if self._owner is not None else self._tree.body
        return {node.name for node in within if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}

    @property
    def prefixes(self) -> Mapping[str, str]:
        """Modules that the file imports whole, with the names under which it knows them."""
        found: dict[str, str] = {}
        for node in self._tree.body:
            if isinstance(node, ast.Import):
                found.update((one.name, one.asname or one.name) for one in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.update((f"{node.module}.{one.name}", one.asname or one.name) for one in node.names)
        return found

    def is_bound(self, name: str) -> bool:
        """True if the file imports or defines a name."""
        return name in self._bound

    def is_another(self, name: str, home: str) -> bool:
        """True if a name is known to the file, but from elsewhere than a module or its package."""
        origin = self._bound.get(name, home)
        return not f"{home}.".startswith(f"{origin}.") and not f"{origin}.".startswith(f"{home}.")

    def within_file(self, name: str) -> str:
        """Return what pytest calls a test within its file."""
        return f"{self._class}::{name}" if self._in_class else name

    def node_id(self, name: str) -> str:
        """Return what pytest calls a test."""
        return f"{self._place.path}::{self.within_file(name)}"

    @property
    def _in_class(self) -> bool:
        return self._place.style.form != "functions"

    def _find_owner(self) -> ast.ClassDef | None:
        """Return the class that tests are added to, if there is one for this subject."""
        if not self._in_class:
            return None
        wants_case = self._place.style.form == "unittest"
        classes = [
            node for node in self._tree.body if isinstance(node, ast.ClassDef) and is_test_case(node) == wants_case
        ]
        return next((node for node in classes if node.name == self._class), None)

    def text(self, tests: Sequence[NewTest], broken: Collection[tuple[str, int]] = ()) -> str:
        """Return the file with tests; for `broken`, pairs of a test and an assertion, also copies that must fail."""
        return apply_edits(self._original, [edit for edit, _ in self.edits(tests, broken)])

    def edits(
        self, tests: Sequence[NewTest], broken: Collection[tuple[str, int]] = ()
    ) -> list[tuple[TextEdit, str | None]]:
        """Return the insertions in the file, each with the name of its test; None for what all tests need."""
        imports = self._imports(tests)
        blocks = [*self._table([test for test in tests if test.row is not None])]
        blocks += [(self._function(test, None), test.name, False) for test in tests if test.row is None]
        blocks += [
            (self._function(test, number), test.name, False)
            for test in tests
            for name, number in broken
            if name == test.name
        ]
        if not self._original.strip():
            return self._in_new_file(imports, blocks)
        found: list[tuple[TextEdit, str | None]] = []
        if imports:
            at = self._after_imports()
            text = "\n" + "\n".join(line for group in imports for line in group)
            found.append((self._insertion(at, text if at else text[1:] + "\n\n\n"), None))
        at = (self._owner.end_lineno or 0) if self._owner is not None else self._end()
        gap = "\n\n" if self._in_class else "\n\n\n"
        head = self._class_head() if self._owner is None else None
        if head is not None:
            found.append((self._insertion(at, f"\n\n\n{head}"), None))
        for number, (block, name, goes_on) in enumerate(blocks):
            start = "\n" if goes_on or (head is not None and not number) else gap
            found.append((self._insertion(at, start + "\n".join(block)), name))
        if at == len(self._lines) and not self._original.endswith("\n"):
            found.append((self._insertion(at, "\n"), None))
        return found

    def _in_new_file(
        self, imports: Sequence[Sequence[str]], blocks: Sequence[_Block]
    ) -> list[tuple[TextEdit, str | None]]:
        head = "\n\n".join("\n".join(group) for group in imports)
        owner = self._class_head()
        if owner is not None:
            head += f"\n\n\n{owner}"
        span = Span(0, len(self._original))
        found: list[tuple[TextEdit, str | None]] = [(TextEdit(span, head), None)]
        here = Span(span.end, span.end)
        for number, (block, name, goes_on) in enumerate(blocks):
            gap = "\n" if goes_on else "\n\n\n" if owner is None else "\n\n" if number else "\n"
            found.append((TextEdit(here, gap + "\n".join(block)), name))
        return [*found, (TextEdit(here, "\n"), None)]

    def _insertion(self, line: int, text: str) -> TextEdit:
        """Return the insertion of a text at the end of a line, counted from 1; at the very start for line 0."""
        before = "".join(self._lines[:line])
        place = len(before.rstrip("\r\n")) if line else 0
        return TextEdit(Span(place, place), with_newlines(text, newline_of(self._original)))

    def _class_head(self) -> str | None:
        if not self._in_class:
            return None
        return f"class {self._class}{'(unittest.TestCase)' if self._place.style.form == 'unittest' else ''}:"

    def source(self, test: NewTest) -> str:
        """Return one test as it is shown."""
        blocks = self._table([test], indent="") if test.row is not None else [(self._function(test, None, indent=""),)]
        return "\n".join(line for lines, *_ in blocks for line in lines) + "\n"

    @staticmethod
    def broken_name(name: str, number: int) -> str:
        """Return the name of a copy with a broken assertion."""
        plain = re.sub(r"\W+", "_", name).strip("_")
        return f"{plain}__broken_{number}"

    def _table(self, tests: Sequence[NewTest], indent: str | None = None) -> Iterator[_Block]:
        """Yield the table of the tests that are its rows: its head, each row, and its function."""
        rows = [(test.name, test.row) for test in tests if test.row is not None]
        if not rows:
            return
        if indent is None:
            indent = self._indent if self._in_class else ""
        unit, first = self._indent, rows[0][1]
        names = ", ".join(map(repr, first.names))
        arguments = ", ".join([*(["self"] if self._in_class else []), *first.fixtures, *first.names])
        head = ["@pytest.mark.parametrize(", f"{unit}({names}),", f"{unit}["]
        yield [f"{indent}{self._quoted(line)}" for line in head], None, False
        for name, row in rows:
            line = f"pytest.param({', '.join(row.values)}, id={row.id!r}),"
            yield [f"{indent}{unit * 2}{self._quoted(line)}"], name, True
        tail = [f"{unit}],", ")", f"def {first.table}({arguments}):", f"{unit}{first.statement}"]
        yield [f"{indent}{line}" for line in tail], None, True

    def _quoted(self, line: str) -> str:
        return line if self._place.style.has_single_quotes else with_double_quotes(line)

    def _function(self, test: NewTest, broken: int | None, indent: str | None = None) -> list[str]:
        name = test.name if broken is None else self.broken_name(test.name, broken)
        arguments = [*(["self"] if self._in_class else []), *test.body.fixtures]
        if indent is None:
            indent = self._indent if self._in_class else ""
        head = f"{indent}def {name}({', '.join(arguments)}):"
        lines = [self._quoted(line) for line in test.body.lines(broken)]
        if self._place.style.has_docstrings and _is_plain(test.states):
            lines.insert(0, f'"""{test.states}."""')
        return [head, *(f"{indent}{self._indent}{_indented(line, self._indent)}" for line in lines)]

    def _end(self) -> int:
        """Return the number of lines before which tests are added: the end, or a block that runs the tests."""
        at = len(self._lines)
        last = self._tree.body[-1] if self._tree.body else None
        if isinstance(last, ast.If) and "__name__" in ast.unparse(last.test):
            at = last.lineno - 1
        while at and not self._lines[at - 1].strip():
            at -= 1
        return at

    def _imports(self, tests: Sequence[NewTest]) -> list[list[str]]:
        """Return the lines of the imports that the file lacks, in groups."""
        wanted: dict[str, set[str]] = {}
        modules: set[str] = set()
        for test in tests:
            modules |= set(test.body.modules) - set(self._bound)
            for name, home in test.imports:
                if name not in self._bound and home:
                    wanted.setdefault(home, set()).add(name)
                elif name not in self._bound:
                    modules.add(name)
        if self._place.style.form == "unittest" and self._owner is None:
            modules |= {"unittest"} - set(self._bound)
        is_new = not self._original.strip() and self._place.style.has_future_import
        head = ["from __future__ import annotations"] if is_new else []
        standard = [f"import {name}" for name in sorted(modules) if name in STANDARD]
        standard += [_from(home, wanted[home]) for home in sorted(wanted) if home.partition(".")[0] in STANDARD]
        installed = [f"import {name}" for name in sorted(modules) if name not in STANDARD]
        own = [_from(home, wanted[home]) for home in sorted(wanted) if home.partition(".")[0] not in STANDARD]
        return [group for group in (head, standard, installed, own) if group]

    def _after_imports(self) -> int:
        """Return the number of lines up to the last import at the top, or the docstring."""
        at = 0
        for number, node in enumerate(self._tree.body):
            is_docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if not is_docstring and not isinstance(node, ast.Import | ast.ImportFrom):
                break
            at = node.end_lineno or at
        return at


def _is_plain(states: str) -> bool:
    """True if a text can be a docstring as it is."""
    return bool(states) and len(states) <= MAX_DOCSTRING and states.isprintable() and not set(states) & {'"', "\\"}


def _indented(line: str, unit: str) -> str:
    """Return a line of a body with its own indentation in the file's unit."""
    plain = line.lstrip(" ")
    return unit * ((len(line) - len(plain)) // 4) + plain


def with_double_quotes(line: str) -> str:
    """Return a line of Python with its texts in double quotes, as far as that needs no backslash."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(line).readline):
            plain = token.string.lstrip("rbRB")
            is_simple = plain[:1] == "'" and plain[:3] != "'''" and '"' not in plain and "\\'" not in plain
            if token.type == tokenize.STRING and is_simple:
                found.append((token.end[1] - len(plain), token.end[1]))
    except (tokenize.TokenError, IndentationError):
        # The head of a block, or a part of one: what was found until here is enough.
        pass
    for start, end in reversed(found):
        line = f'{line[:start]}"{line[start + 1 : end - 1]}"{line[end:]}'
    return line


def _from(home: str, names: Collection[str]) -> str:
    return f"from {home} import {', '.join(sorted(names))}"


def _class_name(subject: str) -> str:
    words = [word for part in subject.split(".") for word in part.split("_") if word]
    return "Test" + "".join(word[:1].upper() + word[1:] for word in words)


def _bound_names(tree: ast.Module) -> dict[str, str]:
    """Return the names that a module's top level imports and defines, each with the module that it comes from."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            found.update((one.asname or one.name.partition(".")[0], one.name) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.update((one.asname or one.name, node.module or ".") for one in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = "."
        elif isinstance(node, ast.Assign):
            found.update((target.id, ".") for target in node.targets if isinstance(target, ast.Name))
    return found
