"""`certo mcp`, asked by the client of the official SDK over standard streams and over HTTP, as real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import jsonschema
import pytest

from support.cli.command import COMMAND, RIGHT, SOURCE, certo, environment, processes_in, till
from support.projects.repositories import begin, commit

if TYPE_CHECKING:
    # It takes seconds to load, so only the tests do, and not each process that collects them.
    from mcp.client.client import Client

ENDLESS = """\
from till import change

def test_ends_never():
    change(0)
    with open(__file__):
        while True:
            pass
"""


def readers_of(file: Path) -> Iterator[str]:
    """Yield the processes that have a file open, in whatever mounts they see it."""
    wanted = file.stat()
    for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if os.path.samestat(descriptor.stat(), wanted):
                yield descriptor.parts[2]
        except OSError:
            continue  # The process has ended in the meantime, or is another user's.


@asynccontextmanager
async def over_streams(root: Path, **extra: str) -> AsyncIterator[Client]:
    """A client of a server that it started itself, with these variables."""
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    command = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "mcp"], env=environment(root.parent, **extra), cwd=root
    )
    async with Client(stdio_client(command)) as client:
        yield client


@contextmanager
def listening(root: Path) -> Iterator[tuple[str, str, subprocess.Popen[str]]]:
    """The address and the token of a server on a socket, and its process."""
    serving = subprocess.Popen(
        [*COMMAND, "mcp", "--http", "0"], cwd=root, env=environment(root.parent), stdout=subprocess.PIPE, text=True
    )
    try:
        assert serving.stdout is not None
        told = json.loads(serving.stdout.readline())["certo"]
        token = Path(told["tokenFile"]).read_text()
        yield f"http://{told['host']}:{told['port']}/mcp", token, serving
    finally:
        serving.terminate()
        serving.wait(60)
        assert serving.stdout is not None
        serving.stdout.close()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return till(tmp_path_factory.mktemp("agents") / "till")


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds that only another process can say."""
    with anyio.fail_after(240):
        while not holds():  # noqa: ASYNC110 - no event comes from another process
            await anyio.sleep(0.05)


def text_of(result: Any) -> str:
    return str(result.content[0].text)


async def test_repair_is_shown_then_applied(tmp_path: Path) -> None:
    from certo.agents.tools import TOOLS

    root = till(tmp_path / "till")
    steps: list[str | None] = []

    async def on_progress(number: float, total: float | None, message: str | None) -> None:
        steps.append(message)

    script = tmp_path / "script.json"
    script.write_text(json.dumps([RIGHT]))
    scripted = {"CERTO_SEARCH__GENERATOR": "scripted", "CERTO_SCRIPTED__PATH": str(script)}
    async with over_streams(root, **scripted) as client:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        assert list(schemas) == [tool.name for tool in TOOLS]
        failed = await client.call_tool("verify", {"target": "till.py::change"})
        assert failed.structured_content["verified"] is False
        jsonschema.validate(failed.structured_content, schemas["verify"])
        found = await client.call_tool("repair", {"target": "till.py::change"}, progress_callback=on_progress)
        answer = found.structured_content
        jsonschema.validate(answer, schemas["repair"])
        assert answer["verified"] is True
        assert answer["applied"] is None
        assert (root / "till.py").read_text() == SOURCE
        assert "searching" in steps
        best = answer["candidates"][0]
        assert best["evidence"]["graded"]["level"] == "fair"
        assert "The evidence is fair: " in text_of(found)
        assert certo(root, "check", best["digest"]).out.startswith("CHANGED SINCE  change")
        diffs = [each.uri for each in (await client.list_resources()).resources if "/diffs/" in str(each.uri)]
        assert diffs[0] == f"certo://diffs/{answer['searchId']}/{best['candidateId']}"
        templates = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
        assert templates == ["certo://reports/{report}", "certo://diffs/{search}/{candidate}"]
        shown = (await client.read_resource(diffs[0])).contents[0]
        assert "due >= coin" in shown.text
        told = await client.call_tool("explain", {"search_id": answer["searchId"], "candidate_id": best["candidateId"]})
        assert "verified" in text_of(told).lower()
        done = await client.call_tool("apply", {"search_id": answer["searchId"]})
        assert not done.is_error, text_of(done)
        assert "due >= coin" in (root / "till.py").read_text()
        checked = await client.call_tool("check", {"digest": best["digest"]})
        assert checked.structured_content["holds"] is True


@pytest.mark.slow
async def test_tools_of_evidence_follow_their_schemas(tmp_path: Path) -> None:
    """Each tells its progress, and its report can be read again; prompts name the target."""
    root = till(tmp_path / "till")
    begin(root)
    commit(root)
    steps: list[str | None] = []

    async def on_progress(number: float, total: float | None, message: str | None) -> None:
        steps.append(message)

    async with over_streams(root) as client:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        for tool in ("diff", "strength", "tests"):
            steps.clear()
            result = await client.call_tool(tool, {"target": "till.py::change"}, progress_callback=on_progress)
            assert not result.is_error, text_of(result)
            jsonschema.validate(result.structured_content, schemas[tool])
            assert steps, tool
            uri = text_of(result).rpartition("report: ")[2]
            assert json.loads((await client.read_resource(uri)).contents[0].text) == result.structured_content
        for prompt in (await client.list_prompts()).prompts:
            filled = await client.get_prompt(prompt.name, {prompt.arguments[0].name: "till.py::change"})
            assert "till.py::change" in filled.messages[0].content.text
    assert (root / "till.py").read_text() == SOURCE


