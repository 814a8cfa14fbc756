"""The one place where what went wrong in our own words becomes an error with a name and a number on the wire."""

from __future__ import annotations

from collections.abc import Mapping

from pygls.exceptions import JsonRpcException

from certo.protocol.errors import CODES, RETRIABLE, Failure
from certo.sessions.failures import leaves
from certo.vocabulary.display import as_message
from certo.vocabulary.errors import CertoError, ModelFailed


def name_of(kind: type[CertoError]) -> str:
    """What a kind of error is called on the wire: its own name, or that of the nearest kind above it that has one."""
    return next(above.__name__ for above in kind.__mro__ if above.__name__ in CODES)


def known(error: Exception) -> CertoError | None:
    """What the user can act on, whatever task groups it has come through; None where there is a bug of ours in it."""
    raised = tuple(leaves(error))
    ours = [each for each in raised if isinstance(each, CertoError)]
    return ours[0] if len(ours) == len(raised) else None


def failure(error: CertoError, params: object) -> JsonRpcException:
    """The answer to a request with these params that failed so; it has no traceback."""
    name = name_of(type(error))
    of_model = error if isinstance(error, ModelFailed) else None
    told = Failure(
        name=name,
        retriable=of_model.transient if of_model is not None else name in RETRIABLE,
        retry_after=of_model.retry_after if of_model is not None else None,
        search_id=_search_of(params),
        status=of_model.status if of_model is not None else None,
    )
    data = told.model_dump(mode="json", by_alias=True, exclude_none=True)
    return JsonRpcException(as_message(str(error)), code=CODES[name], data=data)


def _search_of(params: object) -> str | None:
    """The search that one of our own requests is about, where it says so."""
    named = params.get("searchId") if isinstance(params, Mapping) else None
    return named if isinstance(named, str) else None
