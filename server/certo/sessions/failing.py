"""What a failure makes of a search: an outcome and a sentence, whatever was raised."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from certo.vocabulary.errors import BadRequest, CertoError
from certo.vocabulary.outcome import Outcome

log = logging.getLogger(__name__)


def failure(search: str, error: Exception) -> tuple[Outcome, str]:
    """Say what cannot be had as asked, what is broken here, or that we have a bug, which goes to the log."""
    errors = tuple(leaves(error))
    if any(not isinstance(each, CertoError) for each in errors):
        log.error("search %s met a bug", search, exc_info=ExceptionGroup("all that went wrong", errors))
        return Outcome.BROKEN, "; ".join(f"{type(each).__name__}: {each}" for each in errors)
    asked_wrongly = all(isinstance(each, BadRequest) for each in errors)
    return Outcome.REFUSED if asked_wrongly else Outcome.WORLD_BROKEN, " ".join(dict.fromkeys(map(str, errors)))


def leaves(error: Exception) -> Iterator[Exception]:
    """An exception itself, or those of a group, whatever groups they are wrapped in."""
    if isinstance(error, ExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error
