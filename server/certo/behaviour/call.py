"""One call of a target as expressions: shown to users, mutated, and evaluated in a sandbox."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from certo.edits.definitions import Definition
from certo.vocabulary.records import dataclass

MAX_CHARACTERS = 400
"""Maximum length of a call that is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callee:
    """A way to call the target: by `name`, on a receiver if it is a method; a property is only read.

    `receiver` is the expression for the class if any call is on that, and None if each call brings its own.
    """

    name: str
    has_receiver: bool = False
    receiver: str | None = None
    is_property: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """A call: the receiver, if any, and the arguments. One that was made up is `strange` if no known one is like it."""

    callee: Callee
    receiver: str | None = None
    arguments: tuple[str, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)
    strange: bool = False

    @property
    def text(self) -> str:
        """The source of the call."""
        name = self.callee.name if self.receiver is None else f"{_closed(self.receiver)}.{self.callee.name}"
        if self.callee.is_property:
            return name
        return f"{name}({', '.join([*self.arguments, *(f'{key}={value}' for key, value in self.named.items())])})"

    @property
    def weight(self) -> tuple[bool, int, str]:
        """Sort key by which simpler calls come first."""
        return self.strange, len(self.text), self.text

    @property
    def wire(self) -> dict[str, Any]:
        """The call as the guest program reads it."""
        return {
            "callee": self.callee.name,
            "receiver": self.receiver,
            "arguments": list(self.arguments),
            "named": dict(self.named),
            "is_property": self.callee.is_property,
        }

    def values(self) -> Iterator[tuple[str | int, str]]:
        """Yield every expression in the call by its place: "" for the receiver, number or name for arguments."""
        if self.receiver is not None and self.callee.receiver is None:
            yield "", self.receiver
        yield from enumerate(self.arguments)
        yield from self.named.items()


def callee_of(definition: Definition, qualname: str) -> Callee | None:
    """Return the way to call a target from outside; None for functions within functions and setters of properties."""
    if "<locals>" in qualname:
        return None
    owner, _, name = qualname.rpartition(".")
    marks = {_mark(decorator) for decorator in definition.node.decorator_list}
    if not owner:
        return Callee(name=name)
    if name == "__init__":
        return Callee(name=owner)
    if marks & {"setter", "deleter"}:
        return None
    if "staticmethod" in marks:
        return Callee(name=name, has_receiver=True, receiver=owner)
    return Callee(name=name, has_receiver=True, is_property=bool(marks & {"property", "cached_property"}))


def callee_wire(definition: Definition, qualname: str) -> dict[str, Any] | None:
    """Return the way to call a target as the guest programs that make up calls read it; None if there is none."""
    callee = callee_of(definition, qualname)
    if callee is None:
        return None
    owner = qualname.rpartition(".")[0]
    is_class_method = any(getattr(one, "id", "") == "classmethod" for one in definition.node.decorator_list)
    return {
        "name": callee.name,
        "has_receiver": callee.has_receiver and not is_class_method,
        "receiver": owner if is_class_method else callee.receiver,
        "owner": owner,
        "is_property": callee.is_property,
        "is_class_method": is_class_method,
    }


def recorded(callee: Callee, message: Mapping[str, Any]) -> RecordedCall | None:
    """Return the call in a message; None for a malformed one, as its sender shares a process with user code."""
    arguments, named = message.get("arguments"), message.get("named")
    if not isinstance(arguments, list) or not isinstance(named, dict):
        return None
    if not all(isinstance(text, str) and _is_expression(text) for text in (*arguments, *named.values())):
        return None
    if not all(isinstance(name, str) and name.isidentifier() for name in named):
        return None
    receiver = callee.receiver
    if callee.has_receiver and receiver is None:
        if not arguments:
            return None
        receiver, *arguments = arguments
    call = RecordedCall(
        callee=callee,
        receiver=receiver,
        arguments=tuple(arguments),
        named=named,
        strange=message.get("is_usual") is False,
    )
    return call if len(call.text) <= MAX_CHARACTERS else None


def _mark(decorator: ast.expr) -> str:
    """Return the last name of a decorator."""
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    return decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")


def _is_expression(text: str) -> bool:
    try:
        # Unparsed as well, because code too deeply nested for that is useless.
        ast.unparse(ast.parse(text, mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _closed(receiver: str) -> str:
    """Return the receiver as it is written before a dot: a number needs parentheses there."""
    return f"({receiver})" if receiver[:1].isdigit() or receiver[:1] in "-+" else receiver
