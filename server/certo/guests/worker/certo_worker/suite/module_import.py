"""Import of one file of the project under the name the project itself would use."""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType
from typing import List, Tuple


def names_of(file: str, root: str) -> List[Tuple[str, str]]:
    """Return the (directory, dotted name) pairs under which a file may be imported, the likeliest first.

    That is from the directory above its topmost package; then, for packages without an `__init__.py`, from `src` and
    from the root.
    """
    directory, name = os.path.split(os.path.splitext(os.path.abspath(file))[0])
    parts = [] if name == "__init__" else [name]
    top = directory
    while os.path.isfile(os.path.join(top, "__init__.py")) and os.path.dirname(top) != top:
        top, package = os.path.split(top)
        parts.insert(0, package)
    found = [(top, ".".join(parts))]
    for start in (os.path.join(root, "src"), root):
        below = os.path.relpath(directory, start)
        if not below.startswith(os.pardir):
            packages = [] if below == os.curdir else below.split(os.sep)
            found.append((start, ".".join(packages + ([] if name == "__init__" else [name]))))
    usable = [pair for pair in found if pair[1] and all(part.isidentifier() for part in pair[1].split("."))]
    return list(dict.fromkeys(usable))


def import_file(file: str, root: str) -> ModuleType:
    """Import a file of the project, even if another module has its name.

    Raises:
        BaseException: The module's own error, under the last name tried.
    """
    for module in list(sys.modules.values()):
        if stands_for(module, file):
            return module
    failure: BaseException = ImportError("{} has no name that could be imported".format(file))
    for directory, name in names_of(file, root):
        if directory not in sys.path:
            sys.path.insert(0, directory)
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            failure = error
            continue
        if stands_for(module, file):
            return module
        failure = ImportError("{} is shadowed by {}".format(name, getattr(module, "__file__", "a built-in module")))
    raise failure


def stands_for(module: ModuleType, file: str) -> bool:
    """True if a module was made from a file."""
    # Some modules run code when asked for a missing attribute.
    own = getattr(module, "__dict__", {}).get("__file__")
    # Comparing the last part first saves a file system call for nearly every module.
    if not isinstance(own, str) or os.path.basename(own) != os.path.basename(file):
        return False
    return os.path.realpath(own) == os.path.realpath(file)
