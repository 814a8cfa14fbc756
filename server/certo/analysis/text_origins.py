"""The origins of the texts in a function, found by reading its expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from certo.analysis.introspection import FRAMES
from certo.analysis.text_expressions import (
    MODULES,
    arguments_of,
    classified,
    is_harmless,
    is_no_name,
    is_recased,
    makes_characters,
    mentioned,
    names_after_root,
    operands,
    root_of,
    text_of,
)
from certo.analysis.text_variables import BUILTINS, CUT, GIVEN, MADE, PIECE, TEXT, TextVariables

_MAKERS = frozenset({"chr", "dir", "getmembers", "getmembers_static"})
_PASSING_NAMES = "list tuple set frozenset dict sorted reversed iter zip enumerate sum"
_PASSING = frozenset(_PASSING_NAMES.split())
_TAKING_ONE = frozenset({"next", "min", "max"})
_OF_NUMBERS = frozenset({"bytes", "bytearray", "memoryview", "array", "pack", "to_bytes", "tobytes"})
_ALIGNING = frozenset("<>=^")
_NUMERIC = frozenset("bdeEfFgGnoxX%")
"""Ends of format specifications that no text takes."""

_SAYING = frozenset({"str", "repr", "ascii", "format", "hex", "oct", "bin"})
_NO_TEXT_NAMES = """
    int float len ord abs any all bool isinstance issubclass hasattr callable id hash range round divmod pow super
    object print setattr delattr attrgetter itemgetter methodcaller
"""
_NO_TEXT = frozenset(_NO_TEXT_NAMES.split())
_NAMES_OF_OBJECTS = frozenset({"__name__", "__qualname__", "__module__", "__doc__"})

_CHANGING_NAMES = """
    lower upper swapcase casefold title capitalize replace strip lstrip rstrip removeprefix removesuffix translate
    decode encode zfill expandtabs ljust rjust center format format_map
