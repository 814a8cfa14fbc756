"""The names and numbers of what can go wrong with a request, and what is told besides.

The names are those of `certo.vocabulary.errors`; what has none here goes by the name of what it is a kind of. The
numbers are outside the block that JSON-RPC and LSP have reserved. None is ever given to another name.
"""

from __future__ import annotations

from pydantic import Field

from certo.protocol.wire import Wire

CODES = {
    "BadRequest": 4000,
    "StaleText": 4001,
    "NoInterpreter": 4003,
    "SandboxUnavailable": 4005,
    "BudgetExhausted": 4006,
    "ModelFailed": 4009,
    "SearchNotFound": 4011,
    "CandidateNotFound": 4012,
    "KeyReused": 4013,
    "CancelIncomplete": 4014,
    "UnsupportedVersion": 4016,
    "NotAuthorised": 4019,
    "TargetNotFound": 4020,
    "BadSource": 4021,
    "BadSetting": 4022,
    "BrokenWorld": 4023,
    "NotVerified": 4024,
    "NotResumable": 4025,
}
"""The number of each name."""

RETRIABLE = frozenset({"StaleText"})
"""Those after which the same request may be granted a moment later; of `ModelFailed` it depends on how it failed."""


class Failure(Wire):
    """The `data` of an error that answers a client's request.

    `retriable` says that the same request may be granted later, after `retry_after` seconds where that is known.
    `search_id` is the search it is about, `status` the number HTTP gives the failure of a language model: 401 and 403
    are about its key, 429 means that it is asked too often.
    """

    name: str
    retriable: bool
    retry_after: float | None = Field(default=None, ge=0)
    search_id: str | None = None
    status: int | None = None
