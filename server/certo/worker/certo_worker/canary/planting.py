"""Putting the canary into a run: test files are broken as pytest reads them, and doctest examples as they are found."""

from __future__ import annotations

import ast
import doctest
import os
import sysconfig
from types import CodeType
from typing import Any, Callable, List, Optional

from certo_worker.account import Account
from certo_worker.canary.breaking import broken
from certo_worker.canary.otherwise import MARK, Decoy
from certo_worker.canary.verdicts import VERDICTS

ARGUMENTS = ["--assert=rewrite"]
"""What pytest needs to be told, or it might not look at the assertions of a file at all."""

Recall = Callable[[str], Optional[CodeType]]

_LIBRARIES = tuple(
    os.path.realpath(path) + os.sep
    for path in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
)


def plant(account: Account, root: str, target: str, decoy: Optional[Decoy], recall: Recall) -> None:
    """Break the assertions of every file below `root` that pytest rewrites from now on, but for the target's own.

    `recall` may know what a file is compiled to.
    """
    from _pytest.assertion import rewrite  # the user's pytest, which was found before

    VERDICTS.account, VERDICTS.decoy = account, decoy
    own, spared = os.path.realpath(root) + os.sep, os.path.realpath(target)
    rewritten = rewrite.rewrite_asserts

    def is_meant(real: str) -> bool:
        return real.startswith(own) and real != spared and not real.startswith(_LIBRARIES)

    def break_and_rewrite(tree: ast.Module, source: bytes, path: Optional[str] = None, config: Any = None) -> None:
        real = os.path.realpath(path or "")
        if is_meant(real):
            VERDICTS.files.add(real)
            broken(tree)
        rewritten(tree, source, path, config)

    def read(source: Any, *_arguments: Any, **_named: Any) -> Optional[CodeType]:
        real = os.path.realpath(source)
        code = recall(str(source)) if is_meant(real) else None
        if code is not None:
            VERDICTS.files.add(real)
        return code

    patched: Any = rewrite
    patched.rewrite_asserts = break_and_rewrite
    # What pytest has cached was read as it is, and what is broken must not be cached.
    patched._read_pyc = read
    patched._write_pyc = lambda *_arguments, **_named: False


def broken_code(file: str, config: Any) -> CodeType:
    """Compile a test file as pytest does, but with its assertions broken.

    Raises:
        OSError, SyntaxError, ValueError: it cannot be.
    """
    from _pytest.assertion import rewrite  # as above

    with open(file, "rb") as opened:
        source = opened.read()
    tree = ast.parse(source, filename=file)
    broken(tree)
    rewrite.rewrite_asserts(tree, source, file, config)
    return compile(tree, file, "exec", dont_inherit=True)


def break_examples(examples: List[doctest.Example]) -> None:
    """Make doctest examples expect something else; those that expect nothing assert nothing."""
    for example in examples:
        if example.exc_msg is not None:
            example.exc_msg = "NeverRaised: {}\n".format(MARK)
        elif example.want:
            example.want = MARK + example.want
