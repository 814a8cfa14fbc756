"""What is installed is taken in late, and is then found as if it had been from the start."""

from __future__ import annotations

import json
import subprocess

from certo.worker import HOME
from support.bare import bare_python

LOOK = """
import json, sys
sys.path.insert(0, sys.argv[1])
from certo_worker import landlock, mounting, packages, seccomp, shell, views
early = [name for name in ("sysconfig", "certo_worker.describing", "pytest") if name in sys.modules]
packages.take_in({"executes": True, "seccomp": True})
import pytest, subprocess, sysconfig
print(json.dumps([early, sys.prefix, sysconfig.get_path("purelib"), pytest.__file__]))
assert "-S" not in subprocess._args_from_interpreter_flags()
"""


def test_what_is_installed_is_found_as_if_it_had_been_from_the_start() -> None:
    command = [str(bare_python()), "-B", "-S", "-c", LOOK, str(HOME)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    early, prefix, packages, pytest_file = json.loads(ran.stdout)
    assert early == []
    assert prefix == str(bare_python().parents[1])
    assert packages.startswith(prefix)
    assert pytest_file.startswith(packages)
