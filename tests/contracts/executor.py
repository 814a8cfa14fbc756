"""What every executor must do, whatever it confines its runs with."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from certo.sandbox.executor import Ending, Executor, Interpreter, Message, Policy
from certo.vocabulary.errors import NoInterpreter
from contracts.ending import EndingContract
from support.projects.environments import make_environment
from support.sandbox.stage import Stage


class ExecutorContract(EndingContract):
    """Checks for one executor; a subclass offers it as the fixture `executor`."""

    async def test_messages_come_in_order_each_once(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor,
            """
            import os, threading

            def main(request, tell):
                for number in range(request["count"]):
                    tell({"number": number, "text": "é\\n\\udc80", "wide": "x" * 300})
                if os.fork() == 0:
                    tell({"number": "from a copy"})
                    return
                os.wait()
            """,
            request={"count": 2000},
            policy=Policy.FORKING,
        )
        assert [message["number"] for message in heard.messages] == list(range(2000))
        assert heard.messages[0]["text"] == "é\n\udc80"
        assert heard.finished.complete
        assert heard.finished.ending is Ending.EXITED
        assert heard.finished.status == 0

    @pytest.mark.usual_cases(
        "raise ValueError('the program broke')-1",
        "import os; os._exit(0)-0",
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)--11",
        "import os, signal; os.kill(os.getppid(), signal.SIGKILL); signal.pause()-1",
    )
    @pytest.mark.parametrize(
        ("statement", "status"),
        [
            ("raise ValueError('the program broke')", 1),
            ("import sys; sys.exit(0)", 0),
            ("import sys; sys.exit(3)", 3),
            ("import os; os._exit(0)", 0),
            ("raise KeyboardInterrupt", 1),
            ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", -signal.SIGSEGV),
            ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
            ("import os, signal; os.kill(os.getppid(), signal.SIGKILL); signal.pause()", 1),
        ],
    )
    async def test_programs_without_return_are_incomplete(
        self, executor: Executor, stage: Stage, statement: str, status: int
    ) -> None:
        heard = await stage.run(
            executor, f"def main(request, tell):\n    tell({{'before': 1}})\n    print('said')\n    {statement}\n"
        )
        assert not heard.finished.complete
        assert heard.finished.status == status
        assert heard.finished.ending is (Ending.EXITED if status >= 0 else Ending.KILLED)
        assert heard.messages == [{"before": 1}]

    async def test_the_words_of_an_exception_are_kept(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(executor, "def main(request, tell):\n    raise ValueError('the program broke')\n")
        assert heard.finished.printed.endswith("ValueError: the program broke\n")

    async def test_garbage_in_the_channel_proves_nothing(self, executor: Executor, stage: Stage) -> None:
        heard = await stage.run(
            executor,
            """
            import os, sys

            def main(request, tell):
                tell({"before": 1})
                for number in range(3, 64):
                    try:
                        os.write(number, b"[" * 100000 + b"\\n{}\\n")
                    except OSError:
                        continue
            """,
        )
        assert not heard.finished.complete
        assert heard.messages == [{"before": 1}]

    async def test_nothing_secret_is_in_the_environment(
        self, executor: Executor, stage: Stage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CERTO_CANARY_KEY", "sk-canary")
        monkeypatch.setenv("LC_TIME", "C")
        heard = await stage.run(
            executor,
            """
            import os

            def main(request, tell):
                # The first process of a namespace has an environment too, which all in it can read.
                seen = [dict(os.environ)]
                for pid in (1, os.getppid(), os.getpid()) if os.getppid() < 10 else (os.getppid(), os.getpid()):
                    try:
                        with open("/proc/%d/environ" % pid, "rb") as environ:
                            seen.append(environ.read().decode())
                    except OSError:
                        continue
                tell({"seen": repr(seen), "own": seen[0]})
            """,
        )
        [message] = heard.messages
        assert "canary" not in message["seen"].lower()
        assert message["own"]["LC_TIME"] == "C"
        assert message["own"]["PYTHONHASHSEED"] == "0"
        assert Path(message["own"]["HOME"]) != Path.home()

    async def test_the_seed_orders_sets(self, executor: Executor, stage: Stage) -> None:
        source = """
            import os

            def main(request, tell):
                tell({"seed": os.environ["PYTHONHASHSEED"], "hash": hash("order")})
            """
        heard: list[Message] = []
        for seed in (0, 1, 1):
            await executor.run(replace(stage.work(source), hash_seed=seed), heard.append)
        assert [message["seed"] for message in heard] == ["0", "1", "1"]
        assert heard[0]["hash"] != heard[1]["hash"] == heard[2]["hash"]

    async def test_standard_input_is_empty_nothing_inherited(self, executor: Executor, stage: Stage) -> None:
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)
        try:
            heard = await stage.run(
                executor,
                """
                import os, sys

                def main(request, tell):
                    pipes = set()
                    for name in os.listdir("/proc/self/fd"):
                        try:
                            pipes.add(os.readlink("/proc/self/fd/" + name))
                        except OSError:
                            continue
                    tell({"read": sys.stdin.read(), "pipes": sorted(one for one in pipes if one.startswith("pipe"))})
                """,
            )
        finally:
            os.close(reading)
            os.close(writing)
        [message] = heard.messages
        assert message["read"] == ""
        assert len(message["pipes"]) == 2  # what it prints, and the channel

    async def test_overlays_replace_files_without_touching_them(self, executor: Executor, stage: Stage) -> None:
        stage.write({"pack/__init__.py": "", "pack/one.py": "def answer():\n    return 1\n", "other.py": "value = 1\n"})
        before = stage.digest()
        heard = await stage.run(
            executor,
            """
            import inspect

            def main(request, tell):
                import other
                from pack import new, one

                tell({
                    "answers": [one.answer(), new.answer, other.value],
                    "source": inspect.getsource(one.answer),
                    "file": one.__file__,
                })
            """,
            overlay={"pack/one.py": "def answer():\n    return 'é'\n", "pack/new.py": "answer = 3\n"},
        )
        assert heard.finished.complete, heard.finished.printed
        [message] = heard.messages
        assert message["answers"] == ["é", 3, 1]
        assert message["source"] == "def answer():\n    return 'é'\n"
        assert message["file"] == str(stage.root / "pack" / "one.py")
        assert stage.digest() == before

    async def test_deleted_overlay_files_cannot_be_imported(self, executor: Executor, stage: Stage) -> None:
        stage.write({"gone.py": "", "moved.py": "value = 1\n", "pack/__init__.py": "", "pack/gone.py": ""})
        heard = await stage.run(
            executor,
            """
            import importlib, importlib.util

            def main(request, tell):
                for name in ("gone", "pack.gone"):
                    try:
                        importlib.import_module(name)
                        tell({"imported": name})
                    except ModuleNotFoundError as error:
                        tell({"missing": error.name})
                try:
                    spec = importlib.util.spec_from_file_location("by_place", "gone.py")
                    spec.loader.exec_module(importlib.util.module_from_spec(spec))
                    tell({"loaded": "gone.py"})
                except FileNotFoundError:
                    tell({"missing": "gone.py"})
                import moved
                tell({"value": moved.value})
            """,
            overlay={"gone.py": None, "pack/gone.py": None, "moved.py": None, "moved/__init__.py": "value = 2\n"},
        )
        assert heard.messages == [
            {"missing": "gone"},
            {"missing": "pack.gone"},
            {"missing": "gone.py"},
            {"value": 2},
        ]

    async def test_protected_files_stay_unchanged(self, executor: Executor, stage: Stage) -> None:
        stage.write({"one.py": "value = 1\n", "tests/two.py": "value = 1\n", "three.py": "value = 1\n"})
        os.symlink("tests", stage.root / "linked")
        heard = await stage.run(
            executor,
            """
            import importlib

            def main(request, tell):
                found = {}
                for name in ("one", "tests.two", "tests.new", "conftest", "three", "tests.mine"):
                    try:
                        found[name] = importlib.import_module(name).value
                    except ModuleNotFoundError:
                        found[name] = None
                tell(found)
            """,
            overlay={
                "one.py": "value = 2\n",
                "linked/two.py": "value = 2\n",
                "tests/new.py": "value = 2\n",
                "tests/../conftest.py": "value = 2\n",
                "three.py": None,
                "tests/mine.py": "value = 2\n",
            },
            protected=("tests", "conftest.py", "three.py"),
            unprotected=("tests/mine.py",),
        )
        unchanged = {"tests.two": 1, "tests.new": None, "conftest": None, "three": 1}
        assert heard.messages == [{"one": 2, "tests.mine": 2, **unchanged}]

    async def test_an_interpreter_that_is_none_is_named(self, executor: Executor, stage: Stage) -> None:
        missing = Interpreter(executable=stage.root / "python", version=(3, 11, 0), readable=(), why="a test")
        with pytest.raises(NoInterpreter, match="project/python is not a program"):
            await stage.run(executor, "", interpreter=missing)

    async def test_environment_out_of_sight_is_named(self, executor: Executor, stage: Stage, tmp_path: Path) -> None:
        """An interpreter whose readable directories lack its environment is refused before it is started."""
        python = make_environment(tmp_path / "environment")
        readable = (Path(sys.base_prefix),)
        unseen = Interpreter(executable=python, version=sys.version_info[:3], readable=readable, why="a test")
        with pytest.raises(NoInterpreter, match=r"environment/bin/python belongs to the environment .*may not read"):
            await stage.run(executor, "", interpreter=unseen)
        seen = replace(unseen, readable=(*readable, tmp_path / "environment"))
        heard = await stage.run(executor, "def main(request, tell): pass", interpreter=seen)
        assert heard.finished.status == 0

    async def test_broken_interpreters_are_named_with_output(self, executor: Executor, stage: Stage) -> None:
        broken = stage.root / "python"
        broken.write_text("#!/bin/sh\necho libpython is gone >&2\nexit 127\n")
        broken.chmod(0o755)
        interpreter = Interpreter(executable=broken, version=(3, 11, 0), readable=(), why="a test")
        with pytest.raises(NoInterpreter, match="libpython is gone"):
            await stage.run(executor, "", interpreter=interpreter)