"""
_CHANGING = frozenset(_CHANGING_NAMES.split())
_ADDING = frozenset({"replace", "translate", "format", "format_map", "ljust", "rjust", "center"})
"""Of these, what puts its arguments into the text."""

_STRIPPING = frozenset({"strip", "lstrip", "rstrip"})
_HARMLESS = frozenset(
    {"gettext.gettext", "gettext.ngettext", "textwrap.dedent", "inspect.cleandoc", "copy.copy", "copy.deepcopy"}
)
"""Functions of the library that give a text as it was, but for the blanks around its lines and its language."""

_SPLITTING = frozenset({"split", "rsplit", "splitlines", "partition", "rpartition"})
_LOOKING_UP = frozenset({"get", "pop", "setdefault", "__getitem__"})


class TextOrigins(TextVariables):
    """The origins of the texts in one node of a module."""

    def level(self, node: ast.AST) -> int:
        """Return the origin of an expression's text."""
        known = self.known.get(node)
        if known is None:
            special = _LEVELS.get(type(node))
            inner = map(self.level, ast.iter_child_nodes(node))
            known = special(self, node) if special is not None else max(inner, default=GIVEN)
            self.known[node] = known
        return known

    def _of_constant(self, node: ast.Constant) -> int:
        if not isinstance(node.value, str | bytes) or not node.value:
            return GIVEN
        text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        names = {word.lstrip("_") for word in text.replace(".", " ").split()}
        return MADE if names & MODULES or any(name in text and name != text for name in FRAMES) else PIECE

    def _of_name(self, node: ast.Name) -> int:
        if node.id in self.functions.keys() | self.classes:
            return PIECE
        level = self.levels.get(node.id, GIVEN)
        return level if node.id in self.local else MADE if node.id in _MAKERS else max(PIECE, level)

    def _of_attribute(self, node: ast.Attribute) -> int:
        level = max(self.fields.get(node.attr, GIVEN), self.level(node.value))
        if node.attr in _NAMES_OF_OBJECTS:
            within = classified(node.value)
            if within is not None:
                return self.level(within)
            own = isinstance(node.value, ast.Name) and (node.value.id in self.functions.keys() | self.classes)
            return max(PIECE, level) if own or node.attr == "__doc__" else level
        if node.attr == "__dict__":
            return MADE if level >= PIECE else level
        return max(PIECE, level) if node.attr == "__class__" else level

    def _of_nothing(self, _node: ast.AST) -> int:
        return GIVEN

    def _of_choice(self, node: ast.IfExp) -> int:
        return max(self.level(node.body), self.level(node.orelse))

    def _of_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.Lambda) -> int:
        return self.level(node.body if isinstance(node, ast.Lambda) else node.elt)

    def _of_dictionary(self, node: ast.DictComp) -> int:
        return max(self.level(node.key), self.level(node.value))

    def _of_slice(self, node: ast.Subscript) -> int:
        level = self.level(node.value)
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return min(level, PIECE) if mentioned(node.value) == "__dict__" else level
        if isinstance(node.slice, ast.Slice) and level >= PIECE:
            return MADE
        return max(level, CUT)

    def _of_joined(self, node: ast.JoinedStr | ast.BinOp) -> int:
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Add):
            left, right = self.level(node.left), self.level(node.right)
            changed = isinstance(node.op, ast.Mod) and left and (right > GIVEN or makes_characters(node.left))
            return MADE if changed else max(left, right)
        parts = operands(node)
        levels = [self.level(each) for each in parts]
        if all(isinstance(each, ast.Constant) for each in parts):
            return PIECE
        made = MADE in levels or sum(level > GIVEN for level in levels) > 1
        if is_harmless(parts):
            return TEXT if made or TEXT in levels else PIECE
        if is_recased(parts):
            return max(levels)
        return MADE if made else max(levels, default=GIVEN)

    def _of_formatted(self, node: ast.FormattedValue) -> int:
        level = self._said(node.value)
        if not isinstance(node.format_spec, ast.JoinedStr):
            return level
        # A specification cuts a text, or fills it up with characters of its own.
        spec = text_of(node.format_spec.values[0]) if len(node.format_spec.values) == 1 else ""
        inner = (each for each in ast.walk(node.format_spec) if isinstance(each, ast.FormattedValue))
        if makes_characters(node.format_spec) or any(self.level(each.value) >= PIECE for each in inner):
            return MADE
        fills = spec[:1] == "_" or spec[:1].isalpha()
        if spec[1:2] in _ALIGNING and fills:
            return MADE if level > GIVEN else PIECE
        return MADE if level >= PIECE and spec[-1:] not in _NUMERIC else level

    def _of_call(self, node: ast.Call) -> int:
        given = self.given_to(node)
        if isinstance(node.func, ast.Attribute):
            return self._of_method(node, node.func, given)
        name = mentioned(node.func)
        if name in self.functions and self.levels.get(name, GIVEN) >= (PIECE if name in self.local else MADE):
            return MADE if given == MADE else self.levels[name]
        if not name or name in self.local:
            level = self.level(node.func)
            return MADE if given == MADE or (level >= PIECE and given >= PIECE) else max(level, self._of_texts(node))
        builtin = _BUILTIN_CALLS.get(name)
        if builtin is not None:
            return builtin(self, node, given)
        return self._of_function(node, given)

    def _of_passing(self, node: ast.Call, given: int) -> int:
        named = PIECE if any(each.arg and mentioned(node.func) == "dict" for each in node.keywords) else GIVEN
        return max(given, named)

    def _of_mapping(self, node: ast.Call, given: int) -> int:
        """Return the origin of `map` and `filter`, of which the first argument is a function."""
        if not node.args:
            return given
        function = node.args[0]
        rest = max(map(self.level, node.args[1:]), default=GIVEN)
        name = mentioned(function)
        if name in self.functions:
            return max(rest, self.levels.get(name, GIVEN))
        if isinstance(function, ast.Lambda) or name in _MAKERS:
            return max(rest, self.level(function))
        if isinstance(function, ast.Attribute) and function.attr in _CHANGING and rest >= PIECE:
            return MADE
        return rest

    def _of_one(self, _node: ast.Call, given: int) -> int:
        return max(CUT, given)

    def _of_numbers(self, node: ast.Call, given: int) -> int:
        """Return the origin of text made of numbers; only those of a parameter make no new text."""
        return max(PIECE, given) if self._mentions_local(node) else MADE

    def _of_saying(self, node: ast.Call, given: int) -> int:
        if mentioned(node.func) != "str":
            return MADE if given >= PIECE else max(map(self._said, arguments_of(node)), default=GIVEN)
        if len(node.args) + len(node.keywords) > 1:
            # With an encoding it decodes.
            level = self.level(arguments_of(node)[0])
            return MADE if level >= PIECE else level
        return max(map(self._said, node.args), default=GIVEN)

    def _said(self, node: ast.expr) -> int:
        """Return the origin of what Python says of an object: its own words, unless the object may be given."""
        level = self.level(node)
        return level if level or self._mentions_local(node) else PIECE

    def _of_class(self, _node: ast.Call, given: int) -> int:
        return max(PIECE, given)

    def _of_variables(self, node: ast.Call, given: int) -> int:
        return PIECE if not node.args else MADE if given >= PIECE else given

    def _of_none(self, _node: ast.Call, _given: int) -> int:
        return GIVEN

    def _of_fetching(self, node: ast.Call, _given: int) -> int:
        return max(map(self.level, (*node.args[:1], *node.args[2:])), default=GIVEN)

    def _of_making(self, _node: ast.Call, _given: int) -> int:
        return MADE

    def _of_function(self, node: ast.Call, given: int) -> int:
        """Return the origin of what a function of the module or the library gives."""
        if self._meaning_of(node.func) in _HARMLESS:
            return given
        if given == MADE or (given >= PIECE and self._meaning_of(node.func) and self._texts(node)):
            return MADE
        if not self._mentions_local(node):
            return max(PIECE, self._of_texts(node))
        return max(given if given < PIECE else GIVEN, self._of_texts(node))

    def _meaning_of(self, function: ast.expr) -> str:
        """Return the dotted name by which a function is known to the library; an empty text if it is not from there."""
        root = root_of(function)
        if root in self.local:
            return ""
        meaning = self.library.get(root, f"builtins.{root}" if root in BUILTINS else "")
        return meaning and ".".join([meaning, *names_after_root(function)])

    def _of_texts(self, node: ast.Call) -> int:
        """Return the origin of what an unknown function makes of the texts it is given."""
        return MADE if self._texts(node) > 1 else GIVEN

    def _texts(self, node: ast.Call) -> int:
        return sum(self._holds_text(each) for each in arguments_of(node))

    def _holds_text(self, node: ast.expr) -> bool:
        """True if an argument is text of the function's own, and no function or class that it hands over."""
        return self.level(node) >= PIECE and not (isinstance(node, ast.Name) and node.id not in self.local)

    def _mentions_local(self, node: ast.AST) -> bool:
        whole: Iterable[ast.AST] = arguments_of(node) if isinstance(node, ast.Call) else (node,)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            whole = (*whole, node.func.value)
        known = self.local - self.functions.keys() - self.classes
        return any(isinstance(each, ast.Name) and each.id in known for part in whole for each in ast.walk(part))

    def _of_method(self, node: ast.Call, method: ast.Attribute, given: int) -> int:
        level = self.level(method.value)
        if given == MADE:
            return MADE
        if method.attr == "join":
            return self._of_join(node, method.value, level)
        if level == MADE or method.attr in _MAKERS:
            return MADE
        if method.attr in _OF_NUMBERS:
            return max(self._of_numbers(node, given), level)
        of_class = isinstance(method.value, ast.Name) and method.value.id in BUILTINS
        if method.attr in _CHANGING and not of_class:
            return self._of_changing(node, method, level, given)
        if self._meaning_of(method):
            return self._of_function(node, given)
        return self._of_other_method(node, method, level, given)

    def _of_join(self, node: ast.Call, separator: ast.expr, level: int) -> int:
        given = self.given_to(node)
        whole = bool(node.args) and isinstance(node.args[0], ast.Name | ast.Subscript | ast.Attribute)
        if given > (CUT if whole else GIVEN):
            return MADE if not is_no_name(text_of(separator)) else given
        return max(given, level if not isinstance(separator, ast.Constant) else GIVEN)

    def _of_changing(self, node: ast.Call, method: ast.Attribute, level: int, given: int) -> int:
        if level >= PIECE:
            if method.attr in _STRIPPING and not arguments_of(node):
                return level
            fits = method.attr != "format" or given > GIVEN or makes_characters(method.value)
            return MADE if fits else level
        if isinstance(method.value, ast.Constant) and given:
            return MADE
        letters = any(each.isalnum() for part in node.args for each in text_of(part))
        plain = all(isinstance(each, ast.Constant) for each in node.args)
        adds = method.attr in _ADDING and given >= PIECE and (letters or not plain)
        return PIECE if adds else level

    def _of_other_method(self, node: ast.Call, method: ast.Attribute, level: int, given: int) -> int:
        if method.attr in _SPLITTING:
            cut = any(each.isalnum() for part in node.args for each in text_of(part))
            return MADE if level >= PIECE and (cut or given > PIECE) else level
        if method.attr in _LOOKING_UP:
            default = max(map(self.level, node.args[1:]), default=GIVEN)
            return max(level, default, CUT if method.attr == "pop" else GIVEN)
        if level >= PIECE:
            if given >= PIECE and self._texts(node):
                return MADE
            free = not self._mentions_local(method.value) and any(map(self._mentions_local, node.args))
            return given if free else level
        if isinstance(method.value, ast.Constant) and isinstance(method.value.value, str | bytes) and given:
            return MADE
        own = max(self.levels.get(method.attr, GIVEN), self.fields.get(method.attr, GIVEN))
        return max(level, own, self._of_texts(node))


