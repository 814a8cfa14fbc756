"""Our words for a broken world.

    CertoError                     everything below; its message names the value and what to do
    ├── BadRequest                 what the user asked for cannot be done as asked          (exit code 2)
    │   ├── TargetNotFound         no such function, or nothing at that line
    │   ├── BadSource              the document is no Python text: syntax, encoding, binary
    │   ├── BadSetting             an unknown or malformed setting, argument or name
    │   ├── StaleText              the text changed in a way that cannot be reconciled
    │   ├── NotVerified            a part of a candidate does not pass alone
    │   ├── SearchNotFound         no search of that id, or no more
    │   ├── NotResumable           a search that cannot go on where it was
    │   ├── KeyReused              a key that belongs to another wish
    │   ├── CandidateNotFound      no candidate of that id in the search, or none that passed
    │   ├── CheckoutRefused        something of the user's would be lost, or is in the way
    │   ├── UnsupportedVersion     no version of our protocol that both sides speak
    │   └── NotAuthorised          who connects has not the daemon's token
    └── BrokenWorld                something outside is missing or unusable                 (exit code 3)
        ├── NoInterpreter          no usable Python for the project
        ├── SandboxUnavailable     nothing here can run untrusted code
        ├── ModelFailed            a language model did not answer
        ├── ExperimentsUnavailable candidates cannot be kept as versions of the project, or not be read again
        ├── BudgetExhausted        what may be spent on language models is spent
        ├── EvaluationFailed       the user's own evaluator failed, and the search is to end then
        ├── CancelIncomplete       a cancelled search has left something running
        ├── AttemptsFailed         no answer, or no candidate, was what was asked for
        └── CallFailed             generated code failed when it was called

A bad *candidate* is never an exception: it is a Verdict. A bug of ours is any other exception; it is caught once, at
the edge of a search, and ends that search as BROKEN.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers understand it: an editor waits for what is imported here, and these are heavy
if TYPE_CHECKING:
    from certo.vocabulary.text import Collision
    from certo.vocabulary.verdict import Report


class CertoError(Exception):
    """Something the user can act on; the message is one or two sentences and carries no traceback."""


class BadRequest(CertoError):
    """A request cannot be fulfilled as it was made."""


class TargetNotFound(BadRequest):
    """There is no function of that name, or none at that place."""


class BadSource(BadRequest):
    """The document is no Python text we can work on."""


class BadSetting(BadRequest):
    """A setting, argument or name is unknown or malformed."""


class StaleText(BadRequest):
    """The text changed under a candidate in a way that cannot be reconciled.

    `collisions` are the places where both changed the same lines; `report` has the verdict of the verifier that the
    candidate no longer passes on the text as it is now.
    """

    def __init__(self, message: str, *, collisions: tuple[Collision, ...] = (), report: Report | None = None) -> None:
        super().__init__(message)
        self.collisions = collisions
        self.report = report


class NotVerified(BadRequest):
    """A part of a candidate was to be applied, and that part does not pass; `report` says why."""

    def __init__(self, message: str, *, report: Report) -> None:
        super().__init__(message)
        self.report = report


class SearchNotFound(BadRequest):
    """There is no search of that id, or no more."""


class NotResumable(BadRequest):
    """A search cannot go on where it was: it was done, others have it, or it was asked for otherwise."""


class KeyReused(BadRequest):
    """The key that was given to a wish belongs to another one."""


class CandidateNotFound(BadRequest):
    """A search has no candidate of that id, or none that passed."""


class CheckoutRefused(BadRequest):
    """A stored candidate cannot be written to the user's files without losing some of their changes."""


class UnsupportedVersion(BadRequest):
    """A client asks by our own protocol without having agreed on a version of it."""


class NotAuthorised(BadRequest):
    """A client of a daemon lacks the token that only the daemon's user can read."""


class BrokenWorld(CertoError):
    """Something outside certo is missing or unusable."""


class NoInterpreter(BrokenWorld):
    """No usable Python interpreter was found for the project."""


class SandboxUnavailable(BrokenWorld):
    """Nothing on this machine can run untrusted code in the way that was asked for."""


class ModelFailed(BrokenWorld):
    """A language model did not answer.

    `transient` says that asking again may help, `retry_after` after how many seconds the provider said so, and
    `received` that some of the answer had come already. `status` is the number HTTP gives the failure, wherever it
    stood; None where there was none.
    """

    def __init__(
        self,
        message: str,
        *,
        transient: bool = False,
        retry_after: float | None = None,
        received: bool = False,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.transient = transient
        self.retry_after = retry_after
        self.received = received


class ExperimentsUnavailable(BrokenWorld):
    """Candidates cannot be kept as versions of the project here, or those that are kept cannot be read."""


class BudgetExhausted(BrokenWorld):
    """The budget does not grant one more call of a language model; the search ends with the best it has."""


class EvaluationFailed(BrokenWorld):
    """The user's own evaluator failed, or what it depends on cannot be read."""


class CancelIncomplete(BrokenWorld):
    """A search was cancelled, and something of it was still there when no more could be waited for."""


class AttemptsFailed(BrokenWorld):
    """No answer, or no candidate, was what was asked for.

    `attempts` are all that were made, each with its text, its error and what it used; `spent` what they used together.
    """

    def __init__(self, message: str, *, attempts: tuple[object, ...] = (), spent: object = None) -> None:
        super().__init__(message)
        self.attempts = attempts
        self.spent = spent


class CallFailed(BrokenWorld):
    """Generated code failed when it was called, or gave what it was not to give.

    `executed` is what came of each call that was made, of one candidate after the other.
    """

    def __init__(self, message: str, *, executed: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.executed = executed
