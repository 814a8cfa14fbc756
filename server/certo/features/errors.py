"""Mapping of certo's errors to names and codes on the wire."""

from __future__ import annotations

from collections.abc import Mapping

from pygls.exceptions import JsonRpcException

from certo.protocol.errors import CODES, RETRIABLE, Failure
from certo.sessions.failures import leaves
from certo.vocabulary.display import as_message
from certo.vocabulary.errors import CertoError, ModelFailed


def name_of(kind: type[CertoError]) -> str:
    """Return the wire name of an error class: its own, or that of its nearest base class that has one."""
    return next(above.__name__ for above in kind.__mro__ if above.__name__ in CODES)


def known(error: Exception) -> CertoError | None:
    """Return the expected error inside any task groups; None if a bug is among the errors."""
    raised = tuple(leaves(error))
    ours = [each for each in raised if isinstance(each, CertoError)]
    return ours[0] if len(ours) == len(raised) else None


def failure(error: CertoError, params: object) -> JsonRpcException:
    """Return the error response to a request with these params; it has no traceback."""
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
    """Return the search id in the params of one of certo's requests, if there is one."""
    named = params.get("searchId") if isinstance(params, Mapping) else None
    return named if isinstance(named, str) else None
