"""What every executor must do where a candidate runs in another process than its tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from certo.sandbox.executor import Apart, Executor
from support.sandbox.prepared_runs import own_processes, run_either, work_of
from support.sandbox.stage import Stage


class ApartContract:
    """What must hold where a candidate runs apart, whether the run is warm or cold."""

    @pytest.mark.parametrize("warm", [True, False])
    async def test_the_candidate_lacks_tests_and_channel(self, executor: Executor, stage: Stage, *, warm: bool) -> None:
        source = """
            import json, os

            def prepare(preparation):
                pass

            def seen():
                try:
                    tests = open("tests/test_it.py").read()
                except OSError:
                    tests = None
                try:
                    import thing
                except ImportError:
                    thing = None
                links = [os.readlink("/proc/self/fd/" + name) for name in os.listdir("/proc/self/fd")
                         if os.path.lexists("/proc/self/fd/" + name)]
                kinds = sorted(link.partition(":")[0] for link in links)
                return {"pid": os.getpid(), "tests": tests, "thing": getattr(thing, "NAME", None), "open": kinds}

            def main(request, tell, peer):
                heard = b""
                while True:
                    chunk = peer.recv(65536)
                    if not chunk:
                        break
                    heard += chunk
                tell({"theirs": json.loads(heard.decode()), "mine": seen()})

            def candidate(request, peer):
                peer.sendall(json.dumps(seen()).encode())
        """
        stage.write({"tests/test_it.py": "ANSWER = 42\n"})
        apart = Apart(files=("thing.py",), hidden=("tests",))
        work = replace(work_of(stage, source, name="theirs"), apart=apart)
        finished, [message] = await run_either(executor, work, warm=warm)
        theirs, mine = message["theirs"], message["mine"]
        assert finished.complete
        assert theirs["pid"] != mine["pid"]
        assert (theirs["thing"], mine["thing"]) == ("theirs", "on disk")
        assert (theirs["tests"], mine["tests"]) == (None, "ANSWER = 42\n")
        # What it prints twice, and the socket: no pipe more by which it could say anything.
        assert theirs["open"] == ["/dev/null", "pipe", "pipe", "socket"]
        # And by ours it is seen what the candidate has used of the processor.
        account = f"/proc/{theirs['pid']}/schedstat"
        assert [kind for kind in mine["open"] if kind != account] == ["/dev/null", "pipe", "pipe", "pipe", "socket"]

    @pytest.mark.parametrize("warm", [True, False])
    async def test_neither_process_outlives_the_other(self, executor: Executor, stage: Stage, *, warm: bool) -> None:
        source = """
            import ctypes, os, signal, time

            def prepare(preparation):
                pass

            def main(request, tell, peer):
                tell({"heard": peer.recv(1).decode()})

            def candidate(request, peer):
                try:
                    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
                except OSError:
                    pass
                for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                    try:
                        signal.signal(number, signal.SIG_IGN)
                    except (OSError, ValueError):
                        continue
                signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
                peer.sendall(b"x")
                while True:
                    time.sleep(1000)
        """
        work = replace(work_of(stage, source), apart=Apart(files=("thing.py",)))
        finished, messages = await run_either(executor, work, warm=warm)
        assert (finished.complete, messages) == (True, [{"heard": "x"}])
        assert own_processes() == []

    @pytest.mark.parametrize("warm", [True, False])
    async def test_the_death_of_the_candidate_is_seen(self, executor: Executor, stage: Stage, *, warm: bool) -> None:
        source = """
            import os

            def prepare(preparation):
                pass

            def main(request, tell, peer):
                tell({"heard": peer.recv(1).decode()})

            def candidate(request, peer):
                os.abort()
        """
        work = replace(work_of(stage, source), apart=Apart(files=("thing.py",)))
        finished, messages = await run_either(executor, work, warm=warm)
        assert (finished.complete, messages) == (True, [{"heard": ""}])
