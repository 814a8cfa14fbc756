"""The one door to HTTP: a question is posted, and what streams back is handed on piece by piece."""

from __future__ import annotations

import codecs
import ssl
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit
from urllib.request import getproxies

import anyio
import anyio.to_thread
import httpx2

from certo import __version__
from certo.llm.http.endpoint import Endpoint
from certo.llm.http.failures import refusal, short, unreachable, way
from certo.sandbox.process.resource_tracker import entered
from certo.vocabulary.errors import ModelFailed

CONNECT_SECONDS = 5.0
"""How long a provider may take to accept a connection."""

LIMITS = httpx2.Limits(max_connections=128, max_keepalive_connections=16, keepalive_expiry=4)
"""llama.cpp's server closes an idle connection after 5 s without a word; ours are given up before."""

MAX_BYTES = 64 << 20
"""What one answer may bring on the wire: some hundred bytes for each token of the longest."""

MAX_EVENT_BYTES = 16 << 20
"""What one event or line may bring, for a proxy that hands an answer on in one piece."""

MAX_ERROR_BYTES = 64 << 10
"""How much of the page is read that explains why there is no answer."""

DRAIN_SECONDS = 0.1
"""How long the end of a stream is waited for after the last word, to use the connection again."""


class BodyFraming(Enum):
    """How what comes is cut into pieces, if it is a stream; the values are what its content type has to be."""

    EVENTS = ("text/event-stream",)
    LINES = ("application/x-ndjson", "application/json", "application/jsonl")
    WHOLE = ("application/json",)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpCall:
    """One request: what is posted to which path below an endpoint's address, and how its answer is framed.

    `model` is what the user calls the model, for sentences.
    """

    model: str
    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    framing: BodyFraming


class Transport:
    """The connections of one session, an async context: they are closed when it is left.

    HTTP/1.1 only, because cancelling an HTTP/2 stream tells the server nothing. This machine's own addresses are never
    asked through a proxy.
    """

    def __init__(self) -> None:
        self._open = AsyncExitStack()
        self._clients: dict[tuple[bool, bool], httpx2.AsyncClient] = {}
        self._trust: ssl.SSLContext | None = None
        self._building = anyio.Lock()

    async def __aenter__(self) -> Self:
        await self._open.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._clients.clear()
        await self._open.__aexit__(kind, error, traceback)

    async def post(self, endpoint: Endpoint, call: HttpCall, take: Callable[[str], bool]) -> None:
        """Send a call and hand each piece of the answer to `take`, until there are no more or it returns True.

        Raises:
            ModelFailed: there is no answer, or it broke off; `received` is for the caller to say.
        """
        try:
            with anyio.fail_after(endpoint.seconds), entered(f"a call of {endpoint.provider}:{call.model}"):
                await self._post(endpoint, call, take)
        except TimeoutError:
            raise endpoint.failed(
                f"{endpoint.where} had not finished its answer after {endpoint.seconds:g} s ({endpoint.group}.seconds)",
                transient=True,
            ) from None
        except UnicodeDecodeError as error:
            raise endpoint.failed(f"{endpoint.where} sent what is not UTF-8 text: {error.reason}") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise _broken(endpoint, error) from None

    async def _post(self, endpoint: Endpoint, call: HttpCall, take: Callable[[str], bool]) -> None:
        client = await self._client(endpoint)
        request = client.build_request(
            "POST",
            _address(endpoint.base_url, call.path),
            json=call.body,
            headers={
                "accept": call.framing.value[0],
                "user-agent": f"certo/{__version__}",  # some providers turn away those who do not say who they are
                "accept-encoding": "identity",  # a server that compresses a stream holds it back to do so
                **call.headers,
                **{name.lower(): value for name, value in endpoint.headers.items()},
            },
            timeout=httpx2.Timeout(
                connect=CONNECT_SECONDS, read=endpoint.stall_seconds, write=endpoint.stall_seconds, pool=None
            ),
        )
        response = await client.send(request, stream=True)
        try:
            await _expect_stream(endpoint, call, response)
            pieces = _READ[call.framing](response)
            async with aclosing(pieces):
                await _hear(pieces, take)
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()

    async def _client(self, endpoint: Endpoint) -> httpx2.AsyncClient:
        """The client for an address: a direct one for this machine's own, else one that heeds the proxy settings.

        Without TLS nobody has to be trusted, and a local server is not kept waiting for the certificates.
        """
        async with self._building:
            plain = endpoint.near and urlsplit(endpoint.base_url).scheme == "http"
            if (endpoint.near, plain) not in self._clients:
                trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else await self._certificates()
                client = _make_client(endpoint, trust)
                self._clients[endpoint.near, plain] = await self._open.enter_async_context(client)
            return self._clients[endpoint.near, plain]

    async def _certificates(self) -> ssl.SSLContext:
        """Whom to trust, as the system has it: read once, in a thread, because it takes a tenth of a second."""
        if self._trust is None:
            self._trust = await anyio.to_thread.run_sync(httpx2.create_ssl_context, abandon_on_cancel=True)
        return self._trust


def _address(base: str, path: str) -> str:
    """Where to post: a path below an address that may end already with what the path begins with, such as /v1."""
    first = path.partition("/")[2].partition("/")[0]
    return base.rstrip("/").removesuffix(f"/{first}") + path


def _make_client(endpoint: Endpoint, trust: ssl.SSLContext) -> httpx2.AsyncClient:
    try:
        return httpx2.AsyncClient(
            verify=trust, trust_env=not endpoint.near, limits=LIMITS, http2=False, follow_redirects=False
        )
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        kinds = ", ".join(sorted({urlsplit(proxy).scheme or proxy for proxy in getproxies().values()}))
        raise endpoint.failed(f"{endpoint.where} cannot be reached{way(endpoint)}, of {kinds}: {error}") from None


