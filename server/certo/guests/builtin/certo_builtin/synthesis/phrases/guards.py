"""Guards that a docstring asks for: "Raise ValueError if n is negative", "Return None if the list is empty"."""

from __future__ import annotations

import builtins
import re
from typing import Any, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from certo_builtin.synthesis.expected_values import Known, Refused
from certo_builtin.synthesis.phrases.conditions import Parameters, conditions

_ERROR = (
    r"(?P<error>[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Iteration|Exit|Warning)|[A-Z]\w*(?:Invalid|NotFound)\w*)"
)
_TICKED = r"`{0,2}(?::\w+:`)?~?" + _ERROR + r"`{0,2}"
_AND = r"(?!,?\s+(?:and|or)\s+(?:an?\s+)?`{0,2}\w+(?:Error|Exception)\b)"
_REST = r"(?P<words>(?:" + _AND + r"[^.;\n]|\.(?=\w)|\n(?!\s*\n|\s*[:*-]|\s*\w*(?:Error|Exception)\b|\s*[A-Z]))+)"
_WHEN = r"\s+(?P<when>[Ii]f|[Ww]hen(?:ever)?|[Uu]nless|[Ii]n case|[Ww]here)\s+"
_A = r"(?:an?\s+|the\s+)?"

_WORDINGS = tuple(
    map(
        re.compile,
        (
            # "Raise ValueError if …", "raises a ValueError when …"
            r"\b[Rr]ais(?:e|es|ed|ing)\s+" + _A + _TICKED + r"(?:\s+(?:exception|error))?,?"
            r"(?P<message>\s+with[^.\n]*?)?" + _WHEN + _REST,
            # ":raises ValueError: if …", and the sections of Google and NumPy
            r"(?m)^\s*(?::raises?\s+)?" + _TICKED + r"\s*:?" + _WHEN + _REST,
            # "…, and TypeError if …"
            r"\b(?:and|or)\s+" + _A + _TICKED + _WHEN + _REST,
            # "ValueError is raised if …"
            _TICKED + r"\s+(?:is|gets|will be)\s+(?:raised|thrown)" + _WHEN + _REST,
        ),
    )
)  # fmt: skip
# "If n is negative, raise ValueError"
_BEFORE = re.compile(
    r"\b" + _WHEN[3:] + r"(?P<words>[^.;\n]+?(?:\n[^.;\n]+?)?),\s+(?:then\s+)?(?:it\s+|this\s+)?"
    r"(?:should\s+|must\s+|will\s+)?[Rr]ais(?:e|es)\s+(?:an?\s+|the\s+)?" + _TICKED
)
# "A negative n raises ValueError."
_SUBJECT = re.compile(
    r"\b(?:[Aa]n?\s+)?(?P<words>(?:[Ee]mpty|[Nn]egative|[Zz]ero|[Nn]on-?positive)\s+\w+?)s?\s+raises?\s+(?:an?\s+)?"
    + _TICKED
)
_MESSAGE = re.compile(r"with\s+(?:the\s+)?(?:error\s+)?(?:message|text)\s+(['\"])(?P<text>.*?)\1")


class Asked(NamedTuple):
    """A refusal that a docstring asks for: the error, the words of its condition, and whether they say when not."""

    error: str
    words: str
    negated: bool = False
    message: str = ""


def asked_for(prose: str) -> Iterator[Asked]:
    """Yield the refusals that some prose asks for, in its order."""
    found = []
    for wording in (*_WORDINGS, _BEFORE, _SUBJECT):
        for match in wording.finditer(prose):
            groups = match.groupdict()
            words = " ".join(groups["words"].split()).rstrip(" ,:")
            if match.re is _SUBJECT:
                adjective, noun = words.split(" ", 1)
                words = "{} is {}".format(noun, adjective.lower())
            text = _MESSAGE.search(" ".join((groups.get("message") or "", groups["words"])))
            words = _MESSAGE.sub("", words).strip(" ,")
            unless = (groups.get("when") or "").lower() == "unless"
            found.append(
                (match.start("error"), Asked(groups["error"], words, unless, text.group("text") if text else ""))
            )
    seen = set()
    for place, one in sorted(found):
        if place not in seen and one.words:
            seen.add(place)
            yield one


class Guard(NamedTuple):
    """A condition on the parameters, and the statement under it."""

    condition: str
    statement: str

    @property
    def lines(self) -> Tuple[str, str]:
        """The lines of the guard."""
        return "if {}:".format(self.condition), "    " + self.statement


class Guards:
    """The guards for one function; `names` are those of its module."""

    def __init__(self, parameters: Sequence[str], names: Mapping[str, Any]) -> None:
        self.parameters = parameters
        self.names = names

    def errors(self, prose: str) -> List[type]:
        """Return the errors that some prose names with a condition."""
        return [error for asked in asked_for(prose) for error in [self._error(asked.error)] if error is not None]

    def asked_for(self, prose: str, known: Sequence[Known], refused: Sequence[Refused]) -> List[Guard]:
        """Return the guards that some prose asks for, as far as no example contradicts them."""
        parameters = Parameters.of(self.parameters, [one.arguments for one in known])
        guards: List[Guard] = []
        for asked in asked_for(prose):
            error = self._error(asked.error)
            wanted = [one for one in refused if error is not None and issubclass(error, one.error)]
            condition = None if error is None else self._condition(asked, parameters, known, wanted)
            if condition is not None:
                guards.append(_guard(asked, condition, [one for one in wanted if self.holds(condition, one.arguments)]))
        # A condition on a value has no sense for one of another type.
        return sorted(guards, key=lambda guard: "isinstance" not in guard.condition)

    def _condition(
        self, asked: Asked, parameters: Parameters, known: Sequence[Known], refused: Sequence[Refused]
    ) -> Optional[str]:
        """Return the reading of the words that no example contradicts; None if they may mean several things."""
        readings = conditions(asked.words, parameters)
        if asked.negated:
            readings = ("not ({})".format(reading) for reading in readings)
        possible = [
            reading
            for reading in dict.fromkeys(readings)
            if all(self.holds(reading, one.arguments) is False for one in known)
        ]
        shown = [reading for reading in possible if any(self.holds(reading, one.arguments) for one in refused)]
        return shown[0] if shown else possible[0] if len(possible) == 1 else None

    def holds(self, condition: str, arguments: Sequence[Any]) -> Optional[bool]:
        """Return the value of a condition; None if it has none."""
        try:
            return bool(eval(condition, dict(self.names), dict(zip(self.parameters, arguments))))
        except Exception:  # the words may mean something that has no sense for these values
            return None

    def _error(self, name: str) -> Optional[type]:
        first, *rest = name.split(".")
        found = self.names.get(first, getattr(builtins, first, None))
        for part in rest:
            found = getattr(found, part, None)
        return found if isinstance(found, type) and issubclass(found, Exception) else None


def _guard(asked: Asked, condition: str, refused: Sequence[Refused]) -> Guard:
    """Return the guard that raises under a condition, with the message of the refusals that it explains.

    Without one it is the words of the condition, or its code if these begin with `unless`.
    """
    said = condition if asked.negated else asked.words.replace("`", "")
    message = next((one.message for one in refused if one.message), asked.message or said)
    text = repr(message) if '"' in message else '"{}"'.format(repr(message)[1:-1])
    return Guard(condition, "raise {}({})".format(asked.error, text))
