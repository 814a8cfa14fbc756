"""Probes of branches in a syntax tree: which way each condition went, and which parts were entered.

Names in `builtins` are found from any module. A condition has two branches: true and false. A loop, a handler and a
case have one, that they were entered.
"""

from __future__ import annotations

import ast
import builtins
from typing import Any, Dict, List, NamedTuple, Set

DECIDE = "__certo_decide__"
REACH = "__certo_reach__"


class Branch(NamedTuple):
    """A branch: its line in the compiled text, and the words for it."""

    line: int
    words: str


class Branches:
    """The branches of one version of a function, and those executed since the last `clear`."""

    def __init__(self) -> None:
        self.known: List[Branch] = []
        self.seen: Set[int] = set()

    def activate(self) -> None:
        """Let the probes of this version be heard; of several versions only the last is."""
        seen = self.seen

        def decide(number: int, value: Any) -> Any:
            seen.add(number if value else number + 1)
            return value

        setattr(builtins, DECIDE, decide)
        setattr(builtins, REACH, seen.add)

    def put(self, tree: ast.AST) -> None:
        """Insert probes into a syntax tree, in place, and learn its branches anew."""
        self.known.clear()
        for node in list(ast.walk(tree)):
            if isinstance(node, (ast.If, ast.While)):
                words = (
                    ("the if", "without the if") if isinstance(node, ast.If) else ("the loop", "the end of the loop")
                )
                if node.orelse:
                    words = (words[0], "the else")
                node.test = self._decided(node.test, *words)
            elif isinstance(node, ast.IfExp):
                node.test = self._decided(node.test, "the value before if", "the value after else")
            elif isinstance(node, ast.comprehension):
                node.ifs = [
                    self._decided(one, "an element that is taken", "an element that is left out") for one in node.ifs
                ]
            elif isinstance(node, ast.BoolOp):
                node.values[:-1] = [self._decided(one, "a true operand", "a false operand") for one in node.values[:-1]]
            else:
                self._put_into_block(node)

    def _put_into_block(self, node: Any) -> None:
        words = {"For": "the loop", "AsyncFor": "the loop", "ExceptHandler": "the except", "match_case": "the case"}
        said = words.get(type(node).__name__)
        if said is None:
            return
        first = node.body[0]
        place = _place(getattr(node, "pattern", node))
        call = ast.Call(
            func=ast.Name(id=REACH, ctx=ast.Load(), **place), args=[self._number(place, said)], keywords=[], **place
        )
        node.body.insert(0, ast.copy_location(ast.Expr(value=call), first))

    def _decided(self, test: ast.expr, true: str, false: str) -> ast.expr:
        if isinstance(test, ast.Constant):
            return test  # such as `while True`, which has no second branch
        place = _place(test)
        number = self._number(place, true)
        self.known.append(Branch(place["lineno"], false))
        return ast.Call(func=ast.Name(id=DECIDE, ctx=ast.Load(), **place), args=[number, test], keywords=[], **place)

    def _number(self, place: Dict[str, Any], words: str) -> ast.Constant:
        self.known.append(Branch(place["lineno"], words))
        return ast.Constant(value=len(self.known) - 1, **place)


def _place(node: Any) -> Dict[str, Any]:
    return {
        "lineno": node.lineno,
        "col_offset": node.col_offset,
        "end_lineno": node.end_lineno,
        "end_col_offset": node.end_col_offset,
    }
