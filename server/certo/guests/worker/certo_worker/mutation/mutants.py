"""Mutants of the target: its `def` gets an innermost decorator that runs it and alters the result.

Altering results, not operators in the source, gives few mutants, and hardly any that is equivalent to the original. A
call of the target from within the target is not altered: a recursive function would otherwise compute with its own
wrong results, and might not end.
"""

from __future__ import annotations

import ast
import contextlib
import contextvars
import copy
import functools
import inspect
import io
import re
import sys
import zlib
from functools import partial
from typing import Any, AsyncIterator, Callable, Dict, Iterator, Optional, Tuple

from certo_worker.canary.assertions import import_into
from certo_worker.mutation.agreeable_item import AGREEABLE
from certo_worker.mutation.neighbours import Neighbours
from certo_worker.mutation.plain_values import Broken, emptied, first_of
from certo_worker.process import overlay

SAME, NEIGHBOUR, NOTHING, SKIPPED, COPIES = "same", "neighbour", "nothing", "skipped", "copies"
"""Kinds of mutants: the original as a control; a neighbour of the result, and no error where the target raises; the
target runs and returns None; it does not run; it runs on copies of its arguments and its output is dropped."""

ALIKE, EMPTY, FIRST, RAISES = "alike", "empty", "first", "raises"
"""More kinds: a neighbour of the same length; an empty result; the first argument; the target runs, then raises."""

_GIVE_NEIGHBOURS = (NEIGHBOUR, ALIKE)
_SWALLOW = (NEIGHBOUR, ALIKE, EMPTY, FIRST)

Function = Callable[..., Any]

_MAKERS = frozenset(("__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__"))
_GIVE_NOTHING = _MAKERS | frozenset(
    ("__setattr__", "__delattr__", "__setitem__", "__delitem__", "__del__", "__exit__", "__aexit__", "__set__")
)
_COUNTS = frozenset(("__len__", "__hash__", "__length_hint__", "__index__"))
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")

_inside: contextvars.ContextVar[bool] = contextvars.ContextVar("inside the target", default=False)


class Version:
    """One mutant: its `kind`, and the `way` in which neighbours differ."""

    def __init__(self) -> None:
        self.kind = SAME
        self.way = 0
        self._gave_nothing_for_an_error = False

    def call(self, function: Function, arguments: Tuple[Any, ...], named: Dict[str, Any]) -> Any:
        """Call the target unless the mutant skips it, and return the mutant's result."""
        if self.skips(function):
            return None
        salt = self.salt(arguments, named)
        given, named = self.handed(arguments, named)
        try:
            with _entered(), self.hushed():
                result = function(*given, **named)
        except Exception as error:
            return self.instead_of(error, function)
        if self.kind == FIRST:
            return first_of(function, arguments, named)
        return self.result(result, function, arguments, given, salt)

    def skips(self, function: Function) -> bool:
        """True if the target does not run; constructors run in any case, because no object exists without them."""
        return self.kind == SKIPPED and function.__name__ not in _MAKERS

    def handed(self, arguments: Tuple[Any, ...], named: Dict[str, Any]) -> Tuple[Tuple[Any, ...], Dict[str, Any]]:
        """Return the arguments for the target: copies, if the mutant takes copies."""
        if self.kind != COPIES:
            return arguments, named
        return tuple(map(_copied, arguments)), {name: _copied(value) for name, value in named.items()}

    def hushed(self) -> Any:
        """Return a context in which the output is dropped, if the mutant drops it."""
        return contextlib.redirect_stdout(io.StringIO()) if self.kind == COPIES else contextlib.nullcontext()

    def salt(self, arguments: Tuple[Any, ...], named: Dict[str, Any]) -> int:
        """Return a number that depends on the arguments, or 0 for mutants that do not vary with them."""
        if self.kind != NEIGHBOUR or self.way != 2:
            return 0
        try:
            return zlib.crc32(_ADDRESS.sub("", repr((arguments, named))).encode("utf-8", "replace")) % 900
        except Exception:
            return 0

    def instead_of(self, error: Exception, function: Function) -> Any:
        """Return None or raise another exception, as this mutant does when the target raises `error`."""
        if self.kind not in _SWALLOW:
            raise error
        protocol = function.__name__.startswith("__")
        if self.way == 0 and not (protocol and self._gave_nothing_for_an_error):
            # `__next__` that never raises StopIteration would make a loop endless, so every second error is raised.
            self._gave_nothing_for_an_error = True
            return None
        self._gave_nothing_for_an_error = False
        raise error if protocol else _other_error(error, Neighbours(max(self.way, 1)))

    def result(self, result: Any, function: Function, arguments: Any, given: Any, salt: int = 0) -> Any:
        """Return the mutant's result for the `result` of the target."""
        if self.kind == COPIES:
            return next((own for own, other in zip(arguments, given) if other is result), result)
        name = function.__name__
        if self.kind == NOTHING:
            return result if name in _MAKERS else None
        if self.kind == RAISES:
            raise Broken("this version of the target raises")
        if self.kind == EMPTY:
            return emptied(result)
        if self.kind not in _GIVE_NEIGHBOURS:
            return result
        neighbours = self.neighbours(salt)
        if name in _MAKERS and name != "__new__" and arguments:
            neighbours.changed(arguments[0])
        if result is None and name in _GIVE_NOTHING:
            return None
        other = neighbours.of(result)
        return abs(other) if name in _COUNTS and isinstance(other, int) else other

    def neighbours(self, salt: int = 0) -> Neighbours:
        """Return the maker of this mutant's neighbours."""
        return Neighbours(self.way, salt, alike=self.kind == ALIKE)

    def item(self, item: Any) -> Any:
        """Return the mutant's item for an item that the target yields."""
        if self.kind == NOTHING:
            return None
        return self.neighbours().of(item) if self.kind in _GIVE_NEIGHBOURS else item


