"""The table of our own methods: what crosses the wire under each name beside the messages of LSP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from certo.protocol import candidates, examining, searching
from certo.protocol.evidence import CurrentReport
from certo.protocol.model import ASK, DELTA, ModelAnswer, ModelDelta, ModelQuestion, ModelRefusal
from certo.protocol.secret import SECRET, SecretAnswer, SecretQuestion
from certo.protocol.wire import Wire


@dataclass(frozen=True, slots=True)
class Method:
    """One method: what its params and its result are, and which side sends it.

    A notification has no result; nor has a request that is answered with null. `refusal` is the data of an error that
    answers a request of the server.
    """

    name: str
    params: type[Wire]
    result: type[Wire] | None
    sender: Literal["client", "server"] = "client"
    notification: bool = False
    refusal: type[Wire] | None = None


METHODS = (
    Method(searching.START, searching.StartParams, searching.StartResult),
    Method(searching.RETRY, searching.RetryParams, searching.StartResult),
    Method(searching.RESUME, searching.ResumeParams, searching.StartResult),
    Method(searching.ATTACH, searching.AttachParams, searching.AttachResult),
    Method(searching.CANCEL, searching.SearchParams, searching.CancelResult),
    Method(searching.LIST, searching.ListParams, searching.ListResult),
    Method(searching.GET, searching.SearchParams, searching.GetResult),
    Method(searching.FORGET, searching.SearchParams, searching.ForgetResult),
    Method(examining.VERIFY, examining.VerifyParams, CurrentReport),
    Method(examining.ESTIMATE, examining.EstimateParams, examining.EstimateResult),
    Method(examining.ENVIRONMENT, examining.EnvironmentParams, examining.EnvironmentResult),
    Method(examining.STATUS, examining.StatusParams, examining.StatusResult),
    Method(ASK, ModelQuestion, ModelAnswer, sender="server", refusal=ModelRefusal),
    Method(DELTA, ModelDelta, None, notification=True),
    Method(SECRET, SecretQuestion, SecretAnswer, sender="server"),
    Method(candidates.GET, candidates.CandidateGetParams, candidates.CandidateGetResult),
    Method(candidates.APPLY, candidates.ApplyParams, candidates.ApplyResult),
    Method(candidates.REBASE, candidates.RebaseParams, candidates.RebaseResult),
    Method(candidates.EDITED, candidates.EditedParams, candidates.EditedResult),
    Method(candidates.FEEDBACK, candidates.FeedbackParams, None),
    Method(candidates.COMPARE, candidates.CompareParams, candidates.CompareResult),
)
"""Every method whose name begins with `certo/`; features that answer them are in the table of features."""
