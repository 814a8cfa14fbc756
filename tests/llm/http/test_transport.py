"""Failures on the way to a provider, each told in a sentence that names provider, setting and value."""

from __future__ import annotations

import json
import ssl
from pathlib import Path

import anyio
import pytest
import trustme
from anyio.abc import SocketAttribute, SocketStream

from certo.llm.http.anthropic import AnthropicFormat
from certo.llm.http.endpoint import Endpoint
from certo.llm.http.model import HttpModel
from certo.llm.http.ollama import OllamaFormat
from certo.llm.http.openai import OpenAIFormat
from certo.llm.http.transport import Transport
from certo.vocabulary.errors import ModelFailed
from support.models.model_server import NDJSON, Page, chunk, event, line, model_server, openai_pieces, page_of
from support.models.provider_plays import Play, ask
from support.models.served_model import KEY, served

pytestmark = pytest.mark.acceptance(105)

GOOD = page_of(Play(), openai_pieces)


async def failure_of(page: Page, format_: object = OpenAIFormat(), **more: object) -> ModelFailed:
    """Return the failure of a model whose server answers so."""
    async with served(page, format_, **more) as (model, _):
        with pytest.raises(ModelFailed) as failure:
            await model.answer(ask())
    assert KEY not in str(failure.value)
    return failure.value


def page(status: int, told: object, **headers: str) -> Page:
    """A response that explains why there is no answer."""
    body = told.encode() if isinstance(told, str) else json.dumps(told).encode()
    kind = "text/html" if isinstance(told, str) and told.startswith("<") else "application/json"
    return Page(status=status, kind=kind, pieces=(body,), headers=headers)


def told(message: str, kind: str = "", code: object = None) -> dict[str, object]:
    """An error as OpenAI words it."""
    return {"error": {"message": message, "type": kind, "code": code}}


@pytest.mark.parametrize(
    ("given", "transient", "status", "says"),
    [
        (page(401, told("Incorrect API key")), False, 401, "not accept the key from OPENAI_API_KEY: Incorrect"),
        (page(403, told("no access")), False, 403, "refused what was asked of model 'small': no access"),
        (page(404, told("The model does not exist")), False, 404, "has no model 'small', or model.base_url is wrong"),
        (page(404, "<html>nginx</html>"), False, 404, "no such path; look at model.base_url, which often"),
        (page(400, told("too many tokens")), False, 400, "refused what was asked of model 'small': too many tokens"),
        (page(413, {"detail": "too large"}), False, 413, "too large"),
        (page(408, ""), True, 408, "HTTP status 408"),
        (page(409, ""), True, 409, "HTTP status 409"),
        (page(425, ""), True, 425, "HTTP status 425"),
        (page(429, told("Rate limit reached")), True, 429, "takes no more calls for now: Rate limit"),
        (page(429, told("You exceeded", "insufficient_quota", "insufficient_quota")), False, 429, "no credit left"),
        (page(500, told("oh")), True, 500, "could not answer: oh"),
        (page(503, "<html>"), True, 503, "could not answer (HTTP status 503)"),
        (page(529, {"type": "error", "error": {"type": "overloaded_error", "message": "Full"}}), True, 529, ": Full"),
        (page(302, "", location="https://elsewhere.example"), False, 302, "a key is not sent after it"),
        (page(200, told("upstream is down")), True, 502, "could not answer: upstream is down"),
        (page(200, "<!doctype html><p>Hello"), False, None, "sent text/html and not the stream that was asked for"),
        (page(200, "garbage"), False, None, "sent application/json and not the stream"),
    ],
)  # fmt: skip
async def test_a_response_that_is_no_answer(given: Page, transient: bool, status: int | None, says: str) -> None:
    failure = await failure_of(given)
    assert says in str(failure)
    assert str(failure).startswith("openai at http://127.0.0.1:")
    assert (failure.transient, failure.status, failure.received) == (transient, status, False)


TEXT = event(chunk("some"))


