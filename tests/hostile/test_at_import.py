"""Code of the project has no privileges from its first line on, at every import."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.sandbox.executor import Executor
from hostile.court import open_court, warmed
from hostile.world import users_world
from support.projects.bare_environment import bare_environment

_LOOKING = '''\
import ctypes, os, threading

libc = ctypes.CDLL(None, use_errno=True)
READ_ONLY, REMOUNT, BIND = 1, 32, 4096
NEW_USER, NEW_MOUNTS = 0x10000000, 0x20000


def privileges():
    """What this process may do that it should not, by the kernel's own account."""
    with open("/proc/self/status") as status:
        facts = dict(line.split(":", 1) for line in status)
    wanted = {"CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapAmb": 0, "NoNewPrivs": 1, "Seccomp": 2}
    if os.getuid() == 0:
        wanted["CapBnd"] = 0
    return ["%s: %s" % (name, facts[name].strip()) for name in wanted if int(facts[name], 16) != wanted[name]]


def reached():
    """What it can do all the same, found out by trying."""
    found = []
    for place in (PROJECT, "/usr", "/"):
        for flags in (REMOUNT | BIND, REMOUNT):
            if libc.mount(None, place.encode(), None, flags, None) == 0:
                found.append("remounted " + place)
        if libc.mount(b"none", place.encode(), b"tmpfs", 0, None) == 0:
            found.append("mounted on " + place)
        try:
            with open(place + "/" + MARK, "w") as file:
                file.write("written")
            found.append("wrote into " + place)
        except OSError:
            pass
    for flags in (NEW_MOUNTS, NEW_USER, NEW_USER | NEW_MOUNTS):
        if libc.unshare(flags) == 0:
            found.append("has new namespaces")
    try:
        os.chroot("/")
        found.append("changed its root")
    except OSError:
        pass
    for process in (1, os.getppid(), VICTIM):
        for name in ("mem", "root", "ns/mnt"):
            try:
                os.close(os.open("/proc/%d/%s" % (process, name), os.O_RDWR if name == "mem" else os.O_RDONLY))
                found.append("opened %s of %d" % (name, process))
            except OSError:
                pass
    return found


def all_of_it():
    return privileges() + reached()
'''

_PROJECT = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = [".", "src"]\naddopts = ["-p", "plugin"]\n',
    # What is attacked from here is looked at by nobody: interpreters start outside of the sandbox as well.
    "src/at_start.py": "import looking\n\nFOUND = looking.privileges()\n",
    "plugin.py": "import looking\n\nFOUND = looking.all_of_it()\n",
    "mod.py": """\
        import looking

        FOUND = looking.all_of_it()


        def found():
            return FOUND + looking.all_of_it()


        def double(n):
            return n
        """,
    "tests/test_mod.py": """\
        import at_start, conftest_found, looking, mod, plugin


        def test_at_start():
            assert mod.double(0) == 0
            assert at_start.FOUND == []


        def test_double():
            assert mod.double(2) == 4


        def test_at_import_of_a_plugin():
            assert mod.double(0) == 0
            assert plugin.FOUND == []


        def test_at_import_of_a_conftest():
            assert mod.double(0) == 0
            assert conftest_found.FOUND == []


        def test_at_import_of_the_target_and_in_it():
            assert mod.double(0) == 0
            assert mod.found() == []


        def test_in_a_test():
            assert mod.double(0) == 0
            assert looking.all_of_it() == []
        """,
    "conftest_found.py": "FOUND = []\n",
}

_CONFTESTS = {
    "copied": "import conftest_found, looking\n\nconftest_found.FOUND += looking.all_of_it()\n",
    # Of a process with threads there are no copies: each run gets one that was prepared for it alone.
    "prepared": """\
        import threading

        import conftest_found, looking

        conftest_found.FOUND += looking.all_of_it()
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        """,
}


@pytest.mark.parametrize("kind", list(_CONFTESTS))
async def test_the_project_has_no_privileges_at_import(
    kind: str, executor: Executor, tmp_path: Path, confined: None
) -> None:
    with users_world(tmp_path / "world", {**_PROJECT, "conftest.py": _CONFTESTS[kind]}) as around:
        (around.project / "src" / "looking.py").write_text(around.names + _LOOKING)
        python = bare_environment(tmp_path / "environment")
        [packages] = (tmp_path / "environment").glob("lib/python*/site-packages")
        # As when the project is installed from its own folder, and has something to do whenever a Python starts.
        (packages / "project.pth").write_text(f"{around.project / 'src'}\nimport at_start\n")
        around.look()
        cold = await open_court(executor, python, around.project, "mod.py", "double")
        honest = cold.problem.text.replace("return n\n", "return n * 2\n")
        async with warmed(cold) as warm:
            for court in (cold, warm):
                judgement = await court.judge(honest, hurried=False)
                assert judgement.accepted, judgement.findings
                tests = judgement.by_tests.tests
                assert tests is not None
                assert (tests.passed, tests.collected) == (6, 6)
                assert judgement.assurance == "tier 2: apart + canary"
            assert judgement.ran_warm
        assert around.harm() == []
