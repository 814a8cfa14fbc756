"""Guards that a docstring asks for: "Raise ValueError if n is negative", "Return None if the list is empty"."""

from __future__ import annotations

import builtins
import copy
import re
from typing import Any, Dict, Iterator, List, Mapping, Match, NamedTuple, Optional, Sequence, Tuple

from certo_builtin.synthesis.expected_values import Known, Refused
from certo_builtin.synthesis.phrases.conditions import Parameters, conditions
from certo_builtin.synthesis.phrases.phrase import MAX_CHARACTERS

_ERROR = (
    r"(?P<error>[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Iteration|Exit|Warning)|[A-Z]\w*(?:Invalid|NotFound)\w*)"
)
_TICKED = r"`{0,2}(?::\w+:`)?~?" + _ERROR + r"`{0,2}"
_WHEN = r"\s+(?P<when>[Ii]f|[Ww]hen(?:ever)?|[Uu]nless|[Ii]n case|[Ww]here)\s+"
# Another refusal, "and TypeError if …".
_AND = r"(?!,?\s+(?:and|or)\s+(?:an?\s+)?`{0,2}\w+(?:Error|Exception)`{0,2}" + _WHEN.replace("?P<when>", "?:") + r")"
_REST = r"(?P<words>(?:" + _AND + r"[^.;\n]|\.(?=\w)|\n(?!\s*\n|\s*[:*-]|\s*\w*(?:Error|Exception)\b|\s*[A-Z]))+)"
_A = r"(?:an?\s+|the\s+)?"

