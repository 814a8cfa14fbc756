"""Seatbelt profile that confines a run on macOS: an allow list of operations.

Seatbelt's language is a dialect of Scheme that Apple does not document; the constructs used here occur in its own
profiles in /System/Library/Sandbox, and in those of Chromium and Bazel. Not yet tried on a real macOS.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from certo.sandbox.confinement.visible_files import hidden_places, hops, places, spellings
from certo.sandbox.executor import Policy, Work

_SYSTEM = (
    "/System",
    "/usr/lib",
    "/usr/share",
    "/usr/bin",
    "/usr/sbin",
    "/bin",
    "/sbin",
    "/Library/Apple",
    "/Library/Developer/CommandLineTools",
    "/private/var/db/dyld",
    "/private/var/db/timezone",
    "/private/var/select",
    "/private/etc/localtime",
    "/private/etc/hosts",
    "/private/etc/passwd",
    "/private/etc/group",
    "/private/etc/protocols",
    "/private/etc/services",
    "/private/etc/ssl",
    *(f"{brew}/{part}" for brew in ("/opt/homebrew", "/usr/local", "/opt/local") for part in ("Cellar", "opt", "lib")),
)
"""Places of programs and libraries of the system and package managers, without settings and databases of the latter."""

_DEVICES_READ = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
_DEVICES_WRITTEN = ("/dev/null", "/dev/zero")
_USER_NAMES = "com.apple.system.opendirectoryd.libinfo"
"""Service that maps user numbers to names; without it Python cannot find its user's name."""


def profile(work: Work, scratch: Path) -> str:
    """Return the profile of one run whose scratch directory is `scratch`, for `sandbox_init`."""
    readable = sorted(
        {
            *map(str, places(work.root, work.interpreter, work.program.home)),
            *map(str, hops(work.interpreter.executable)),
            *_SYSTEM,
        }
    )
    overlay, own = str(scratch / "overlay"), [str(scratch / "home"), str(scratch / "tmp")]
    rules = [
        "(version 1)",
        "(deny default)",
        "(deny network*)",
        "(allow sysctl-read)",
        # A forbidden file must be visible to be distinguished from a missing one; names and sizes are no secret.
        "(allow file-read-metadata)",
        f"(allow mach-lookup (global-name {quoted(_USER_NAMES)}))",
        _allow("file-read*", "subpath", [*readable, overlay, *own]),
        _allow("file-read*", "literal", ["/", *_DEVICES_READ]),
        _allow("file-map-executable", "subpath", readable),
        _allow("file-write*", "subpath", own),
        _allow("file-write-data", "literal", _DEVICES_WRITTEN),
        *_about_processes(work.policy, readable),
        *_about_secrets(work),
    ]
    return "\n".join(rules) + "\n"


def hiding(work: Work) -> str:
    """Return the rules added for the process of a candidate that runs apart. In a profile the last match decides."""
    if work.apart is None or not work.apart.hidden:
        return ""
    hidden = sorted({str(place) for name in work.apart.hidden for place in spellings([work.root / name])})
    return f"(deny file-read-data {' '.join(f'(subpath {quoted(path)})' for path in hidden)})\n"


def _about_secrets(work: Work) -> list[str]:
    # The last matching rule decides.
    hidden = hidden_places(work)
    return [f"(deny file-read-data {' '.join(f'(subpath {quoted(path)})' for path in hidden)})"] if hidden else []


def _about_processes(policy: Policy, readable: Iterable[str]) -> list[str]:
    # Processes in the same sandbox are descendants, because each run gets a sandbox of its own.
    whom = "same-sandbox" if policy.forks else "self"
    rules = [f"(allow signal (target {whom}))", f"(allow process-info* (target {whom}))"]
    if policy.forks:
        rules += ["(allow process-fork)", "(allow ipc-posix-sem)"]
    if policy.executes:
        rules.append(_allow("process-exec*", "subpath", readable))
    return rules


def _allow(operation: str, kind: str, paths: Iterable[str]) -> str:
    """Return the rule that allows an operation on some paths: each alone (`literal`) or with its tree (`subpath`)."""
    return f"(allow {operation} {' '.join(f'({kind} {quoted(path)})' for path in paths)})"


def quoted(text: str) -> str:
    """Return a string literal of the profile's language, in which only the quote and the backslash are special."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
