"""Work in forked children: results come in order, even if some hang, die or leak."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from certo_builtin.execution.allowance import Allowance, Spent
from certo_builtin.execution.fork_pool import each, streamed


def soon() -> Allowance:
    return Allowance(20.0)


def test_results_are_ordered_despite_a_lost_piece() -> None:
    def work(piece: int) -> int:
        if piece == 2:
            os._exit(3)
        if piece == 4:
            while True:
                pass
        if piece == 5:
            raise SystemExit
        return piece * piece

    assert list(each(work, range(7), 0.5, soon())) == [(0, 0), (1, 1), (2, None), (3, 9), (4, None), (5, None), (6, 36)]


def test_pieces_share_a_child_unless_alone() -> None:
    seen: list[int] = []

    def work(piece: int) -> int:
        seen.append(piece)
        return len(seen)

    assert [result for _, result in each(work, range(3), 5.0, soon())] == [1, 2, 3]
    assert [result for _, result in each(work, range(3), 5.0, soon(), alone=True)] == [1, 1, 1]
    assert seen == []


def test_the_allowance_ends_it() -> None:
    def work(_: int) -> None:
        while True:
            pass

    with pytest.raises(Spent, match=r"its 0\.3 seconds were over"):
        list(each(work, range(3), 30.0, Allowance(0.3)))


def test_stream_yields_items_and_raises_errors() -> None:
    def work(emit: Callable[[Any], None]) -> None:
        emit("one")
        emit({"two": 2})
        raise ValueError("three")

    stream = streamed(work, 5.0, soon())
    assert [next(stream), next(stream)] == ["one", {"two": 2}]
    with pytest.raises(RuntimeError, match="three"):
        next(stream)
