"""The daemon that most tests share: each has its own client and its own project."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.lsp.multi_client import Company, standing


@pytest.fixture(scope="package")
def company() -> Iterator[Company]:
    """A daemon on TCP, for tests that need none of their own: its start and its first search take longer than most.

    It ends before the tests of another folder, which may look for processes that are left: pytest takes this folder
    for a package because of its `__init__.py`.
    """
    with standing(transports=("tcp",)) as company:
        yield company
