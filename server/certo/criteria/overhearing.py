"""Listening to the answers of judges as they come, from outside: criteria may be anyone's and know nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from certo.criteria.sampling import Sample

Listener = Callable[[str, Sample[bool] | Sample[float]], None]
"""Takes a criterion's name and one answer that counts; must return quickly and must not raise."""


def _nobody(criterion: str, answer: Sample[bool] | Sample[float]) -> None:
    """Listen to nothing."""


_LISTENER: ContextVar[Listener] = ContextVar("certo-overhearing", default=_nobody)


@contextmanager
def overheard(listener: Listener) -> Iterator[None]:
    """Have `listener` hear every answer that judges give to whoever asks them within the block."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def say(criterion: str, answer: Sample[bool] | Sample[float]) -> None:
    """Let whoever listens know of an answer."""
    _LISTENER.get()(criterion, answer)
