"""A plug-in for pytest that notes each test's outcome, if it reached the function, and what the function returned.

Runs in the environments of the measured projects. `OBSERVER_OUT` is the file to write; `OBSERVER_ONLY` a file with the
tests to run, one JSON list. The function under measurement calls `reached`, or is decorated with `recorded`.
"""

import ast
import builtins
import functools
import inspect
import json
import os
import re

OUTCOMES = {}
REACHED = set()
CALLS = {}
ARGUMENTS = {}
STATE = {"test": None, "function": None}
MOST_CALLS = 300
"""Calls of one test that are compared, and variations of calls."""


def reached():
    """Note that the running test reaches the function."""
    if STATE["test"] is not None:
        REACHED.add(STATE["test"])


def shown(value):
    """Return a text of a value without addresses; of a value that shows nothing, its type."""
    try:
        return type(value).__name__ + " " + re.sub(r"0x[0-9a-f]+", "0x", repr(value))[:2000]
    except Exception:  # noqa: BLE001 - of the measured project
        return type(value).__name__


def outcome(function, arguments, named):
    """Return the text of what a call does, and a callable that does it again for the caller."""
    try:
        result = function(*arguments, **named)
    except Exception as error:  # noqa: BLE001 - of the measured project
        again = error

        def fail():
            raise again

        return "raises " + shown(error), fail
    return shown(result), lambda: result


def recorded(function):
    """Decorate the function under measurement."""
    if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
        return function
    STATE["function"] = function

    @functools.wraps(function)
    def recording(*arguments, **named):
        test, text = STATE["test"], None
        if test is not None and len(CALLS.setdefault(test, [])) < MOST_CALLS:
            text = repr((arguments, named)) if plain(arguments) and plain(tuple(named.items())) else None
            CALLS[test].append("begun")
            place = len(CALLS[test]) - 1
            said, again = outcome(function, arguments, named)
            CALLS[test][place] = said
            if text is not None and len(text) < 500:
                ARGUMENTS[text] = True
            return again()
        return function(*arguments, **named)

    return recording


def plain(value):
    """True if a value is made of literals only."""
    if isinstance(value, (tuple, list)):
        return type(value) in (tuple, list) and all(map(plain, value))
    return value is None or type(value) in (bool, int, float, str, bytes)


def variations():
    """Yield the recorded calls with plain arguments, made anew, and with arguments of one another."""
    texts = sorted(ARGUMENTS)[:60]
    calls = [ast.literal_eval(text) for text in texts if "nan" not in text and "inf" not in text]
    yield from calls
    for number, (arguments, named) in enumerate(calls):
        other = calls[(number * 7 + 3) % len(calls)][0]
        for place in range(min(len(arguments), len(other))):
            yield (*arguments[:place], other[place], *arguments[place + 1 :]), named


def varied():
    """Return what the function does on variations of the recorded calls."""
    function = STATE["function"]
    if function is None or not ARGUMENTS:
        return []
    found = []
    for arguments, named in variations():
        found.append([repr((arguments, named)), outcome(function, arguments, named)[0]])
        if len(found) >= MOST_CALLS:
            break
    return found


builtins.certo_reached = reached
builtins.certo_recorded = recorded


def pytest_runtest_logstart(nodeid, location):
    STATE["test"] = nodeid


def pytest_runtest_logfinish(nodeid, location):
    STATE["test"] = None


def pytest_runtest_logreport(report):
    known = OUTCOMES.get(report.nodeid, "passed")
    if report.outcome != "passed" and known != "failed":
        OUTCOMES[report.nodeid] = report.outcome
    else:
        OUTCOMES.setdefault(report.nodeid, "passed")


def pytest_collection_modifyitems(config, items):
    only = os.environ.get("OBSERVER_ONLY")
    if only:
        with open(only, encoding="utf-8") as file:
            wanted = set(json.load(file))
        items[:] = [item for item in items if item.nodeid in wanted]


def pytest_sessionfinish(session, exitstatus):
    told = {"outcomes": OUTCOMES, "reached": sorted(REACHED), "calls": CALLS, "varied": varied()}
    with open(os.environ["OBSERVER_OUT"], "w", encoding="utf-8") as file:
        json.dump(told, file)
