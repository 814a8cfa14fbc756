"""Objects that tests pass to a candidate in another process: mocks, their own objects, exceptions, classes."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from support.sandbox.two_processes import run_apart

SHOP = """
import asyncio
import contextlib

from errors import Shared


class Closed(Exception):
    pass


class Desk:
    pass


def fetch(client, path):
    return client.get(path, timeout=3).json()["total"]


def notify(send, *orders):
    for order in orders:
        send(order)


def total(things):
    return sum(things)


def first(things):
    return things[0]


def store(things, key, value):
    things[key] = value
    return key in things, len(things)


def within(door):
    with door as room:
        return room.paint("red")


async def within_later(door):
    async with door as room:
        return await room.paint("red")


def mark(thing, name):
    thing.label = name
    return hasattr(thing, "price")


def told(thing):
    return f"<{thing}>"


def is_desk(thing):
    return isinstance(thing, Desk)


def retried(function, kinds, times):
    for _ in range(times):
        with contextlib.suppress(kinds):
            return function()
    raise Closed("tried %d times" % times)


def pattern_of(function):
    return getattr(function, "pattern", "none"), hasattr(function, "call_count"), function()


def code_of(function):
    try:
        function()
    except Exception as error:
        return error.code, str(error), type(error).__name__


def refuse(kind, *arguments):
    raise kind(*arguments)


def refuse_shared(code):
    raise Shared(code)


def chained(function):
    try:
        function()
    except Exception as error:
        raise Closed("no") from error


def shared(function):
    try:
        function()
    except Shared as error:
        return error.code


def same(value):
    return value
"""

ERRORS = """
class Shared(Exception):
    def __init__(self, code):
        super().__init__("shared %d" % code)
        self.code = code
"""

TOP = """
import asyncio
from unittest.mock import AsyncMock, MagicMock, Mock, call, create_autospec, patch

import pytest

import errors
import shop


class Odd(Exception):
    def __init__(self, code):
        super().__init__("odd", code)
        self.code = code

    def __str__(self):
        return "odd %d" % self.code


class Odder(Odd):
    pass


class Stranger(shop.Closed):
    pass


def fail(error):
    def failing():
        raise error

    return failing
