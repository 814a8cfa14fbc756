"""Honest programs and their tests, which must get the verdict that plain pytest gives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Honest:
    """A program with a function `answer` that gives 42, and tests that use some part of Python to find that out.

    `needs_namespaces` says that it uses what belongs to the whole machine (its network, its shared memory), which a run
    gets only where it has one of its own. `assurance` is how what it is put to begins.
    """

    name: str
    program: str
    tests: str
    needs_namespaces: bool = False
    assurance: str = "tier 2: apart + canary"


_PLAIN = "def answer():\n    return 42\n"

HONEST_PROGRAMS = (
    Honest(
        name="threads",
        program="""\
            import threading
            from concurrent.futures import ThreadPoolExecutor


            def answer():
                lock, total = threading.Lock(), [0]

                def add(n):
                    with lock:
                        total[0] += n

                with ThreadPoolExecutor(4) as pool:
                    list(pool.map(add, [2] * 21))
                return total[0]
            """,
        tests="from program import answer\n\ndef test_answer():\n    assert answer() == 42\n",
    ),
    Honest(
        name="asyncio",
        program="""\
            import asyncio


            async def half():
                await asyncio.sleep(0)
                return 21


            def answer():
                async def both():
                    return sum(await asyncio.gather(half(), half()))

                return asyncio.run(both())
            """,
        tests="from program import answer\n\ndef test_answer():\n    assert answer() == 42\n",
    ),
    Honest(
        name="temporary_files",
        program="""\
            import os
            import shutil
            import tempfile


            def answer():
                with tempfile.TemporaryDirectory() as place, tempfile.NamedTemporaryFile() as named:
                    named.write(b"42")
                    named.flush()
                    shutil.copyfile(named.name, os.path.join(place, "copy"))
                    with open(os.path.join(place, "copy")) as copy:
                        return int(copy.read())
            """,
        tests="""\
            from program import answer

            def test_answer(tmp_path, tmp_path_factory):
                (tmp_path / "file").write_text(str(answer()))
                assert (tmp_path / "file").read_text() == "42"
                assert tmp_path_factory.mktemp("other").is_dir()
            """,
    ),
    Honest(
        name="sqlite3",
        program="""\
            import os
            import sqlite3
            import tempfile


            def answer():
                with tempfile.TemporaryDirectory() as place:
                    database = sqlite3.connect(os.path.join(place, "database"))
                    with database:
                        database.execute("create table numbers (n integer)")
                        database.executemany("insert into numbers values (?)", [(20,), (22,)])
                    [(total,)] = database.execute("select sum(n) from numbers")
                    database.close()
                return total
            """,
        tests="from program import answer\n\ndef test_answer():\n    assert answer() == 42\n",
    ),
    Honest(
        name="subprocess",
        program="""\
            import subprocess
            import sys


            def answer():
                return int(subprocess.check_output([sys.executable, "-c", "print(42)"], text=True))
            """,
        tests="from program import answer\n\ndef test_answer():\n    assert answer() == 42\n",
    ),
    Honest(
        name="processes",
        program="""\
            from concurrent.futures import ProcessPoolExecutor


            def answer():
                with ProcessPoolExecutor(2) as pool:
                    return sum(pool.map(abs, [-20, -22]))
            """,
        tests="from program import answer\n\ndef test_answer():\n    assert answer() == 42\n",
        needs_namespaces=True,
    ),
    Honest(
        name="processes_that_are_no_copies",
        program="""\
            import multiprocessing
            import subprocess


            def half(_):
                import pytest

                return 21 if pytest else 0


            def answer():
                assert "-S" not in subprocess._args_from_interpreter_flags()
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    return sum(pool.map(half, [1, 2]))
            """,
        tests="from program import answer\n\ndef test_answer():\n    assert answer() == 42\n",
        needs_namespaces=True,
    ),
    Honest(
        name="loopback_server",
        program="""\
            import http.server
            import threading
            import urllib.request


            class Answering(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(b"42")

                def log_message(self, *words):
                    pass


            def answer():
                with http.server.HTTPServer(("127.0.0.1", 0), Answering) as server:
                    thread = threading.Thread(target=server.serve_forever)
                    thread.start()
                    try:
                        with urllib.request.urlopen("http://127.0.0.1:%d/" % server.server_port) as reply:
                            return int(reply.read())
                    finally:
                        server.shutdown()
                        thread.join()
            """,
        tests="from program import answer\n\ndef test_answer():\n    assert answer() == 42\n",
        needs_namespaces=True,
    ),
    Honest(
        name="fixtures",
        program=_PLAIN,
        tests="""\
            import pytest
            from program import answer

            @pytest.fixture(scope="module")
            def wanted():
                yield 42

            @pytest.fixture(autouse=True)
            def before_and_after(capsys):
                print("before")
                yield
                assert capsys.readouterr().out == "before\\n"

            def test_answer(wanted):
                assert answer() == wanted
            """,
    ),
    Honest(
        name="parameters",
        program=_PLAIN,
        tests="""\
            import pytest
            from program import answer

            @pytest.mark.parametrize("wanted", [42, 42.0, pytest.param(42 + 0j, id="complex")])
            @pytest.mark.parametrize("sign", [1, -1])
            def test_answer(wanted, sign):
                assert sign * answer() == sign * wanted
            """,
    ),
    Honest(
        name="class_tests",
        program=_PLAIN,
        tests="""\
            from program import answer

            class TestAnswer:
                def setup_method(self):
                    self.wanted = 42

                def test_answer(self):
                    assert answer() == self.wanted

            class TestAround:
                class TestInside:
                    def test_answer(self):
                        assert answer() % 2 == 0
            """,
    ),
    Honest(
        name="unittest",
        program=_PLAIN,
        tests="""\
            import unittest
            from program import answer

            class AnswerTest(unittest.TestCase):
                @classmethod
                def setUpClass(cls):
                    cls.wanted = 42

                def test_answer(self):
                    for _ in range(2):
                        with self.subTest():
                            self.assertEqual(answer(), self.wanted)
            """,
    ),
    Honest(
        name="monkeypatch",
        program="""\
            import os


            def answer():
                return int(os.environ["ANSWER"])
            """,
        tests="""\
            import os
            import program

            def test_answer(monkeypatch, tmp_path):
                monkeypatch.setenv("ANSWER", "42")
                monkeypatch.chdir(tmp_path)
                assert program.answer() == 42
                monkeypatch.setattr(os, "getcwd", lambda: "nowhere")
                assert program.answer() == 42
            """,
    ),
    Honest(
        name="signals_and_time",
        program="""\
            import signal
            import time


            def answer():
                heard = []
                before = signal.signal(signal.SIGUSR1, lambda number, frame: heard.append(number))
                try:
                    signal.raise_signal(signal.SIGUSR1)
                    time.sleep(0.001)
                finally:
                    signal.signal(signal.SIGUSR1, before)
                return 42 if heard else 0
            """,
        tests="from program import answer\n\ndef test_answer():\n    assert answer() == 42\n",
    ),
    Honest(
        name="installed_packages_and_zones",
        program="""\
            import importlib.metadata
            import ssl
            import zoneinfo


            def answer():
                ssl.create_default_context()
                assert importlib.metadata.version("pytest")
                return 42 if str(zoneinfo.ZoneInfo("Europe/Berlin")) else 0
            """,
        tests="from program import answer\n\ndef test_answer():\n    assert answer() == 42\n",
    ),
    Honest(
        name="mocks_and_errors_handed_over",
        program="""\
            def answer(client=None, missing=KeyError):
                try:
                    return client.get("/", timeout=3).json()["answer"]
                except missing as error:
                    return error.instead
            """,
        tests="""\
            from unittest.mock import MagicMock, Mock

            from program import answer

            class Missing(Exception):
                def __init__(self, instead):
                    self.instead = instead

            class Client:
                def __init__(self):
                    self.asked = []

                def get(self, path, timeout):
                    self.asked.append(path)
                    return self

                def json(self):
                    return {"answer": 42}

            def test_a_mock():
                client = Mock()
                client.get.return_value.json.return_value = {"answer": 42}
                assert answer(client) == 42
                client.get.assert_called_once_with("/", timeout=3)

            def test_an_error():
                client = MagicMock()
                client.get.side_effect = Missing(42)
                assert answer(client, Missing) == 42

            def test_an_object():
                client = Client()
                assert answer(client) == 42
                assert client.asked == ["/"]
            """,
    ),
)
