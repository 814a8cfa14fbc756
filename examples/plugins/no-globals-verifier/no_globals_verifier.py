"""A check: a candidate that declares a variable `global` fails."""

import ast


def no_globals(code):
    """Return True if the function's code passes, or False and the reason, which the next candidate is told."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Global):
            return False, f"line {node.lineno}: do without the global variable {node.names[0]}"
    return True
