"""Every executor we have keeps the executors' contract."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from certo.sandbox.bubblewrap import BubblewrapExecutor, find_bubblewrap
from certo.sandbox.executor import Executor, Policy
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from contracts.executor import ExecutorContract
from support.pooling import InPools
from support.stage import OURS, Stage


class TestLocalExecutor(ExecutorContract):
    """The plain process."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return LocalExecutor(SandboxOptions(slots=2))

    async def test_it_does_not_promise_too_much(self, executor: Executor) -> None:
        assert executor.isolation.startswith("Landlock, seccomp: no network, no processes")


class TestPool(ExecutorContract):
    """The plain process again, prepared before it gets its order."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return InPools(LocalExecutor(SandboxOptions(slots=2)))


@pytest.mark.bubblewrap
class TestPoolInBubblewrap(ExecutorContract):
    """The same in namespaces."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return InPools(BubblewrapExecutor(SandboxOptions(slots=2), await find_bubblewrap()))


@pytest.mark.bubblewrap
class TestBubblewrapExecutor(ExecutorContract):
    """The same in namespaces, and what only those can do."""

    @pytest.fixture
    async def executor(self) -> Executor:
        return BubblewrapExecutor(SandboxOptions(slots=2), await find_bubblewrap())

    async def test_it_says_what_it_cuts_off(self, executor: Executor) -> None:
        assert executor.isolation == "bubblewrap, Landlock, seccomp: no network, no processes, project read-only"

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

    async def test_whoever_opens_an_overlaid_file_gets_the_overlay(self, executor: Executor, stage: Stage) -> None:
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
