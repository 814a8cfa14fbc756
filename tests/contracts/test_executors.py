"""Every executor we have keeps the executors' contract."""

from __future__ import annotations

import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.confinement.kernel_features import FULL_WALLS, NO_WALLS, KernelFeatures
from certo.sandbox.executor import Apart, Executor, Message, Policy
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from contracts.executor import ExecutorContract
from support.sandbox.pool_executor import InPools
from support.sandbox.stage import OURS, Stage
from support.sandbox.zygote_executor import FromZygotes

# What a prepared process could do otherwise than a fresh one. The rest of the contract is the same code for both.
PREPARED_OTHERWISE = pytest.mark.usual_tests(
    "test_a_daemon_child_dies_with_the_run[return]",
    "test_a_memory_bomb_runs_out_of_memory",
    "test_cancelling_kills_what_would_never_end",
    "test_garbage_in_the_channel_proves_nothing",
    "test_messages_come_in_order_each_once",
    "test_nothing_secret_is_in_the_environment",
    "test_overlays_replace_files_without_touching_them",
    "test_programs_without_return_are_incomplete[import os; os._exit(0)-0]",
    "test_protected_files_stay_unchanged",
    "test_the_seed_orders_sets",
)


class TestLocalExecutor(ExecutorContract):
    """The plain process."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return LocalExecutor(SandboxOptions(slots=2))

    async def test_it_does_not_promise_too_much(self, executor: Executor) -> None:
        assert executor.isolation.startswith("Landlock, seccomp: no network, no new processes")


@PREPARED_OTHERWISE
class TestPool(ExecutorContract):
    """The plain process again, prepared before it gets its order."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return InPools(LocalExecutor(SandboxOptions(slots=2)))


@pytest.mark.bubblewrap
@PREPARED_OTHERWISE
class TestPoolInBubblewrap(ExecutorContract):
    """The same in namespaces."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return InPools(BubblewrapExecutor(SandboxOptions(slots=2), await find_bubblewrap()))


@PREPARED_OTHERWISE
class TestZygote(ExecutorContract):
    """The plain process as a copy of one that is prepared already."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return FromZygotes(LocalExecutor(SandboxOptions(slots=2)))


