"""The code of a file that is in no function."""

from __future__ import annotations

import ast


def outside_functions(text: str) -> list[str]:
    """Return the statements outside of functions, without docstrings, as dumps that are equal for equal code.

    Raises:
        SyntaxError: The text is not Python.
    """
    return [ast.dump(statement) for statement in _WithoutFunctions().visit(ast.parse(text)).body]


class _WithoutFunctions(ast.NodeTransformer):
    """Removes functions, and the docstrings of modules and classes, from a tree of its own."""

    def visit_FunctionDef(self, _: ast.FunctionDef) -> None:
        """Remove a function."""

    def visit_AsyncFunctionDef(self, _: ast.AsyncFunctionDef) -> None:
        """Remove a coroutine function."""

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """Remove the docstring, and what is below."""
        return self._without_docstring(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Remove the docstring, and what is below."""
        return self._without_docstring(node)

    def _without_docstring(self, node: ast.Module | ast.ClassDef) -> ast.AST:
        if ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
        return self.generic_visit(node)
