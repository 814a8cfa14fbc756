"""Permissions that the project's tests need besides computing, and messages about them."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

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
"""Words in the message of a test that failed because a fork, a program or a socket was refused."""

_REFUSED_SOCKET = re.compile(r"\[Errno 13\] Permission denied(?!: ['\"b])")
"""The message of a refused socket: a missing permission without the name of a file."""

_READ_ONLY = re.compile(r"^OSError: \[Errno 30\] ")
_REFUSED_FILE = re.compile(r"^PermissionError: \[Errno 13\] [^:]*: ['\"](.+)['\"]$")
_NO_NETWORK = re.compile(
    r"Temporary failure in name resolution|Name or service not known|nodename nor servname|"
    r"Network is unreachable|No address associated with hostname|No route to host"
)
"""Words in the message of a test that asked for another machine, which no run can reach."""


def is_denied(message: str, root: Path) -> bool:
    """True if a test failed for what no run is allowed: another machine, a socket, a write into the project at `root`.

    The failure then says nothing of the code. A refused connection is none of these, for a server may be the target.
    """
    if message.startswith(("assert", "AssertionError")):
        return False
    file = _REFUSED_FILE.match(message)
    if file is not None:
        return (root / file.group(1)).is_relative_to(root)
    return any(pattern.search(message) for pattern in (_READ_ONLY, _NO_NETWORK, _REFUSED_SOCKET))


def looks_refused(message: str) -> bool:
    """True if a test's message reads as if the sandbox had refused something."""
    return _REFUSED.search(message) is not None


def green(results: RunResults) -> frozenset[str]:
    """Return the ids of the tests that passed."""
    return frozenset(name for name, told in results.tests.items() if told.ruling is Ruling.PASSED)


def why(policy: Policy, gained: Collection[str]) -> str:
    """Return why tests get a policy, under which the tests in `gained` pass; nothing if it is the strictest."""
    if policy not in _ALLOWED:
        return ""
    if not gained:
        return f"tests that fail get further if they may {_ALLOWED[policy]}"
    tests, verb = ("1 test", "passes") if len(gained) == 1 else (f"{len(gained)} tests", "pass")
    return f"{tests} {verb} only if they may {_ALLOWED[policy]}"


def lacks_network(results: RunResults, policies: Collection[Policy]) -> str:
    """Return a message if tests seem to fail because no run can have sockets here, or nothing."""
    if Policy.LOOPBACK in policies:
        return ""
    messages = [told.message for told in results.tests.values() if told.ruling is not Ruling.PASSED]
    refused = sum(bool(_REFUSED_SOCKET.search(message)) for message in messages)
    if not refused:
        return ""
    tests = "1 test seems" if refused == 1 else f"{refused} tests seem"
    return (
        f"{tests} to need sockets, which a run gets only with a network of its own, and that takes bubblewrap; "
        "`certo doctor` says how to get it"
    )
