"""The imports that the expressions of a test need."""

from __future__ import annotations

import ast
import builtins
import sys
import types
from typing import Any, Dict, Iterator, List, Sequence

from certo_builtin.differential.versions import Call, Loaded


def imports_of(call: Call, said: Dict[str, Any], loaded: Loaded) -> List[List[str]]:
    """Return the names that a test needs, each with the module that it is imported from; "" for a module itself."""
    texts = [*call["arguments"], *call["named"].values()]
    texts += [text for text in (call["receiver"], said.get("expected")) if text]
    texts += [text for _, text in said.get("attributes", ())]
    for _, text, attributes in said.get("changed", ()):
        texts += [text] if text is not None else [one for _, one in attributes]
    texts += [call["callee"]] if call["receiver"] is None else []
    return imports_for([*texts, *([said["error"]] if "error" in said else [])], loaded)


def imports_for(texts: Sequence[str], loaded: Loaded) -> List[List[str]]:
    """Return the names that expressions need, each with the module that it is imported from; "" for a module."""
    names = {name for text in texts for name in _free_names(text)}
    return [[name, _home(name, loaded)] for name in sorted(names) if not _is_builtin(name, loaded)]


def _free_names(text: str) -> Iterator[str]:
    tree = ast.parse(text, mode="eval")
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in bound:
            yield node.id


def _is_builtin(name: str, loaded: Loaded) -> bool:
    return hasattr(builtins, name) and name not in vars(loaded.module)


def _home(name: str, loaded: Loaded) -> str:
    """Return the module to import a name from: that of the function, unless a public one of Python's own defines it."""
    own = vars(loaded.module)
    value = own.get(name, loaded.names.get(name))
    if isinstance(value, types.ModuleType):
        return ""
    home = getattr(value, "__module__", None)
    if name in own and not (isinstance(home, str) and home in _PUBLIC and hasattr(sys.modules.get(home), name)):
        return str(loaded.module.__name__)
    if isinstance(home, str) and hasattr(sys.modules.get(home), name):
        return home
    return str(loaded.module.__name__)


_PUBLIC = frozenset(["collections", "datetime", "decimal", "enum", "fractions", "pathlib", "re", "uuid"])
