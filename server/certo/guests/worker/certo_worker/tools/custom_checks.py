"""Guest program that runs a project's own checks on a candidate's code, up to the first objection.

The candidate is a text here, and nothing of it is imported: a check imports the project as it is.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
from typing import Any, Awaitable, Callable, Dict, Tuple

from certo_worker.observation.failure_text import Tell, message_of, shortened


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Report the result of each of the `checks`, as `module:function`, for the `code`; without code, if all exist."""
    for check in request["checks"]:
        try:
            function = _found(check)
        except Exception as error:
            tell({"kind": "absent", "check": check, "message": shortened(message_of(error))})
            return
        if request["code"] is None:
            continue
        try:
            passed, message = _asked(function, request["code"])
        except Exception as error:
            tell({"kind": "raised", "check": check, "message": shortened(message_of(error))})
            return
        tell({"kind": "said", "check": check, "passed": passed, "message": shortened(message)})
        if not passed:
            return


def _found(check: str) -> Callable[[str], Any]:
    module, _, path = check.partition(":")
    found: Any = importlib.import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    if not callable(found):
        raise TypeError("it is a {} and cannot be called".format(type(found).__name__))
    return found  # type: ignore[no-any-return]  # whatever it takes is for the call to find out


def _asked(function: Callable[[str], Any], code: str) -> Tuple[bool, str]:
    """Return a check's result: True if the code passes, and the reason if the check gives one."""
    said = function(code)
    if inspect.isawaitable(said):
        said = asyncio.run(_awaited(said))
    passed, message = said if isinstance(said, tuple) and len(said) == 2 else (said, "")
    if not isinstance(passed, bool):
        raise TypeError("it returned {!r}; a check returns True or False, or that and a message".format(said))
    return passed, str(message or "")


async def _awaited(said: Awaitable[Any]) -> Any:
    return await said