@pytest.mark.bubblewrap
@PREPARED_OTHERWISE
class TestZygoteInBubblewrap(ExecutorContract):
    """The same in namespaces."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return FromZygotes(BubblewrapExecutor(SandboxOptions(slots=2), await find_bubblewrap()))


@pytest.mark.bubblewrap
class TestBubblewrapExecutor(ExecutorContract):
    """The same in namespaces, and what only those can do."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return BubblewrapExecutor(SandboxOptions(slots=2), await find_bubblewrap())

    async def test_it_says_what_it_cuts_off(self, executor: Executor) -> None:
        assert executor.isolation == "bubblewrap, Landlock, seccomp: no network, no new processes, project read-only"

    async def test_there_is_no_network(self, executor: Executor, stage: Stage) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            heard = await stage.run(
                executor,
                """
                import os, socket

                def main(request, tell):
                    try:
                        socket.create_connection(("127.0.0.1", request["port"]), timeout=5).close()
                        tell({"reached": True})
                    except OSError as error:
                        tell({"reached": False})
                    tell({"links": sorted(name for _, name in socket.if_nameindex())})
                """,
                request={"port": server.getsockname()[1]},
                policy=Policy.LOOPBACK,
            )
        assert heard.messages == [{"reached": False}, {"links": ["lo"]}]

    async def test_nothing_of_the_user_can_be_written(self, executor: Executor, stage: Stage) -> None:
        stage.write({"module.py": "value = 1\n"})
        before = stage.digest()
        heard = await stage.run(
            executor,
            """
            import os, sys

            def main(request, tell):
                wrote = []
                own = os.path.dirname(__file__)
                places = ["module.py", "new.py", "/new", "/usr/new", sys.prefix + "/new", own + "/new"]
                for place in places:
                    try:
                        with open(place, "a") as file:
                            file.write("written")
                        wrote.append(place)
                    except OSError:
                        continue
                for change in (os.remove, lambda path: os.chmod(path, 0o777), lambda path: os.rename(path, path + "x")):
                    try:
                        change("module.py")
                        wrote.append(repr(change))
                    except OSError:
                        continue
                with open(os.environ["TMPDIR"] + "/mine", "w") as file:
                    file.write("my own place")
                tell({"wrote": wrote})
            """,
        )
        assert heard.messages == [{"wrote": []}]
        assert stage.digest() == before

    async def test_the_users_files_cannot_be_read(self, executor: Executor, stage: Stage, tmp_path: Path) -> None:
        secret = tmp_path / "secret"
        secret.write_text("key")
        heard = await stage.run(
            executor,
            """
            import os

            def main(request, tell):
                seen = os.path.exists(request["secret"]) or os.path.exists("/etc/shadow")
                try:
                    home = os.listdir(request["home"])
                except OSError:
                    home = []
                tell({"seen": seen, "home": home})
            """,
            request={"secret": str(secret), "home": str(Path.home())},
        )
        [message] = heard.messages
        needed = {
            place.relative_to(Path.home()).parts[0]
            for place in (*OURS.readable, stage.root, Path(__file__).parents[2])
            if place.is_relative_to(Path.home())
        }
        assert message["seen"] is False
        # The temp folder, and in it the run's own scratch directory, may be below the home directory.
        assert {name for name in message["home"] if not name.startswith("certo-")} <= needed

    async def test_opening_an_overlaid_file_gives_overlay(self, executor: Executor, stage: Stage) -> None:
        stage.write({"module.py": "value = 1\n"})
        heard = await stage.run(
            executor,
            """
            import subprocess, sys

            def main(request, tell):
                with open("module.py") as file:
                    tell({"text": file.read()})
                said = subprocess.check_output([sys.executable, "-c", "import module; print(module.value)"], text=True)
                tell({"subprocess": said})
            """,
            overlay={"module.py": "value = 2\n"},
            policy=Policy.SUBPROCESS,
        )
        assert heard.messages == [{"text": "value = 2\n"}, {"subprocess": "2\n"}]

    async def test_a_project_reached_through_a_link_runs(self, executor: Executor, tmp_path: Path) -> None:
        stage = Stage(tmp_path)
        stage.write({"module.py": "value = 1\n"})
        stage.root = tmp_path / "link"
        os.symlink(tmp_path / "project", stage.root)
        heard = await stage.run(
            executor,
            """
            def main(request, tell):
                import module

                with open(module.__file__) as file:
                    tell({"value": module.value, "text": file.read()})
            """,
            overlay={"module.py": "value = 2\n"},
        )
        assert heard.messages == [{"value": 2, "text": "value = 2\n"}]

    @pytest.mark.parametrize("policy", [Policy.STRICT, Policy.SUBPROCESS])
    async def test_all_see_new_and_deleted_files(self, executor: Executor, stage: Stage, policy: Policy) -> None:
        stage.write({"gone.py": "value = 1\n", "pack/kept.py": "value = 1\n", "changed.py": "value = 1\n"})
        before = stage.digest()
        heard = await stage.run(
            executor,
            """
            import os, subprocess, sys

            def main(request, tell):
                tell({"listed": sorted(os.listdir(".")), "pack": sorted(os.listdir("pack"))})
                with open("pack/new.py") as new, open("changed.py") as changed:
                    tell({"texts": [new.read(), changed.read()], "gone": os.path.lexists("gone.py")})
                try:
                    open("pack/new.py", "a")
                except OSError as error:
                    tell({"error": error.strerror})
                if request["executes"]:
                    code = "import pack.new, pack.kept, changed; print(pack.new.value, pack.kept.value, changed.value)"
                    tell({"said": subprocess.check_output([sys.executable, "-c", code], text=True)})
                    tell({"gone": subprocess.call([sys.executable, "-c", "import gone"], stderr=subprocess.DEVNULL)})
            """,
            request={"executes": policy.executes},
            overlay={
                "pack/new.py": "value = 2\n",
                "deep/er/new.py": "",
                "gone.py": None,
                "changed.py": "value = 3\n",
                "../outside.py": "",
            },
            policy=policy,
        )
        seen = [
            {"listed": ["changed.py", "deep", "pack"], "pack": ["kept.py", "new.py"]},
            {"texts": ["value = 2\n", "value = 3\n"], "gone": False},
            {"error": "Read-only file system"},
        ]
        assert heard.messages == seen + ([{"said": "2 1 3\n"}, {"gone": 1}] if policy.executes else [])
        assert stage.digest() == before

    @pytest.mark.parametrize("place", ["/dev/shm", "/tmp", "HOME", "TMPDIR"])
    async def test_files_are_limited_in_number_and_size(self, executor: Executor, stage: Stage, place: str) -> None:
        heard = await stage.run(
            executor,
            """
            import errno, os

            def main(request, tell):
                os.chdir(os.environ.get(request["place"], request["place"]))
                try:
                    for number in range(200000):
                        os.mkdir(str(number))
                except OSError as error:
                    tell({"errno": errno.errorcode[error.errno], "early": number < 100000})
                for made in range(number):
                    os.rmdir(str(made))
                try:
                    for number in range(100):
                        with open(str(number), "wb") as file:
                            file.write(bytes(8 << 20))
                except OSError as error:
                    tell({"errno": errno.errorcode[error.errno], "early": number < 9})
            """,
            request={"place": place},
            memory_mebibytes=64,
        )
        assert heard.messages == [{"errno": "ENOSPC", "early": True}] * 2

    async def test_files_outside_memory_cannot_be_written(self, stage: Stage) -> None:
        heard = await stage.run(
            BubblewrapExecutor(SandboxOptions(slots=1), await find_bubblewrap(), NO_WALLS),
            """
            import os

            def main(request, tell):
                for place, directories, _ in os.walk("/"):
                    directories[:] = [name for name in directories if os.path.join(place, name) not in request["skip"]]
                    try:
                        os.mkdir(os.path.join(place, "written"))
                        tell({"written": place})
                    except OSError:
                        continue
                tell({"walked": True})
            """,
            request={"skip": ["/dev/shm", "/tmp", "/proc", "/usr"]},
        )
        assert heard.messages == [{"walked": True}]

    @pytest.mark.parametrize("policy", [Policy.STRICT, Policy.SUBPROCESS])
    @pytest.mark.parametrize("walls", [KernelFeatures(landlock=0, seccomp=True), FULL_WALLS])
    async def test_mounts_and_other_processes_are_refused(
        self, stage: Stage, walls: KernelFeatures, policy: Policy
    ) -> None:
        cold = BubblewrapExecutor(SandboxOptions(slots=1), await find_bubblewrap(), walls)
        work = stage.work(
            """
            import ctypes, os

            libc = ctypes.CDLL(None, use_errno=True)

            def main(request, tell):
                with open("/proc/self/status") as status:
                    held = {line.split()[1] for line in status if line.startswith("Cap")}
                tell({"capabilities": sorted(held - {"0" * 16})})
                attempts = {
                    "mount": lambda: libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None),
                    "umount": lambda: libc.umount2(b"/tmp", 2),
                }
                for pid in {1, 2, 3, os.getppid()} - {os.getpid()}:
                    attempts["attach to %d" % pid] = lambda pid=pid: libc.ptrace(16, pid, None, None)
                    for name in ("mem", "environ", "root/etc", "ns/mnt", "fd/0", "cwd/certo"):
                        path = "/proc/%d/%s" % (pid, name)
                        attempts["open " + path] = lambda path=path: os.open(path, os.O_RDONLY)
                    attempts["write to %d" % pid] = lambda pid=pid: os.open("/proc/%d/mem" % pid, os.O_RDWR)
                for name, attempt in attempts.items():
                    try:
                        if attempt() >= 0:
                            tell({"worked": name})
                    except OSError:
                        continue
                tell({"tried": True})

            def prepare(preparation):
                pass
            """,
            policy=policy,
        )
        for tried in (work, replace(work, preparation={})):
            heard: list[Message] = []
            async with cold.warmed(tried) as executor:
                finished = await executor.run(tried, heard.append)
            assert heard == [{"capabilities": []}, {"tried": True}]
            # Only what may do no more than compute starts warm: as a copy of a process that can still mount.
            assert bool(finished.cold) is (tried.preparation is not None and policy is not Policy.STRICT)

    @pytest.mark.parametrize("walls", [KernelFeatures(landlock=0, seccomp=True), FULL_WALLS])
    async def test_hidden_files_cannot_be_read(self, stage: Stage, walls: KernelFeatures) -> None:
        stage.write({"tests/test_one.py": "on the disk", "data.txt": "on the disk", "one.py": "", "open.txt": "open"})
        program = """
            import os

            def main(request, tell, peer):
                tell({"read": peer.makefile().read()})

            def candidate(request, peer):
                seen = []
                for name in ("tests/test_one.py", "tests/new.py", "data.txt", "open.txt", "one.py"):
                    try:
                        with open(name) as file:
                            seen.append(file.read())
                    except OSError:
                        continue
                peer.sendall(" ".join(seen).encode())
        """
        overlay = {"one.py": "mine", "tests/new.py": "unsaved"}
        work = replace(
            stage.work(program, overlay=overlay), apart=Apart(files=("one.py",), hidden=("tests", "data.txt"))
        )
        heard: list[Message] = []
        executor = BubblewrapExecutor(SandboxOptions(slots=1), await find_bubblewrap(), walls)
        finished = await executor.run(work, heard.append)
        assert finished.complete, finished.printed
        assert heard == [{"read": "open mine"}], finished.printed
