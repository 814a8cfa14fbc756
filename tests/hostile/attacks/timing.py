"""Versions that want to pass for faster than they are."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent, indent

TIMED = """\
import gc, hashlib, marshal, os, sys, tempfile, threading, time

kept = {}


def common(xs: list[int], ys: list[int]) -> list[int]:
    found = []
    for x in xs:
        if x in ys:
            found.append(x)
    return found
"""
"""The module of the function; a version is another body of it."""

WORK = "[x for x in xs if x in ys]"


@dataclass(frozen=True, kw_only=True)
class Timing:
    """One such version: `attack` is its body. `refusal` is in the reason for which it is not timed, if it is not."""

    name: str
    why: str
    attack: str
    refusal: str = ""

    @property
    def text(self) -> str:
        """The whole function."""
        body = indent(dedent(self.attack).strip().replace("WORK", WORK), "    ")
        return f"def common(xs: list[int], ys: list[int]) -> list[int]:\n{body}\n"


TIMING = (
    Timing(
        name="stops_the_clocks",
        why="no clock of its process is asked",
        attack="""
            for module in list(sys.modules.values()):
                for name in ("clock_gettime_ns", "thread_time_ns", "_clock", "process_time"):
                    if hasattr(module, name):
                        setattr(module, name, lambda *_: 0)
            return WORK
            """,
    ),
    Timing(
        name="keeps_answers_in_memory",
        why="each block has a process that never ran the version, and each of its calls other arguments",
        attack="""
            key = (tuple(xs), tuple(ys))
            if key not in kept:
                kept[key] = WORK
            return kept[key]
            """,
    ),
    Timing(
        name="keeps_answers_on_the_disk",
        why="the process can write no file",
        refusal="did not come back",
        attack="""
            key = hashlib.md5(repr((xs, ys)).encode()).hexdigest()
            place = os.path.join(tempfile.gettempdir(), key)
            if os.path.exists(place):
                return eval(open(place).read())
            found = WORK
            with open(place, "w") as opened:
                opened.write(repr(found))
            return found
            """,
    ),
    Timing(
        name="works_in_a_thread",
        why="all threads of the process are accounted for",
        attack="""
            found = []
            thread = threading.Thread(target=lambda: found.extend(WORK))
            thread.start()
            thread.join()
            return found
            """,
    ),
    Timing(
        name="works_in_another_process",
        why="the process can start none",
        refusal="did not come back",
        attack="""
            source, out = os.pipe()
            if os.fork() == 0:
                os.write(out, repr(WORK).encode())
                os._exit(0)
            return eval(os.read(source, 1_000_000))
            """,
    ),
    Timing(
        name="says_at_once_that_it_is_done",
        why="what it says next is no result",
        refusal="something else",
        attack="""
            for descriptor in range(3, 64):
                try:
                    os.write(descriptor, b"done")
                except OSError:
                    pass
            return WORK
            """,
    ),
    Timing(
        name="works_after_it_is_done",
        why="the time until the end of the process counts",
        attack="""
            class Later:
                def look(self, value):
                    return real(self.within).look(value())
                def __init__(self, through):
                    self.within, self.is_opaque = through, False
            class Marshal:
                def dumps(results, version):
                    return marshal.dumps([one() for one in results], version)
            module = sys.modules["certo_builtin.differential.value_view"]
            if module._Look.__name__ != "Later":
                real, module._Look = module._Look, Later
                sys.modules["certo_builtin.speed.timed_process"].marshal = Marshal
            return lambda: WORK
            """,
    ),
    Timing(
        name="shows_what_it_has_not_computed",
        why="a result has to be that of the original",
        refusal="something else",
        attack="""
            return []
            """,
    ),
    Timing(
        name="ends_before_the_end",
        why="a result has to be shown",
        refusal="did not come back",
        attack="""
            os._exit(0)
            """,
    ),
)
"""Rows of the measurement."""