"""

HANDED = {
    "a mock that is called": """
        send = Mock()
        shop.notify(send, 1, 2)
        assert send.mock_calls == [call(1), call(2)]
        """,
    "a mock's attributes": """
        client = Mock()
        client.get.return_value.json.return_value = {"total": 42}
        assert shop.fetch(client, "/") == 42
        client.get.assert_called_once_with("/", timeout=3)
        """,
    "a mock that gives back a mock": """
        client = MagicMock()
        assert shop.fetch(client, "/") is client.get.return_value.json.return_value["total"]
        """,
    "a mock that comes back": """
        thing = Mock()
        assert shop.same(thing) is thing
        assert shop.same([thing, 1]) == [thing, 1]
        """,
    "a mock that raises": """
        client = Mock()
        client.get.side_effect = Odd(7)
        with pytest.raises(Odd) as caught:
            shop.fetch(client, "/")
        assert caught.value is client.get.side_effect
        """,
    "a mock of a class": """
        assert shop.is_desk(Mock(spec=shop.Desk))
        with pytest.raises(AttributeError):
            shop.fetch(Mock(spec=["put"]), "/")
        """,
    "a function with data of its own": """
        def number():
            return 3
        assert shop.pattern_of(number) == ("none", False, 3)
        number.pattern = "[0-9]+"
        assert shop.pattern_of(number) == ("[0-9]+", False, 3)
        """,
    "a function with a list of its own, which could be changed": """
        def number():
            return 3
        number.pattern = []
        assert shop.pattern_of(number) == ("none", False, 3)
        """,
    "a function made like another, which tells no calls": """
        assert shop.pattern_of(create_autospec(lambda: None, return_value=3)) == ("none", False, 3)
        """,
    "a function made like another": """
        send = create_autospec(lambda order: None)
        shop.notify(send, 1)
        send.assert_called_once_with(1)
        """,
    "a mock in the place of a function": """
        with patch("shop.first") as first:
            shop.notify(shop.first, 3)
        first.assert_called_once_with(3)
        """,
    "containers": """
        things = MagicMock()
        things.__iter__.return_value = [1, 2, 3]
        things.__contains__.return_value = True
        things.__len__.return_value = 9
        things.__getitem__.return_value = 7
        assert (shop.total(things), shop.first(things)) == (6, 7)
        assert shop.store(things, "k", 5) == (True, 9)
        things.__setitem__.assert_called_once_with("k", 5)
        """,
    "a context": """
        door = MagicMock()
        room = door.__enter__.return_value
        room.paint.return_value = "done"
        assert shop.within(door) == "done"
        door.__exit__.assert_called_once_with(None, None, None)
        """,
    "an asynchronous context": """
        door = MagicMock()
        door.__aenter__.return_value.paint = AsyncMock(return_value="done")
        assert asyncio.run(shop.within_later(door)) == "done"
        """,
    "an attribute set on a mock": """
        thing = Mock(spec=["label"])
        assert shop.mark(thing, "new") is False
        assert thing.label == "new"
        """,
    "an object of the tests": """
        class Client:
            def __init__(self):
                self.asked = []

            def get(self, path, timeout):
                self.asked.append(path)
                return self

            def json(self):
                return {"total": len(self.asked)}

        client = Client()
        assert shop.fetch(client, "/") == 1
        assert client.asked == ["/"]
        """,
    "a generator": """
        assert shop.total(each for each in (1, 2, 3)) == 6
        assert shop.total(iter([1, 2])) == 3
        """,
    "how it is written": """
        class Named:
            price = 5

            def __str__(self):
                return "named"

        named = Named()
        assert shop.told(named) == "<named>"
        assert shop.mark(named, "new") is True
        assert named.label == "new"
        """,
    "an exception that goes through": """
        error = Odd(7)
        with pytest.raises(Odd) as caught:
            shop.retried(fail(error), KeyError, 3)
        assert caught.value is error
        """,
    "an exception that is caught": """
        assert shop.code_of(fail(Odd(7))) == (7, "odd 7", "Odd")
        """,
    "a class that is caught": """
        def failing():
            tries.append(1)
            if len(tries) < 3:
                raise Odder(1)
            return "in"

        tries = []
        assert shop.retried(failing, (KeyError, Odd), 3) == "in"
        with pytest.raises(shop.Closed):
            shop.retried(fail(Odd(1)), Odd, 2)
        with pytest.raises(Odd):
            shop.retried(fail(Odd(1)), Odder, 2)
        """,
    "a class that is raised": """
        with pytest.raises(Odd) as caught:
            shop.refuse(Odder, 5)
        assert (type(caught.value), caught.value.code, str(caught.value)) == (Odder, 5, "odd 5")
        with pytest.raises(TypeError):
            shop.refuse(Odd, 5, 6)
        """,
    "an exception within another": """
        error = Odd(7)
        with pytest.raises(shop.Closed) as caught:
            shop.chained(fail(error))
        assert caught.value.__cause__ is error
        """,
    "an exception of the project": """
        with pytest.raises(errors.Shared) as caught:
            shop.refuse_shared(5)
        assert (caught.value.code, str(caught.value)) == (5, "shared 5")
        assert shop.shared(fail(errors.Shared(6))) == 6
        """,
    "an exception derived from the candidate's": """
        with pytest.raises(Stranger):
            shop.retried(fail(Stranger("x")), KeyError, 1)
        with pytest.raises(shop.Closed, match="tried 2 times"):
            shop.retried(fail(Stranger("x")), shop.Closed, 2)
        """,
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    tests = {
        f"test_{number}.py": TOP + "\n\ndef test():\n" + "".join(f"    {line}\n" for line in dedent(body).splitlines())
        for number, body in enumerate(HANDED.values())
    }
    return run_apart(tmp_path_factory.mktemp("apart"), SHOP, {**tests, "errors.py": ERRORS}, paths=sorted(tests))


@pytest.mark.parametrize("name", HANDED)
def test_what_is_handed_over_works_apart(name: str, told: dict[str, dict[str, Any]]) -> None:
    number = list(HANDED).index(name)
    (one,) = [each for test, each in told.items() if test.startswith(f"test_{number}.py")]
    assert (one.get("outcome"), one["message"]) == ("passed", "")


FORGED = {
    "sets the assertion": "client.get.assert_called_once_with = lambda *_, **__: None",
    "sets an object of its own": "client.get = Anything()",
    "sets an object of its own within a list": "client.get.label = [Anything()]",
    "sets what was called": "client.get.mock_calls = []; client.get.call_count = 1",
    "replaces the class": "client.get.__class__ = Anything",
    "reads how it was called": "client.get(*client.get.call_args)",
    "reaches what is around it": "client.get.__init__.__globals__['Mock'].assert_called_once_with = None",
    "asks for what is around it": "ask('get', '__class__')",
    "asks for the assertion": "ask('callback', '', [ask('get', 'assert_called_once_with'), {}])",
    "asks for a method that is not listed": "ask('callback', '__setattr__', ['called', True], {})",
    "asks to set the class": "ask('set', '__class__', Anything)",
    "asks to set the assertion": "ask('set', 'assert_called_once_with', 1)",
}


TOLD = """
    import shop
    from unittest.mock import Mock

    def test():
        client = Mock()
        try:
            shop.fetch(client)
        except Exception:
            pass
        client.get.assert_called_once_with("/")
    """


@pytest.mark.usual_cases(
    "reads how it was called",
    "replaces the class",
    "sets what was called",
    "asks for the assertion",
    "reaches what is around it",
    "sets an object of its own within a list",
)
@pytest.mark.parametrize("name", FORGED)
def test_a_mock_tells_the_truth(name: str, tmp_path: Path) -> None:
    shop = f"""
        class Anything:
            __getattr__ = __call__ = lambda self, *_, **__: self

        def fetch(client):
            server, n = (object.__getattribute__(client.get, "_certo_" + each) for each in ("server", "number"))
            ask = lambda kind, name, *values: server.ask_back(kind, n, list(values), name)
            {FORGED[name]}
        """
    (one,) = run_apart(tmp_path, shop, {"test_it.py": TOLD}).values()
    assert (one["outcome"], one["message"]) == ("failed", "Expected 'get' to be called once. Called 0 times.")


def test_a_mock_tells_what_was_called(tmp_path: Path) -> None:
    (one,) = run_apart(tmp_path, "def fetch(client):\n    client.get('/')\n", {"test_it.py": TOLD}).values()
    assert (one["outcome"], one["message"]) == ("passed", "")


SWAYED = {
    "changes the expectation": "client.expected = 0; client.send(0)",
    "swallows the assertion": """
            try:
                client.send(0)
            except AssertionError:
                pass
            client.send(client.expected)""",
    "guesses until none fails": """
            for guess in range(20):
                try:
                    return client.send(guess)
                except AssertionError:
                    pass""",
    "reads the message": """
            try:
                client.send(0)
            except AssertionError as error:
                client.send(int(str(error).split("==")[1].split()[0]))""",
}

FAKE = """
    import shop

    class Fake:
        def __init__(self, expected):
            self.expected = expected
            self.sent = []

        def send(self, amount):
            assert amount == self.expected
            self.sent.append(amount)

    def test():
        client = Fake(10)
        shop.notify(client, 5)
        assert client.sent == [client.expected]
    """


@pytest.mark.parametrize("name", SWAYED)
def test_a_swayed_fake_is_told(name: str, tmp_path: Path) -> None:
    """A test whose expectation the candidate changed, or whose failed assertion it caught, is not tried apart."""
    shop = f"""
        def notify(client, total):
            {SWAYED[name].strip()}
        """
    (one,) = run_apart(tmp_path, shop, {"test_it.py": FAKE}).values()
    assert (one["outcome"], bool(one["influence"])) == ("passed", True)


SWALLOWED = {
    "an assertion of a coroutine function": (
        """
        async def notify(on):
            try:
                await on(99)
            except AssertionError:
                pass
            return "done"
        """,
        """
        async def on(x):
            assert x == 3
        assert asyncio.run(shop.notify(on)) == "done"
        """,
    ),
    "a failure that the test declares": (
        """
        def notify(on):
            try:
                on(99)
            except BaseException:
                pass
            return "done"
        """,
        """
        def on(x):
            if x != 3:
                pytest.fail("wrong")
        assert shop.notify(on) == "done"
        """,
    ),
}


@pytest.mark.parametrize("name", SWALLOWED)
def test_a_swallowed_failure_is_told(name: str, tmp_path: Path) -> None:
    shop, body = SWALLOWED[name]
    test = "import asyncio\nimport pytest\nimport shop\n\ndef test():\n" + indent(dedent(body), "    ")
    (one,) = run_apart(tmp_path, shop, {"test_it.py": test}).values()
    assert (one["outcome"], one["influence"]) == ("passed", "an assertion in what it hands over failed")


def test_errors_and_skips_may_be_caught(tmp_path: Path) -> None:
    test = """
        import pytest
        import shop

        def missing(x):
            raise KeyError(x)

        def skipping(x):
            pytest.skip("not here")

        @pytest.mark.parametrize("on", [missing, skipping])
        def test(on):
            assert shop.notify(on) == "done"
        """
    for one in run_apart(tmp_path, SWALLOWED["a failure that the test declares"][0], {"test_it.py": test}).values():
        assert (one["outcome"], one["influence"]) == ("passed", "")


def test_changed_limits_of_mocks_are_told(tmp_path: Path) -> None:
    test = """
        import shop
        from unittest.mock import Mock

        def test():
            client = Mock(limit=10)
            shop.notify(client, 5)
            client.send.assert_called_once_with(client.limit)
        """
    shop = "def notify(client, total):\n    client.limit = 0\n    client.send(0)\n"
    (one,) = run_apart(tmp_path, shop, {"test_it.py": test}).values()
    assert (one["outcome"], one["influence"]) == ("passed", "the candidate changes limit of what it hands over")


def test_an_honest_fake_is_not_swayed(tmp_path: Path) -> None:
    (one,) = run_apart(
        tmp_path, "def notify(client, total):\n    client.send(total * 2)\n", {"test_it.py": FAKE}
    ).values()
    assert (one["outcome"], one["influence"]) == ("passed", "")


CACHING = """
from collections import OrderedDict


class Moody:
    hashed = 0

    def __hash__(self):
        self.hashed += 1
        if self.hashed > 1:
            raise RuntimeError("not again")
        return 1


def cached(key):
    return {"cache": OrderedDict([(key, 1)])}


def moody():
    return cached(Moody())
"""

KEYS = """
import shop

class Key:
    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return hash(self.number)

def test_key():
    key = Key(1)
    assert list(shop.cached(key)["cache"]) == [key]

def test_moody():
    assert len(shop.moody()["cache"]) == 1

def test_after():
    assert shop.cached("a") == {"cache": {"a": 1}}
"""


def test_keys_hashed_while_sent_end_no_process(tmp_path: Path) -> None:
    """An OrderedDict hashes its keys when it is read; one that fails costs its own test alone."""
    told = run_apart(tmp_path, CACHING, {"test_shop.py": KEYS})
    outcomes = {name.rpartition("::")[2]: one["outcome"] for name, one in told.items()}
    assert outcomes == {"test_key": "passed", "test_moody": "failed", "test_after": "passed"}
    assert told["test_shop.py::test_moody"]["foreign"]
