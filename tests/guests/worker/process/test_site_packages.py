"""Site packages are added late, and are then found as if they had been there from the start."""

from __future__ import annotations

import json
import subprocess

from certo.guests import WORKER_HOME
from support.projects.bare_environment import bare_python

LOOK = """
import json, sys  # ctypes, which the worker needs, imports sysconfig from Python 3.14 on
sys.path.insert(0, sys.argv[1])
from certo_worker.confinement import landlock, mounts, seccomp
from certo_worker.process import site_packages, launch, mount_server
late = ("certo_worker.observation.failure_text", "pytest", *(["sysconfig"] if sys.version_info < (3, 14) else []))
early = [name for name in late if name in sys.modules]
site_packages.take_in({"executes": True, "seccomp": True})
import pytest, subprocess, sysconfig
print(json.dumps([early, sys.prefix, sysconfig.get_path("purelib"), pytest.__file__]))
assert "-S" not in subprocess._args_from_interpreter_flags()
"""


def test_late_packages_are_found_as_usual() -> None:
    command = [str(bare_python()), "-B", "-S", "-c", LOOK, str(WORKER_HOME)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    early, prefix, packages, pytest_file = json.loads(ran.stdout)
    assert early == []
    assert prefix == str(bare_python().parents[1])
    assert packages.startswith(prefix)
    assert pytest_file.startswith(packages)
