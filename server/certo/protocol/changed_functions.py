"""Wire forms of `certo verify --changed`: one line for each changed function, and one about all of them."""

from __future__ import annotations

from typing import Literal

from certo.protocol.behaviour import BehaviourDiff
from certo.protocol.values import Report
from certo.protocol.wire import Wire


class ChangeNote(Wire):
    """One sentence about a line of a changed function; `rule` is a word that stays the same."""

    level: Literal["error", "warning", "note"]
    rule: str
    line: int
    message: str


class ChangedFunctionReport(Wire):
    """The result for one changed function, or for a file that could not be read.

    `evidence` has the verdicts and the strength of the tests, `diff` what it does otherwise than before, and `notes`
    what of both deserves attention, the gravest first. Without evidence, `reason` says why there is none. It is
    `cached` if an earlier run found all of it in exactly this state of the project.
    """

    type: Literal["changed-function"] = "changed-function"
    path: str
    qualname: str
    line: int
    result: Literal["verified", "not-verified", "undecided", "failed", "not-judged", "unreadable", "deleted"]
    is_new: bool = False
    reason: str = ""
    summary: str = ""
    notes: tuple[ChangeNote, ...] = ()
    evidence: Report | None = None
    diff: BehaviourDiff | None = None
    cached: bool = False
    seconds: float = 0.0


class ChangesReport(Wire):
    """The end of a run: what was compared with, the exit code, and what differs without being judged.

    `folder` is that of the project in its repository, as "server/", or empty. In the files `outside`, code that is in
    no function differs.
    """

    type: Literal["changes"] = "changes"
    root: str
    folder: str = ""
    revision: str
    commit: str
    exit_code: int
    functions: int
    cached: int
    outside: tuple[str, ...] = ()
    test_files: tuple[str, ...] = ()
