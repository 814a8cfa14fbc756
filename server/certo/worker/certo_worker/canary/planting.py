"""Putting the canary into a run: test files are broken as pytest reads them, and doctest examples as they are found."""

from __future__ import annotations

import ast
import doctest
import os
import sysconfig
from typing import Any, List, Optional

from certo_worker.account import Account
from certo_worker.canary.breaking import broken
from certo_worker.canary.otherwise import MARK, Decoy
from certo_worker.canary.verdicts import VERDICTS

ARGUMENTS = ["--assert=rewrite"]
"""What pytest needs to be told, or it might not look at the assertions of a file at all."""

_LIBRARIES = tuple(
    os.path.realpath(path) + os.sep
    for path in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
)


def plant(account: Account, root: str, target: str, decoy: Optional[Decoy]) -> None:
    """Break the assertions of every file below `root` that pytest rewrites from now on, but for the target's own."""
    from _pytest.assertion import rewrite  # the user's pytest, which was found before

    VERDICTS.account, VERDICTS.decoy = account, decoy
    own, spared = os.path.realpath(root) + os.sep, os.path.realpath(target)
    rewritten = rewrite.rewrite_asserts

    def break_and_rewrite(tree: ast.Module, source: bytes, path: Optional[str] = None, config: Any = None) -> None:
        real = os.path.realpath(path or "")
        if real.startswith(own) and real != spared and not real.startswith(_LIBRARIES):
            VERDICTS.files.add(real)
            broken(tree)
        rewritten(tree, source, path, config)

    patched: Any = rewrite
    patched.rewrite_asserts = break_and_rewrite
    # What is cached was read as it is, and what is broken must not be cached.
    patched._read_pyc = lambda *_arguments, **_named: None
    patched._write_pyc = lambda *_arguments, **_named: False


def break_examples(examples: List[doctest.Example]) -> None:
    """Make doctest examples expect something else; those that expect nothing assert nothing."""
    for example in examples:
        if example.exc_msg is not None:
            example.exc_msg = "NeverRaised: {}\n".format(MARK)
        elif example.want:
            example.want = MARK + example.want