@pytest.mark.parametrize(
    ("given", "transient", "received", "says"),
    [
        (Page(headless=True), True, False, "closed the connection before its answer was whole"),
        (Page(pieces=(TEXT,), cut=True), True, True, "closed the connection before its answer was whole"),
        (Page(pieces=(TEXT,)), True, True, "without saying that it was whole"),
        (Page(pieces=(TEXT, event("[DONE]"))), True, True, "without saying that it was whole"),
        (Page(pieces=()), True, False, "without saying that it was whole"),
        (Page(pieces=(event(chunk(finish_reason="stop")), event("[DONE]"))), True, False, "answered without a word"),
        (Page(pieces=(TEXT, event(told("boom", "server_error")))), True, True, "broke off its answer: boom"),
        (Page(pieces=(event(told("bad", "invalid_request_error")),)), False, False, "broke off its answer: bad"),
        (Page(pieces=(event(told("wait", "", 429)),)), True, False, "broke off its answer: wait"),
        (Page(pieces=(event(told("no", "", 401)),)), False, False, "broke off its answer: no"),
        (Page(pieces=(event({"error": "just words"}),)), True, False, "broke off its answer: just words"),
        (Page(pieces=(TEXT, b"data: \xff\xfe\n\n")), False, True, "sent what is not UTF-8 text"),
        (Page(pieces=(TEXT, b"data: \xe2\x82")), False, True, "sent what is not UTF-8 text"),
        (Page(pieces=(event("{"),)), True, False, "sent what is no part of an answer: '{'"),
        (Page(pieces=(event([1]),)), True, False, "sent what is no part of an answer: '[1]'"),
        (Page(pieces=(event("[" * 100_000),)), True, False, "sent what is no part of an answer"),
        (Page(pieces=(event({"choices": 3}),)), False, False, "in another form than OpenAIFormat knows"),
        (Page(pieces=(event({"choices": ["x"]}),)), False, False, "in another form than OpenAIFormat knows"),
        (Page(pieces=(TEXT, event(chunk("x" * 900_000))), endless=True), False, True, "more than 8000000 characters"),
        (Page(pieces=(b": " + b"x" * 900_000 + b"\n\n",), endless=True), False, False, "more than 67108864 bytes"),
        (Page(pieces=(b"data: " + b"x" * 900_000,), endless=True), False, False, "16777216 byte limit"),
    ],
)  # fmt: skip
async def test_a_stream_that_is_no_answer(given: Page, transient: bool, received: bool, says: str) -> None:
    failure = await failure_of(given)
    assert says in str(failure)
    assert (failure.transient, failure.received) == (transient, received)


async def test_an_endless_line_is_given_up() -> None:
    failure = await failure_of(Page(kind=NDJSON, pieces=(b"x" * 900_000,), endless=True), OllamaFormat())
    assert "a line of more than 16777216 bytes" in str(failure)


@pytest.mark.parametrize(
    ("format_", "given", "says"),
    [
        (OllamaFormat(), Page(kind=NDJSON, pieces=(line({"error": "model ran out of memory"}),)), "ran out of memory"),
        (OllamaFormat(), page(404, {"error": "model 'small' not found"}), "has no model 'small'"),
        (OllamaFormat(), Page(kind=NDJSON, pieces=(line({"message": {"content": "x"}, "done": False}),)), "was whole"),
        (
            AnthropicFormat(),
            Page(pieces=(event({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),)),
            "broke off its answer: Overloaded",
        ),
    ],
)
async def test_each_format_reports_failures_its_way(format_: object, given: Page, says: str) -> None:
    assert says in str(await failure_of(given, format_))


async def test_a_silent_provider_is_given_up() -> None:
    failure = await failure_of(Page(silent=True), stall_seconds=0.05)
    assert "sent nothing for 0.05 s (model.stall_seconds)" in str(failure)
    assert failure.transient


async def test_a_provider_silent_in_mid_answer_fails() -> None:
    """The failure is transient, and remembers that something was received."""
    failure = await failure_of(Page(pieces=(TEXT,), open=True), seconds=1.0, group="models.fast")
    assert "had not finished its answer after 1 s (models.fast.seconds)" in str(failure)
    assert failure.transient
    assert failure.received


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": f"Wed, 21 Oct {'9' * 30} 07:28:00 GMT"}, None),
        ({}, None),
    ],
)
@pytest.mark.acceptance(73)
async def test_when_to_come_back_is_passed_on(headers: dict[str, str], seconds: float | None) -> None:
    assert (await failure_of(page(429, told("slow down"), **headers))).retry_after == seconds