VERSION = Version()
"""The mutant of this process."""


def falsified(function: Function) -> Function:
    """Decorate the target: return a function of the same kind and name that acts as the mutant."""
    if inspect.isasyncgenfunction(function):
        wrapper: Function = _asynchronous_generator(function)
    elif inspect.iscoroutinefunction(function):
        wrapper = _coroutine(function)
    elif inspect.isgeneratorfunction(function):
        wrapper = _generator(function)
    else:
        wrapper = _plain(function)
    return functools.wraps(function)(wrapper)


def _plain(function: Function) -> Function:
    def target(*arguments: Any, **named: Any) -> Any:
        if _inside.get():
            return function(*arguments, **named)
        return VERSION.call(function, arguments, named)

    return target


def _coroutine(function: Function) -> Function:
    async def target(*arguments: Any, **named: Any) -> Any:
        if _inside.get():
            return await function(*arguments, **named)
        if VERSION.skips(function):
            return None
        given, named = VERSION.handed(arguments, named)
        try:
            with _entered():
                result = await function(*given, **named)
        except Exception as error:
            return VERSION.instead_of(error, function)
        if VERSION.kind == FIRST:
            return first_of(function, arguments, named)
        return VERSION.result(result, function, arguments, given)

    return target


def _generator(function: Function) -> Function:
    def target(*arguments: Any, **named: Any) -> Any:
        if _inside.get():
            return (yield from function(*arguments, **named))
        given, named = VERSION.handed(arguments, named)
        if VERSION.kind in (FIRST, RAISES):
            inner: Any = _items(VERSION.kind, first_of(function, arguments, named))
        else:
            inner = _nothing() if VERSION.skips(function) else function(*given, **named)
        return (yield from _walked(_Walk(VERSION, function), inner))

    return target


def _walked(walk: _Walk, inner: Any) -> Any:
    """Yield the mutant's items of a generator; values sent and exceptions thrown are passed on to it."""
    step: Callable[[], Any] = functools.partial(next, inner)
    while True:
        try:
            with _entered():
                item = step()
        except StopIteration as end:
            if walk.is_bare:
                yield AGREEABLE
            return end.value
        except Exception as error:
            return walk.raised(error)
        if walk.is_over:
            inner.close()
            return None
        try:
            sent = yield walk.item(item)
        except GeneratorExit:
            inner.close()
            raise
        except BaseException as error:
            step = walk.throwing(inner.throw, error)
        else:
            step = functools.partial(inner.send, sent)