_LEVELS: dict[type[ast.AST], Callable[[TextOrigins, Any], int]] = {
    ast.Constant: TextOrigins._of_constant,
    ast.Name: TextOrigins._of_name,
    ast.Attribute: TextOrigins._of_attribute,
    ast.Compare: TextOrigins._of_nothing,
    ast.IfExp: TextOrigins._of_choice,
    ast.ListComp: TextOrigins._of_comprehension,
    ast.SetComp: TextOrigins._of_comprehension,
    ast.GeneratorExp: TextOrigins._of_comprehension,
    ast.Lambda: TextOrigins._of_comprehension,
    ast.DictComp: TextOrigins._of_dictionary,
    ast.Subscript: TextOrigins._of_slice,
    ast.JoinedStr: TextOrigins._of_joined,
    ast.BinOp: TextOrigins._of_joined,
    ast.FormattedValue: TextOrigins._of_formatted,
    ast.Call: TextOrigins._of_call,
}
"""How the kinds of expressions that say more or less than their parts do are read."""

_BUILTIN_CALLS: dict[str, Callable[[TextOrigins, ast.Call, int], int]] = {
    **dict.fromkeys(_PASSING, TextOrigins._of_passing),
    **dict.fromkeys(("map", "filter"), TextOrigins._of_mapping),
    **dict.fromkeys(_TAKING_ONE, TextOrigins._of_one),
    **dict.fromkeys(_OF_NUMBERS, TextOrigins._of_numbers),
    **dict.fromkeys(_SAYING, TextOrigins._of_saying),
    **dict.fromkeys(_MAKERS, TextOrigins._of_making),
    **dict.fromkeys(("vars", "locals", "globals"), TextOrigins._of_variables),
    **dict.fromkeys(_NO_TEXT, TextOrigins._of_none),
    "getattr": TextOrigins._of_fetching,
    "type": TextOrigins._of_class,
}
