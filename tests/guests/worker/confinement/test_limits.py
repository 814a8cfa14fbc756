"""Confinement: limits on the process and all it starts, and ties to its parent; and the worker's own constraints."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from certo.guests import WORKER_HOME

LIMITS = {
    "cpu_seconds": 7.2,
    "memory_mebibytes": 512,
    "processes": 20,
    "file_mebibytes": 3,
    "alone": True,
    "niceness": 5,
}

TOOLS = {"pytest", "_pytest", "pluggy", "coverage", "mypy", "numpy", "pandas"}

PACKAGE = sorted((WORKER_HOME / "certo_worker").rglob("*.py"))


def confined(code: str, limits: dict[str, object]) -> str:
    """Return what `code` prints in a process with these limits."""
    lines = (
        "import json, os, resource, sys",
        "from certo_worker.confinement import limits",
        f"limits.limit({limits!r})",
        code,
    )
    command = [sys.executable, "-c", "\n".join(lines)]
    # In a session of its own, as every run is: the session steps back as a whole.
    done = subprocess.run(command, cwd=WORKER_HOME, capture_output=True, text=True, check=True, start_new_session=True)
    return done.stdout


def test_the_limits_are_set() -> None:
    names = ["RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_CORE", "RLIMIT_NPROC"]
    seen = confined(f"print(json.dumps([resource.getrlimit(getattr(resource, n)) for n in {names}]))", LIMITS)
    assert json.loads(seen) == [[8, 9], [3 << 20] * 2, [0, 0], [20, 20]]


def test_memory_counts_from_what_is_mapped_already() -> None:
    code = "mapped = int(open('/proc/self/statm').read().split()[0]) * os.sysconf('SC_PAGE_SIZE')\n"
    code += "print(resource.getrlimit(resource.RLIMIT_AS)[0] - mapped)"
    assert abs(int(confined(code, LIMITS)) - (512 << 20)) < 16 << 20


def test_process_limit_adds_the_users_other_processes() -> None:
    """The kernel counts the processes of a user together."""
    seen = int(confined("print(resource.getrlimit(resource.RLIMIT_NPROC)[0])", {**LIMITS, "alone": False}))
    assert seen > 20 + 1


def test_a_limit_that_is_lower_already_stays() -> None:
    more = {**LIMITS, "file_mebibytes": 99}
    code = f"limits.limit({more!r}); print(resource.getrlimit(resource.RLIMIT_FSIZE)[0])"
    assert int(confined(code, LIMITS)) == 3 << 20


def test_niceness_is_absolute_and_not_added_up() -> None:
    assert int(confined("print(os.nice(0))", LIMITS)) == max(5, os.nice(0))
    assert int(confined(f"limits.limit({LIMITS!r}); print(os.nice(0))", LIMITS)) == max(5, os.nice(0))


def test_who_has_stepped_back_further_stays_there() -> None:
    assert int(confined("print(os.nice(0))", {**LIMITS, "niceness": 19})) == 19
    assert int(confined(f"limits.limit({LIMITS!r}); print(os.nice(0))", {**LIMITS, "niceness": 19})) == 19


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="this kernel has no groups of sessions")
def test_its_session_steps_back_with_it() -> None:
    # As an ordinary user one may not be heard; but then nothing else may have changed it either.
    said = confined("print(open('/proc/self/autogroup').read().split()[-1])", LIMITS)
    assert int(said) == 5 or (os.geteuid() != 0 and int(said) == 0)


def test_a_process_dies_with_its_parent() -> None:
    code = (
        "import os, signal, sys\nfrom certo_worker.confinement import limits\n"
        "if os.fork() == 0:\n"
        f"    limits.die_with_parent({int(signal.SIGKILL)})\n"
        "    print('ready', flush=True)\n"
        "    signal.pause()\n"
        "signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=WORKER_HOME, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        parent.kill()
        # The child holds the pipe open for as long as it lives, so its end is the child's.
        assert parent.stdout.read() == b""


@pytest.mark.parametrize("path", PACKAGE, ids=lambda path: path.relative_to(WORKER_HOME).as_posix())
def test_worker_is_plain_python_3_8(path: Path) -> None:
    """It imports only the standard library, and the user's own tools."""
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module).partition(".")[0])
    assert "certo" not in imported
    # The user's own tools are imported only where the run is about them, and only after they were found.
    assert imported - {*sys.stdlib_module_names, "certo_worker"} <= TOOLS