_WORDINGS = tuple(
    map(
        re.compile,
        (
            # "Raise ValueError if …", "raises a ValueError when …"
            r"\b[Rr]ais(?:e|es|ed|ing)\s+" + _A + _TICKED + r"(?:\s+(?:exception|error))?,?"
            r"(?P<message>\s+with[^.\n]*?)?" + _WHEN + _REST,
            # ":raises ValueError: if …", and the sections of Google and NumPy
            r"(?m)^[ \t]*(?::raises?\s+)?" + _TICKED + r"\s*:?" + _WHEN + _REST,
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


# What stands before a refusal in its sentence, and makes it none or one under further conditions.
_DOUBTS = re.compile(
    r"\b(?:not|no|non|nor|neither|never|none|nothing|cannot|without|instead|rather|previously|formerly|earlier|unless|"
    r"except|until|before|after|if|when|whenever|where|while|may|might|can|could|would|only|optionally|sometimes|mode|"
    r"avoid\w*|prevent\w*|suppress\w*|catch\w*|caught|ignor\w*|handl\w*|swallow\w*|deprecated|stop\w*|used|fails?|todo|"
    r"fixme|hardly|seldom|but|however|although|though|unlike|older|old)\b|n['\u2019]t\b|"
    r"^\W*(?:in|for|with|on|under|given|by|as|during)\b",
    re.IGNORECASE,
)
_SENTENCE_ENDS = re.compile(r"[.!?;](?=\s)|\n[ \t]*\n|\n(?=[ \t]*(?:[-*:]|[\w.`]+[ \t]*:))")
_HEADING = re.compile(r"(?mi)^[^\n]*\brais[^\n]*:[ \t]*$")
_OVER = re.compile(r"(?:\s+(?:exception|error))?\s*(?:$|\.(?:\s|$)|;|\n[ \t]*\n)")


class Asked(NamedTuple):
    """A refusal that a docstring asks for: the error, the words of its condition, and whether they say when not.

    It is `plain` if nothing else in its sentence may take it back.
    """

    error: str
    words: str
    negated: bool = False
    message: str = ""
    plain: bool = True


def asked_for(prose: str) -> Iterator[Asked]:
    """Yield the refusals that some prose asks for, in its order."""
    text = prose[:MAX_CHARACTERS]
    found: Dict[int, List[Match[str]]] = {}
    for wording in (*_WORDINGS, _BEFORE, _SUBJECT):
        for match in wording.finditer(text):
            found.setdefault(match.start("error"), []).append(match)
    read: List[Match[str]] = []
    for _, matches in sorted(found.items()):
        # Several wordings find one refusal in one way, or it has several conditions.
        match = matches[0]
        alone = len({" ".join(one.group("words").split()) for one in matches}) == 1
        asked = _asked(match, plain=alone and _is_plain(text, match, read))
        read.append(match)
        if asked.words:
            yield asked


def _asked(match: Match[str], *, plain: bool) -> Asked:
    groups = match.groupdict()
    words = " ".join(groups["words"].split()).rstrip(" ,:")
    if match.re is _SUBJECT:
        adjective, noun = words.split(" ", 1)
        words = "{} is {}".format(noun, adjective.lower())
    text = _MESSAGE.search(" ".join((groups.get("message") or "", groups["words"])))
    words = _MESSAGE.sub("", words).strip(" ,")
    unless = (groups.get("when") or "").lower() == "unless"
    return Asked(groups["error"], words, unless, text.group("text") if text else "", plain)


def _is_plain(text: str, match: Match[str], read: Sequence[Match[str]]) -> bool:
    """True if nothing but other refusals stands in the sentence that may take a refusal back or limit it."""
    ends = (end.end() for end in _SENTENCE_ENDS.finditer(text))
    start = max((end for end in ends if end <= match.start()), default=0)
    headings = [one.group() for one in _HEADING.finditer(text, 0, match.start("error"))]
    before = ""
    for one in read:
        before += text[start : max(start, one.start())]
        start = max(start, one.end())
    before += text[start : match.start()] + (match.groupdict().get("message") or "")
    over = match.re not in (_BEFORE, _SUBJECT) or _OVER.match(text, match.end())
    return bool(over) and not any(_DOUBTS.search(_MESSAGE.sub("", each)) for each in (before, *headings[-1:]))


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
        """Return the guards that some prose asks for, as far as no example contradicts them.

        Unless a refusal is plain, and all of its words are read, an example must show it.
        """
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
        readings = {one.condition: one.whole for one in conditions(asked.words, parameters)}
        if asked.negated:
            readings = {"not ({})".format(condition): whole for condition, whole in readings.items()}
        values = {condition: [self.holds(condition, one.arguments) for one in known] for condition in readings}
        possible = [condition for condition in readings if all(value is False for value in values[condition])]
        shown = [one for one in possible if any(self.holds(one, each.arguments) for each in refused)]
        if shown:
            return shown[0]
        contradicted = any(True in each for each in values.values())
        sure = asked.plain and len(possible) == 1 and not contradicted
        return possible[0] if sure and readings[possible[0]] else None

    def holds(self, condition: str, arguments: Sequence[Any]) -> Optional[bool]:
        """Return the value of a condition; None if it has none."""
        try:
            values = copy.deepcopy(dict(zip(self.parameters, arguments)))
            return bool(eval(condition, dict(self.names), values))
        except Exception:  # the words may mean something that has no sense for these values
            return None

    def _error(self, name: str) -> Optional[type]:
        first, *rest = name.split(".")
        found = self.names.get(first, getattr(builtins, first, None))
        for part in rest:
            found = getattr(found, part, None)
        return found if isinstance(found, type) and issubclass(found, Exception) and _takes_text(found) else None


def _takes_text(error: type) -> bool:
    """True if an error can be made of a message alone."""
    try:
        error("")
    except Exception:  # a project's own error may refuse in any way
        return False
    return True


def _guard(asked: Asked, condition: str, refused: Sequence[Refused]) -> Guard:
    """Return the guard that raises under a condition, with the message of the refusals that it explains.

    Without one it is the words of the condition, or its code if these begin with `unless`.
    """
    said = condition if asked.negated else asked.words.replace("`", "")
    message = next((one.message for one in refused if one.message), asked.message or said)
    text = repr(message) if '"' in message else '"{}"'.format(repr(message)[1:-1])
    return Guard(condition, "raise {}({})".format(asked.error, text))
