"""Guest program that runs pytest tests of the project and reports their results."""

from __future__ import annotations

import importlib
import importlib.util
import os
import socket
from typing import Any, Dict, List, Optional, Set

from certo_worker.apart.sides import candidate, judge
from certo_worker.canary.assertions import ARGUMENTS, plant
from certo_worker.canary.wrong_values import Decoy
from certo_worker.confinement import secret_files
from certo_worker.mutation import mutants
from certo_worker.observation.case_record import CaseRecord
from certo_worker.observation.clock import Clock
from certo_worker.observation.executed_code import ExecutedCode
from certo_worker.observation.failure_text import Tell
from certo_worker.observation.tracing import Sight
from certo_worker.suite import hypothesis_support
from certo_worker.suite.pytest_config import default_paths
from certo_worker.suite.pytest_run import arguments_of, give_back, has_bracket, make_importable, run_pytest
from certo_worker.suite.rewritten_tests import CHOSEN, names_of_tests
from certo_worker.suite.session import NOTHING, PreparedSession, preload
from certo_worker.suite.test_announcement import Unannounced, is_asked_for

__all__ = ["candidate", "main", "prepare", "sight_of"]

_prepared: List[PreparedSession] = []
"""The session made by `prepare`, if any."""

MAX_SAMPLED_CASES = 100
"""The number of parameter sets of one test that run if they only show whether it executes the target."""

_preloaded: Set[str] = set()
"""The libraries that `foresee` has tried to import."""


def prepare(preparation: Dict[str, Any]) -> None:
    """Do the common work of all runs of the tests in `paths`: import `libraries` and, on request, make a `session`.

    Without `paths` it is made for any tests of the project, as pytest would start there by itself. With a session,
    Hypothesis's tables of `characters` may be requested. Without one, no code of the project is run.
    """
    root = os.path.abspath(preparation["root"])
    chosen = preparation["paths"]
    paths = arguments_of(root, default_paths(root) if chosen is None else chosen)
    if paths and importlib.util.find_spec("pytest") is not None:
        importlib.import_module("pytest")
        if preparation["session"]:
            if chosen is None:
                # A baseline may run in a copy, and a conftest.py that needs a hidden file reads it now.
                secret_files.watch()
            make_importable(root)
            plugins = () if is_asked_for(root) else (Unannounced(),)
            _prepared.append(PreparedSession(root, paths, plugins, for_all=chosen is None))
        importlib.import_module("certo_worker.suite.reporter")
    preload(preparation["libraries"], before_pytest=not _prepared)
    if preparation["characters"] and _prepared:
        hypothesis_support.make()


def foresee(request: Dict[str, Any]) -> bool:
    """Prepare for more runs like `request`, beyond the common work; return True if that imported something.

    Its `libraries` are those that the tests of the target import, which only their first run has shown.
    """
    new = [name for name in request.get("libraries", ()) if name not in _preloaded]
    if new:
        preload(new, before_pytest=not _prepared)
        _preloaded.update(new)
    if request.get("characters") and _prepared and not hypothesis_support.were_made():
        hypothesis_support.make()
    # Other runs are not to find what was compiled for a plain one, which says less.
    if _prepared and request["paths"] and not request.get("plain"):
        root = os.path.abspath(request["root"])
        paths = arguments_of(root, request["paths"])
        _choose_rewriting(root, request)
        _prepared[0].foresee(paths)
        if request.get("canary"):
            _prepared[0].foresee_broken(paths, os.path.join(root, request["target"]["file"]))
    return bool(new)


def forget() -> None:
    """Remove everything prepared for the tests from this process, which becomes the candidate's."""
    while _prepared:
        _prepared.pop().forget()


