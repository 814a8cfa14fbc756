"""The daemon that the tests of one file share: each has its own client and its own project."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.lsp.multi_client import Company, standing


@pytest.fixture(scope="module")
def company() -> Iterator[Company]:
    """A daemon on TCP, for tests that need none of their own: to start one takes longer than most of them."""
    with standing(transports=("tcp",)) as company:
        yield company
