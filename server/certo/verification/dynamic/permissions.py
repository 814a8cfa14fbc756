"""What the project's tests need to be allowed besides computing, in words."""

from __future__ import annotations

import re
from collections.abc import Collection

from certo.sandbox.executor import Policy
from certo.verification.dynamic.results import RunResults
from certo.vocabulary.verdict import Ruling

_ALLOWED = {
    Policy.FORKING: "start copies of themselves",
    Policy.SUBPROCESS: "start programs",
    Policy.LOOPBACK: "use sockets",
}

_REFUSED = re.compile(
    r"PermissionError|Operation not permitted|Permission denied|BlockingIOError|temporarily unavailable|"
    r"\bsocket\b|subprocess\.|Connection(Refused|Error)|can't start new"
)
"""How a refused fork, program or socket reads in the message of a test that did not count on it."""

_REFUSED_SOCKET = re.compile(r"\[Errno 13\] Permission denied(?!: ['\"b])")
"""How a refused socket reads: like any missing permission, but without the name of a file."""


def looks_refused(message: str) -> bool:
    """Whether what a test says reads as if the sandbox had refused it something."""
    return _REFUSED.search(message) is not None


def green(hearing: RunResults) -> frozenset[str]:
    """The tests that passed."""
    return frozenset(name for name, told in hearing.tests.items() if told.ruling is Ruling.PASSED)


def why(policy: Policy, gained: Collection[str]) -> str:
    """Why tests are given a `policy` under which they `gained`, or get further; nothing where it is the strictest."""
    if policy not in _ALLOWED:
        return ""
    if not gained:
        return f"tests that fail get further if they may {_ALLOWED[policy]}"
    tests, verb = ("1 test", "passes") if len(gained) == 1 else (f"{len(gained)} tests", "pass")
    return f"{tests} {verb} only if they may {_ALLOWED[policy]}"


def lacks_network(hearing: RunResults, policies: Collection[Policy]) -> str:
    """What to tell of tests that seem to fail for want of sockets, where no run can be given any; or nothing."""
    if Policy.LOOPBACK in policies:
        return ""
    messages = [told.message for told in hearing.tests.values() if told.ruling is not Ruling.PASSED]
    refused = sum(bool(_REFUSED_SOCKET.search(message)) for message in messages)
    if not refused:
        return ""
    tests = "1 test seems" if refused == 1 else f"{refused} tests seem"
    return (
        f"{tests} to need sockets, which a run gets only with a network of its own, and that takes bubblewrap; "
        "`certo doctor` says how to get it"
    )