async def test_a_retry_date_far_away_is_read() -> None:
    failure = await failure_of(page(503, "", **{"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}))
    assert failure.retry_after is not None
    assert failure.retry_after > 1e9


async def test_repeated_keys_are_not_shown() -> None:
    """The server repeats the key, and a header of the user's own."""
    failure = await failure_of(
        page(401, told(f"key {KEY} with header secret-header-value is wrong")), headers={"x-own": "secret-header-value"}
    )
    assert "key … with header … is wrong" in str(failure)


@pytest.mark.parametrize("before", [300 - len(KEY) // 2, 80 - len(KEY) // 2])
async def test_truncated_messages_show_no_half_keys(before: int) -> None:
    words = "x" * before + KEY
    for given in (page(401, told(words)), Page(pieces=(event(told(words)),)), Page(pieces=(event(words),))):
        assert KEY[: len(KEY) // 2] not in str(await failure_of(given))


async def test_content_types_reach_no_terminal_raw() -> None:
    failure = await failure_of(Page(kind="text/\x1b[2Jgone"))
    assert "sent text/ [2jgone and not the stream" in str(failure)


async def test_error_messages_reach_no_terminal_raw() -> None:
    failure = await failure_of(page(500, told("\x1b[2Jgone\x07\r\nand more")))
    assert ": [2Jgone and more (HTTP status 500)" in str(failure)


async def test_nobody_listens() -> None:
    async with model_server(lambda _: GOOD) as server:
        url = server.url
    failure = await ask_at(url)
    assert f"openai at {url} cannot be reached: nothing listens there; start it, or look at model.base_url" in str(
        failure
    )
    assert not failure.transient


async def test_an_unknown_host_is_named() -> None:
    failure = await ask_at("http://models.invalid/v1")
    assert "openai at http://models.invalid/v1 cannot be found" in str(failure)
    assert "look at model.base_url" in str(failure)


async def ask_at(url: str) -> ModelFailed:
    """Return the failure of a model that is not where its address says."""
    async with Transport() as transport:
        model = HttpModel(transport, Endpoint(provider="openai", base_url=url), "small", OpenAIFormat())
        with pytest.raises(ModelFailed) as failure:
            await model.answer(ask())
    return failure.value


@pytest.fixture
def without_proxies(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that says nothing of proxies."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return monkeypatch


@pytest.fixture
def certificate() -> tuple[trustme.CA, ssl.SSLContext]:
    """An authority that nobody knows, and a server's side of TLS that it vouches for."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return authority, context


async def test_an_untrusted_certificate_is_refused(certificate: tuple[trustme.CA, ssl.SSLContext]) -> None:
    async with model_server(lambda _: GOOD, tls=certificate[1]) as server:
        failure = await ask_at(f"https://127.0.0.1:{server.port}/v1")
        assert server.questions == []
    assert "cannot be trusted" in str(failure)
    assert "SSL_CERT_FILE" in str(failure)
    assert not failure.transient


async def test_ssl_cert_file_makes_a_certificate_trusted(
    certificate: tuple[trustme.CA, ssl.SSLContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority, context = certificate
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    async with model_server(lambda _: GOOD, tls=context) as server, Transport() as transport:
        endpoint = Endpoint(provider="openai", base_url=f"https://127.0.0.1:{server.port}/v1")
        reply = await HttpModel(transport, endpoint, "small", OpenAIFormat()).answer(ask())
    assert reply.text == Play().text


async def test_a_server_without_tls_is_told(without_proxies: pytest.MonkeyPatch) -> None:
    async def refuse(stream: SocketStream) -> None:
        async with stream:
            await stream.send(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, refuse)
        failure = await ask_at(f"https://127.0.0.1:{listener.extra(SocketAttribute.local_port)}/v1")
        group.cancel_scope.cancel()
    assert "does not speak TLS as it should" in str(failure)


async def test_this_machine_is_reached_without_a_proxy(without_proxies: pytest.MonkeyPatch) -> None:
    without_proxies.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    without_proxies.setenv("ALL_PROXY", "socks4://nowhere")
    async with served(GOOD) as (model, _):
        assert (await model.answer(ask())).text == Play().text


async def test_other_hosts_are_asked_through_the_proxy(without_proxies: pytest.MonkeyPatch) -> None:
    async with model_server(lambda _: GOOD) as proxy, Transport() as transport:
        without_proxies.setenv("HTTP_PROXY", proxy.url)
        endpoint = Endpoint(provider="openai", base_url="http://models.example/v1")
        assert (await HttpModel(transport, endpoint, "small", OpenAIFormat()).answer(ask())).text == Play().text
        assert proxy.questions[0].path == "http://models.example/v1/chat/completions"


async def test_a_missing_proxy_is_not_the_provider(without_proxies: pytest.MonkeyPatch) -> None:
    """The failure tells them apart."""
    async with model_server(lambda _: GOOD) as proxy:
        without_proxies.setenv("HTTP_PROXY", proxy.url)
    failure = await ask_at("http://models.example/v1")
    assert "openai at http://models.example/v1 cannot be reached through the proxy of the environment" in str(failure)
    assert "nothing listens there" in str(failure)
    without_proxies.setenv("NO_PROXY", "models.invalid")
    assert "proxy" not in str(await ask_at("http://models.invalid/v1"))


async def test_a_proxy_of_unknown_kind_is_named(without_proxies: pytest.MonkeyPatch) -> None:
    """Its password is not shown."""
    without_proxies.setenv("ALL_PROXY", "socks4://user:secret-password@127.0.0.1:9")
    failure = await ask_at("http://models.example/v1")
    assert "through the proxy of the environment" in str(failure)
    assert "socks4" in str(failure)
    assert "secret-password" not in str(failure)


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("http://localhost:1/v1", True),
        ("http://127.3.2.1/v1", True),
        ("http://[::1]:8080", True),
        ("https://api.openai.com/v1", False),
        ("http://192.168.0.7", False),
        ("http://localhost.example", False),
    ],
)
def test_what_is_on_this_machine(url: str, near: bool) -> None:
    assert Endpoint(provider="some", base_url=url).near is near


async def test_connections_are_used_again() -> None:
    async with served(GOOD) as (model, server):
        for _ in range(5):
            await model.answer(ask())
        assert server.connections < 5, "each answer took a connection of its own"


@pytest.mark.acceptance(4)
async def test_cancelled_calls_free_their_connections() -> None:
    """Five hundred that were cancelled leave room for fifty."""
    slow = Page(pieces=(*GOOD.pieces[:1], *GOOD.pieces), gap=5.0)
    async with served(slow) as (model, server):
        for _ in range(5):
            async with anyio.create_task_group() as group:
                for _ in range(100):
                    group.start_soon(model.answer, ask())
                await anyio.sleep(0.05)
                group.cancel_scope.cancel()
        server.answering = lambda _: GOOD
        texts: list[str] = []

        async def answer() -> None:
            texts.append((await model.answer(ask())).text)

        with anyio.fail_after(100):
            async with anyio.create_task_group() as group:
                for _ in range(50):
                    group.start_soon(answer)
        assert texts == [Play().text] * 50