HOSTILE = {
    "outside": ("verify", {"target": "../other.py::f"}, "outside"),
    "absolute": ("verify", {"target": "/etc/passwd.py::f"}, "outside"),
    "other root": ("verify", {"target": "till.py::change", "root": "/"}, "outside of the folders"),
    "root above": ("verify", {"target": "till.py::change", "root": ".."}, "outside of the folders"),
    "no folder": ("verify", {"target": "till.py::change", "root": "till.py"}, "no folder"),
    "unknown function": ("verify", {"target": "till.py::nothing"}, "there is no function"),
    "unknown file": ("repair", {"target": "nothing.py::f"}, "no such file"),
    "number": ("verify", {"target": 5}, "valid string"),
    "nothing": ("verify", {}, "target"),
    "null": ("verify", {"target": None}, "valid string"),
    "words for truth": ("repair", {"target": "till.py::change", "apply": "yes"}, "valid boolean"),
    "negative": ("repair", {"target": "till.py::change", "seconds": -1}, "greater than 0"),
    "negative seed": ("diff", {"target": "till.py::change", "seed": -1}, "greater than or equal"),
    "huge": ("repair", {"target": "x" * 1_000_000}, "at most 1000"),
    "huge instruction": ("generate", {"target": "till.py::change", "instruction": "x" * 100_000}, "at most 20000"),
    "unknown name": ("verify", {"target": "till.py::change", "settings": {}}, "not permitted"),
    "line break": ("verify", {"target": "till.py\n::change"}, "pattern"),
    "null character": ("verify", {"target": "till.py\0::change"}, "pattern"),
    "option for git": ("diff", {"target": "till.py::change", "against": "--output=x"}, "pattern"),
    "unknown search": ("compare", {"search_id": "0", "candidate_id": "1", "other_id": "2"}, "there is no search"),
}


async def test_hostile_arguments_are_refused(root: Path) -> None:
    async with over_streams(root) as client:
        for name, (tool, arguments, said) in HOSTILE.items():
            result = await client.call_tool(tool, arguments)
            assert result.is_error, name
            assert said in text_of(result), (name, text_of(result)[:300])
            assert len(text_of(result)) < 2_000, name
    assert (root / "till.py").read_text() == SOURCE


async def test_cancelled_call_ends_its_run(tmp_path: Path) -> None:
    """A test that never ends is gone with the call that ran it, and the server goes on."""
    root = till(tmp_path / "till")
    endless = root / "tests" / "test_till.py"
    endless.write_text(ENDLESS)
    # Nothing else ends it while this test waits.
    (root / "pyproject.toml").write_text(
        "[tool.certo]\ntests.seconds = 600\ntests.total_seconds = 600\nsearch.seconds = 600\n"
    )
    async with over_streams(root) as client:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "verify", {"target": "till.py::change"})
                await until(lambda: any(readers_of(endless)))
                scope.cancel()
        await until(lambda: not any(readers_of(endless)))
        assert (await client.list_prompts()).prompts
    assert processes_in(root) == []


async def test_http_wants_the_token(root: Path) -> None:
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client

    with listening(root) as (address, token, serving):
        async with httpx2.AsyncClient() as web:
            assert (await web.post(address, json={})).status_code == 401
            wrong = {"Authorization": f"Bearer {token[:-1]}"}
            assert (await web.post(address, json={}, headers=wrong)).status_code == 401
            right = {"Authorization": f"Bearer {token}"}
            page = {**right, "Origin": "https://example.org"}
            assert (await web.post(address, json={}, headers=page)).status_code == 403
            elsewhere = {**right, "Host": "example.org"}
            assert (await web.post(address, json={}, headers=elsewhere)).status_code == 403
        async with (
            httpx2.AsyncClient(headers=right, timeout=120) as web,
            Client(streamable_http_client(address, http_client=web)) as client,
        ):
            result = await client.call_tool("verify", {"target": "till.py::nothing"})
            assert "there is no function" in text_of(result)
        serving.send_signal(signal.SIGTERM)
        await until(lambda: serving.poll() is not None)
        assert serving.returncode == 128 + signal.SIGTERM
    assert processes_in(root) == []


def test_missing_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "mcp.py").write_text("raise ImportError('not here')\n")
    ran = certo(tmp_path, "mcp", PYTHONPATH=f"{tmp_path}{os.pathsep}")
    assert ran.code == 3
    assert ran.out == ""
    assert 'pip install "certo[mcp]"' in ran.err


@pytest.mark.slow
def test_garbage_pollutes_nothing(root: Path) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    words = b"\xff\xfe\n{\n[]\n" + json.dumps(ping).encode() + b"\n"
    done = subprocess.run(
        [*COMMAND, "mcp"],
        input=words,
        cwd=root,
        env=environment(root.parent),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in done.stdout.splitlines())