def _asynchronous_generator(function: Function) -> Function:
    async def target(*arguments: Any, **named: Any) -> AsyncIterator[Any]:
        walk = _Walk(Version() if _inside.get() else VERSION, function)
        inner = walk.begin(arguments, named)
        step = inner.__anext__
        while True:
            try:
                with _entered():
                    item = await step()
            except StopAsyncIteration:
                if walk.is_bare:
                    yield AGREEABLE
                return
            except Exception as error:
                walk.raised(error)
                return
            if walk.is_over:
                await inner.aclose()
                return
            try:
                sent = yield walk.item(item)
            except GeneratorExit:
                await inner.aclose()
                raise
            except BaseException as error:
                step = walk.throwing(inner.athrow, error)
            else:
                step = functools.partial(inner.asend, sent)

    return target


class _Walk:
    """One iteration over a generator by a mutant."""

    def __init__(self, version: Version, function: Function) -> None:
        self._version = version
        self._function = function
        self._count = 0
        self._thrown: Optional[BaseException] = None

    def begin(self, arguments: Tuple[Any, ...], named: Dict[str, Any]) -> Any:
        """Return the asynchronous generator to iterate over."""
        given, named = self._version.handed(arguments, named)
        if self._version.kind in (FIRST, RAISES):
            return _items_later(self._version.kind, first_of(self._function, arguments, named))
        return _nothing_later() if self._version.skips(self._function) else self._function(*given, **named)

    @property
    def is_bare(self) -> bool:
        """True if the generator ended without an item and the mutant yields one."""
        return not self._count and self._version.kind in _GIVE_NEIGHBOURS

    @property
    def is_over(self) -> bool:
        """True if the mutant ends here, before or after the first item, although the generator goes on."""
        if self._version.kind == EMPTY:
            return True
        return self._version.kind == NEIGHBOUR and self._version.way == 1 and self._count == 1

    def item(self, item: Any) -> Any:
        """Return the item to yield in the place of `item`."""
        self._count += 1
        return self._version.item(item)

    def throwing(self, throw: Callable[[BaseException], Any], error: BaseException) -> Callable[[], Any]:
        """Return the step that throws `error` into the generator; if it comes out again, it is not altered."""
        self._thrown = error
        return functools.partial(throw, error)

    def raised(self, error: Exception) -> Any:
        """Return None or raise another exception, as the mutant does when the generator raises."""
        if error is self._thrown:
            raise error
        return self._version.instead_of(error, self._function)


def _nothing() -> Iterator[Any]:
    yield AGREEABLE


async def _nothing_later() -> AsyncIterator[Any]:
    yield AGREEABLE


def _items(kind: str, first: Any) -> Iterator[Any]:
    """Yield the items of the first argument, or the argument itself, or raise, as the kind says."""
    if kind == RAISES:
        raise Broken("this version of the target raises")
    for item in _iterable(first):
        yield item


async def _items_later(kind: str, first: Any) -> AsyncIterator[Any]:
    for item in _items(kind, first):
        yield item


def _iterable(value: Any) -> Any:
    try:
        return iter(value)
    except TypeError:
        return iter((value,))


@contextlib.contextmanager
def _entered() -> Iterator[None]:
    """Mark the context as inside the target, where calls of it are not altered."""
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


def leave() -> None:
    """Leave the target, before a test: one that was interrupted may have ended just between a call and its end."""
    _inside.set(False)


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def _other_error(error: Exception, neighbours: Neighbours) -> Exception:
    """Return an exception of the same class with other arguments, or the same one if none can be made."""
    try:
        other = copy.copy(error)
        other.args = tuple(map(neighbours.of, error.args))
        neighbours.changed(other)
    except Exception:
        return error
    return other.with_traceback(error.__traceback__)


_DECORATOR = "@certo version"
"""Name of the decorator in the target's module. It is no identifier, so it cannot collide with a name there."""


def plant(wrong: Dict[str, Any], file: str) -> None:
    """Make the function at `line` of `file` act as the mutant of this `kind` and `way` when the file is imported.

    Modules imported before are not changed.
    """
    VERSION.kind, VERSION.way = wrong["kind"], wrong["way"]
    # The decorator adds frames to each recursive call of the target.
    sys.setrecursionlimit(3 * sys.getrecursionlimit())
    overlay.change_tree(file, partial(_decorate, line=wrong["line"]))


def _decorate(tree: ast.Module, *, line: int) -> None:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno == line:
            place = node.decorator_list[-1] if node.decorator_list else node
            node.decorator_list.append(ast.copy_location(ast.Name(_DECORATOR, ast.Load()), place))
            import_into(tree, "certo_worker.mutation.mutants", "falsified", _DECORATOR)
            return