async def _expect_stream(endpoint: Endpoint, call: HttpCall, response: httpx2.Response) -> None:
    """Let only an answer through that is one: status 200, and of the type that was asked for.

    Raises:
        ModelFailed: it is something else; the message has the provider's own words where there are some.
    """
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if response.status_code == 200 and kind in {*call.framing.value, ""}:
        return
    page = await _page(response)
    if response.status_code != 200:
        raise refusal(endpoint, call.model, response.status_code, response.headers, page)
    if kind == "application/json" and '"error"' in page:
        raise refusal(endpoint, call.model, 502, response.headers, page)
    wanted = "JSON" if call.framing is BodyFraming.WHOLE else "stream"
    raise endpoint.failed(
        f"{endpoint.where} sent {short(kind)} and not the {wanted} that was asked for; look at "
        f"{endpoint.group}.base_url, which often has to end in /v1"
    )


async def _page(response: httpx2.Response) -> str:
    """The beginning of what came instead of an answer."""
    page = bytearray()
    async for chunk in response.aiter_bytes():
        page += chunk
        if len(page) > MAX_ERROR_BYTES:
            break
    return page[:MAX_ERROR_BYTES].decode("utf-8", "replace")


async def _hear(pieces: AsyncIterable[str], take: Callable[[str], bool]) -> None:
    """Hand on what comes. After the last word the rest is read only to use the connection again, if it ends at once."""
    over = False
    with anyio.CancelScope() as patience:
        async for piece in pieces:
            if not over and take(piece):
                over = True
                patience.deadline = anyio.current_time() + DRAIN_SECONDS


async def _events(response: httpx2.Response) -> AsyncGenerator[str]:
    """What the events of a stream say."""
    # What has been checked goes through the library's parser as the body of a response like the one it came with.
    checked = httpx2.Response(
        200, headers={"content-type": "text/event-stream"}, content=_checked(response), request=response.request
    )
    async for event in httpx2.EventSource(checked, max_event_size=MAX_EVENT_BYTES):
        yield event.data


async def _lines(response: httpx2.Response) -> AsyncGenerator[str]:
    """The lines of a stream, empty ones left out; one that the end of the stream cuts is told like any other."""
    rest = bytearray()
    async for chunk in _checked(response):
        end = chunk.rfind(b"\n") + 1
        rest += chunk[:end]
        for line in filter(bytes.strip, bytes(rest).split(b"\n") if end else ()):
            yield line.decode()
        if end:
            rest.clear()
        rest += chunk[end:]
        if len(rest) > MAX_EVENT_BYTES:
            raise httpx2.DecodingError(f"a line of more than {MAX_EVENT_BYTES} bytes")
    if rest.strip():
        yield rest.decode()


async def _whole(response: httpx2.Response) -> AsyncGenerator[str]:
    """All that comes, in one piece."""
    yield b"".join([chunk async for chunk in _checked(response)]).decode()


_READ: Mapping[BodyFraming, Callable[[httpx2.Response], AsyncGenerator[str]]] = {
    BodyFraming.EVENTS: _events,
    BodyFraming.LINES: _lines,
    BodyFraming.WHOLE: _whole,
}


async def _checked(response: httpx2.Response) -> AsyncGenerator[bytes]:
    """The bytes of an answer, without a mark at the beginning, as long as they are UTF-8 and not too many.

    Raises:
        UnicodeDecodeError: they are something else, which the library would replace without a word.
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    taken = 0
    async for chunk in response.aiter_bytes():
        taken += len(chunk)
        if taken > MAX_BYTES:
            raise httpx2.DecodingError(f"an answer of more than {MAX_BYTES} bytes")
        yield decoder.decode(chunk).encode()
    decoder.decode(b"", final=True)


def _broken(endpoint: Endpoint, error: Exception) -> ModelFailed:
    """What a broken connection is to the user: a sentence with the setting to look at, if there is one."""
    told = unreachable(endpoint, error)
    return told or endpoint.failed(f"{endpoint.where} {_what_happened(endpoint, error)}", transient=_may_pass(error))


def _what_happened(endpoint: Endpoint, error: Exception) -> str:
    """The rest of the sentence about a connection that failed for no reason of the network's own."""
    if isinstance(error, httpx2.ConnectTimeout):
        seconds = f"{CONNECT_SECONDS:g} s"
        return f"did not accept a connection{way(endpoint)} within {seconds}; look at {endpoint.group}.base_url"
    if isinstance(error, httpx2.TimeoutException):
        return f"sent nothing for {endpoint.stall_seconds:g} s ({endpoint.group}.stall_seconds)"
    if isinstance(error, httpx2.ProxyError):
        return f"cannot be reached{way(endpoint)}: {error}"
    if isinstance(error, httpx2.RemoteProtocolError | httpx2.ReadError | httpx2.WriteError):
        return "closed the connection before its answer was whole"
    if isinstance(error, httpx2.SSEError | httpx2.DecodingError):
        return f"sent what cannot be an answer: {error}"
    return f"cannot be reached: {error}; look at {endpoint.group}.base_url"


def _may_pass(error: Exception) -> bool:
    """Whether it may be another one the next time: what the network does, but not what an address or an answer is."""
    return isinstance(error, httpx2.TransportError) and not isinstance(
        error, httpx2.SSEError | httpx2.UnsupportedProtocol | httpx2.LocalProtocolError | httpx2.ProxyError
    )
