"""The system call filter that is made before it is known for whom."""

from __future__ import annotations

import os
from itertools import product

import pytest

from certo_worker import seccomp


@pytest.mark.parametrize("own", [1, 1000, pytest.param(os.getpid(), id="our own"), 4194303])
@pytest.mark.parametrize("opened", list(product((False, True), repeat=4)))
def test_a_filter_that_was_foreseen_is_the_same(opened: tuple[bool, ...], own: int) -> None:
    forks, executes, connects, attributes = opened
    allowed = seccomp.Allowed(forks=forks, executes=executes, connects=connects, attributes=attributes)
    made = seccomp.code(allowed, own)
    seccomp.foresee(allowed)
    assert seccomp.code(allowed, own) == made