def main(request: Dict[str, Any], tell: Tell, peer: Optional[socket.socket] = None) -> None:
    """Run the tests of `request`: `paths` (files or node ids, relative to `root`), of these only `ids` unless null.

    `skip` and `hung` hold ids to leave out, `seconds` the limit of one test, `total` that of all. `target` is a dict
    with `file`, `first`, `last`, `changed`, `entry_counts` and `between`, and `elsewhere` has the changed lines of
    other files, as for Sight. The project's own configuration applies. With a `peer` the target's file is imported
    there, by `candidate`; with `canary`, every assertion is broken on purpose. `wrong` is the mutant of the target for
    `plant`; with `backwards`, the last test comes first. `left_out` has test functions by file, as `Class.test`, that
    do not run. With `record`, the functions that each test executes are reported too. If the run is `sampled`, only the
    first of very many parameter sets run, and at most half of the time goes into collecting. In a `plain` one, pytest
    rewrites no assertions of tests.
    """
    if not _prepared and importlib.util.find_spec("pytest") is None:
        tell({"kind": "no_pytest"})
        return
    root = os.path.abspath(request["root"])
    make_importable(root)
    from certo_worker.suite.reporter import Reporter

    if peer is not None or request.get("wrong"):
        give_back(os.path.join(root, request["target"]["file"]))
    paths = arguments_of(root, request["paths"])
    session = _prepared[0] if _prepared and _prepared[0].serves(paths) else None
    reporter = Reporter() if session is None else session.reporter
    # It reads test files itself, and so comes before what is recorded.
    quiet = () if session is not None or is_asked_for(root, request) else (Unannounced(),)
    executed = ExecutedCode(root, tell) if request.get("record") else None
    broken = bool(request.get("canary"))
    _choose_rewriting(root, request)
    account = CaseRecord(broken=broken) if peer is not None or broken else None
    decoy = judge(request, peer, account) if account is not None else None
    if account is not None and broken:
        _break_assertions(request, root, account, decoy, session)
    if request.get("wrong"):
        mutants.plant(request["wrong"], os.path.join(root, request["target"]["file"]))
    reporter.begin(
        tell,
        sight_of(request),
        Clock(request["seconds"]),
        root=root,
        chosen=None if request["ids"] is None else set(request["ids"]),
        skipped={*request["skip"], *request["hung"]},
        total=request["total"],
        account=account,
        backwards=bool(request.get("backwards")),
        left_out=request.get("left_out", {}),
        executed=executed,
        most_cases=MAX_SAMPLED_CASES if request.get("sampled") else None,
    )
    for path in filter(has_bracket, request["paths"]):
        tell({"kind": "uncollected", "path": path, "message": "pytest takes no file with [ in its path"})
    if not paths:  # pytest would run all tests of the project
        status = NOTHING
    elif session is None:
        status = run_pytest(root, paths, reporter, *quiet, more=ARGUMENTS if broken else ())
    else:
        status = session.run(paths)
    if executed is not None:
        executed.tell_rest()
    tell({"kind": "suite_ended", "status": status})


def _choose_rewriting(root: str, request: Dict[str, Any]) -> None:
    """Let pytest rewrite the assertions of the tests that run, or none if nobody reads what a failing one says."""
    ids = request["ids"]
    CHOSEN.choose(
        root,
        names=None if ids is None else names_of_tests(ids),
        left_out=request.get("left_out"),
        nothing=bool(request.get("plain")),
    )


def _break_assertions(
    request: Dict[str, Any], root: str, account: CaseRecord, decoy: Optional[Decoy], session: Optional[PreparedSession]
) -> None:
    hypothesis_support.stop_at_first_failure()
    recall = _nothing_known if session is None else session.recall_broken
    plant(account, root, os.path.join(root, request["target"]["file"]), decoy, recall)


def _nothing_known(_file: str) -> None:
    return None


def sight_of(request: Dict[str, Any]) -> Sight:
    """Return the lines to watch for a request."""
    target = request["target"]
    return Sight(
        os.path.join(request["root"], target["file"]),
        target["first"],
        target["last"],
        target["changed"],
        entry_counts=target["entry_counts"],
        between=tuple(target.get("between", (0, -1))),
        elsewhere={os.path.join(request["root"], path): lines for path, lines in request.get("elsewhere", {}).items()},
    )
