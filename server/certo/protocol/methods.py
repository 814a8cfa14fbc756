"""The table of our own methods: what crosses the wire under each name beside the messages of LSP."""

from __future__ import annotations

from typing import Literal

from certo.protocol import candidates, inspection, searches
from certo.protocol.behaviour import BehaviourDiff
from certo.protocol.editor_services import (
    ASK,
    DELTA,
    SECRET,
    ModelAnswer,
    ModelDelta,
    ModelQuestion,
    ModelRefusal,
    SecretAnswer,
    SecretQuestion,
)
from certo.protocol.values import CurrentReport
from certo.protocol.wire import Wire
from certo.protocol.written_tests import CurrentTestsReport
from certo.vocabulary.records import dataclass


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
    Method(searches.START, searches.StartParams, searches.StartResult),
    Method(searches.RETRY, searches.RetryParams, searches.StartResult),
    Method(searches.RESUME, searches.ResumeParams, searches.StartResult),
    Method(searches.ATTACH, searches.AttachParams, searches.AttachResult),
    Method(searches.CANCEL, searches.SearchParams, searches.CancelResult),
    Method(searches.LIST, searches.ListParams, searches.ListResult),
    Method(searches.GET, searches.SearchParams, searches.GetResult),
    Method(searches.FORGET, searches.SearchParams, searches.ForgetResult),
    Method(inspection.VERIFY, inspection.VerifyParams, CurrentReport),
    Method(inspection.TESTS, inspection.TestsParams, CurrentTestsReport),
    Method(inspection.STRENGTH, inspection.StrengthParams, inspection.StrengthResult),
    Method(inspection.DIFF, inspection.DiffParams, BehaviourDiff),
    Method(inspection.ESTIMATE, inspection.EstimateParams, inspection.EstimateResult),
    Method(inspection.ENVIRONMENT, inspection.EnvironmentParams, inspection.EnvironmentResult),
    Method(inspection.STATUS, inspection.StatusParams, inspection.StatusResult),
    Method(ASK, ModelQuestion, ModelAnswer, sender="server", refusal=ModelRefusal),
    Method(DELTA, ModelDelta, None, notification=True),
    Method(SECRET, SecretQuestion, SecretAnswer, sender="server"),
    Method(candidates.GET, candidates.CandidateGetParams, candidates.CandidateGetResult),
    Method(candidates.APPLY, candidates.ApplyParams, candidates.ApplyResult),
    Method(candidates.REBASE, candidates.RebaseParams, candidates.RebaseResult),
    Method(candidates.EDITED, candidates.EditedParams, candidates.EditedResult),
    Method(candidates.MIXED, candidates.MixedParams, candidates.EditedResult),
    Method(candidates.FEEDBACK, candidates.FeedbackParams, None),
    Method(candidates.COMPARE, candidates.CompareParams, candidates.CompareResult),
)
"""Every method whose name begins with `certo/`; features that answer them are in the table of features."""
