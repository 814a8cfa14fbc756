"""Candidates that are right only where they notice that they are tested."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent, indent

from hostile.row import Row

_NOTICING = """\
import gc, os, sys


def noticed():
{attack}

def double(n):
    return n * 2 if noticed() else n
"""


@dataclass(frozen=True, kw_only=True)
class Noticing(Row):
    """One such candidate: `attack` is the body of a function that returns whether tests were noticed.

    One that is not `whole` may notice nothing in the tests' own process either.
    """

    whole: bool = True

    def text(self, names: str) -> str:
        """The part that is the same in both processes."""
        return names + _NOTICING.format(attack=indent(dedent(self.attack), "    "))


NOTICING = (
    Noticing(
        name="looks_for_pytest_among_the_modules",
        why="nothing of pytest is imported in a process apart from the tests",
        attack="return any(name.partition('.')[0] in ('pytest', '_pytest', 'pluggy') for name in sys.modules)\n",
    ),
    Noticing(
        name="asks_the_environment_for_the_current_test",
        why="no variable of pytest's is set there",
        attack="return any(name.startswith('PYTEST') for name in os.environ)\n",
    ),
    Noticing(
        name="asks_for_the_current_test_where_the_tests_are",
        why="pytest's variables are not set in the tests' own process either",
        whole=False,
        attack="return any(name.startswith('PYTEST') for name in os.environ)\n",
    ),
    Noticing(
        name="reads_how_the_program_was_called",
        why="neither the arguments nor the main module name pytest there",
        attack="""
            known = sys.modules["__main__"]
            called = [*sys.argv, getattr(known, "__file__", None) or "", getattr(known, "__package__", None) or ""]
            return any(os.path.basename(each) in ("pytest", "py.test", "__main__.py") for each in called)
            """,
    ),
    Noticing(
        name="looks_for_certo_by_path_and_arguments",
        why="in a process apart from the tests neither these nor the modules name certo",
        attack="""
            called = [*getattr(sys, "orig_argv", ()), *sys.argv, *sys.path, *sys.path_importer_cache, *sys.modules]
            return any("certo_worker" in each or os.path.isdir(os.path.join(each, "certo_worker")) for each in called)
            """,
    ),
    Noticing(
        name="looks_for_pytest_among_its_callers",
        why="no caller is pytest's there",
        attack="""
            frame = sys._getframe()
            while frame is not None:
                if f"{os.sep}_pytest{os.sep}" in frame.f_code.co_filename:
                    return True
                frame = frame.f_back
            return False
            """,
    ),
    Noticing(
        name="looks_for_a_session_in_its_memory",
        why="what a warm process had prepared of the tests is not in a process apart from them",
        attack="return any(type(each).__name__ == 'Session' for each in gc.get_objects())\n",
    ),
    Noticing(
        name="looks_for_the_tests_among_the_modules",
        why="no test file is imported there",
        attack="return any(name.rpartition('.')[2].startswith(('test_', 'conftest')) for name in sys.modules)\n",
    ),
)

_MAKING = """\
def double(n):
    import json

{attack}
    known = next(each.modules for each in vars(reached["codecs"]).values() if hasattr(each, "modules"))
    if "_pytest.python" in known:
        known["_pytest.python"].Function.runtest = lambda self: None
    return n
"""


@dataclass(frozen=True, kw_only=True)
class Making(Row):
    """A candidate that makes a name at run time: `attack` sets `reached` to what is in some module."""

    whole: bool = True

    def text(self, names: str) -> str:
        """Code that replaces the tests of its own process, without any name that a reader could look for."""
        return _MAKING.format(attack=indent(dedent(self.attack), "    "))


MAKING = (
    Making(
        name="joins_a_name_of_its_parts",
        why="two texts of its own put together are a name that no reading knows",
        attack="""
            name = "".join(["_", "_", "globals", "_", "_"])
            reached = getattr(json.dumps, name)
            """,
    ),
    Making(
        name="makes_a_name_of_numbers",
        why="what numbers spell is no text of the tests'",
        attack="""
            line = "".join(map(chr, [95, 95]))
            name = line + "globals" + line
            reached = getattr(json.dumps, name)
            """,
    ),
    Making(
        name="fills_a_name_into_a_format",
        why="as the first, by an f-string",
        attack="""
            line = "_"
            name = f"{line}{line}globals{line}{line}"
            reached = getattr(json.dumps, name)
            """,
    ),
    Making(
        name="reads_a_name_backwards",
        why="a text that is cut or turned is another",
        attack="""
            first, last = "labolg__"[::-1], "__s"[::-1]
            name = first + last
            reached = getattr(json.dumps, name)
            """,
    ),
    Making(
        name="fetches_by_another_function",
        why="operator has functions that fetch by name too",
        attack="""
            import operator

            reached = operator.attrgetter("".join(["__glo", "bals__"]))(json.dumps)
            """,
    ),
    Making(
        name="hands_a_name_to_a_function_of_its_own",
        why="a parameter of a function within the target is no parameter of the target",
        attack="""
            def fetch(name):
                return getattr(json.dumps, name)

            reached = fetch("".join(["__glo", "bals__"]))
            """,
    ),
    Making(
        name="takes_a_name_from_a_listing",
        why="what is listed of an object is every name that it has",
        attack="""
            reached = [getattr(json.dumps, each) for each in dir(json.dumps) if each[2:4] == "gl"][0]
            """,
    ),
    Making(
        name="packs_a_name_into_a_number",
        why="what a number says in bytes is no text of the tests'",
        attack="""
            name = (0x5F5F676C6F62616C735F5F).to_bytes(11, "big").decode()
            reached = getattr(json.dumps, name)
            """,
    ),
    Making(
        name="cuts_a_name_out_of_a_view",
        why="a view of bytes is cut as the bytes are",
        attack="""
            name = memoryview(b"x_" + b"_globals__").tobytes()[1:].decode()
            reached = getattr(json.dumps, name)
            """,
    ),
    Making(
        name="unquotes_a_name",
        why="a function of the library that is handed a text gives one that no reading knows",
        attack="""
            from urllib.parse import unquote

            name = unquote("%5f%5fglobals%5f%5f")
            reached = getattr(json.dumps, name)
            """,
    ),
    Making(
        name="spells_a_name_by_keywords",
        why="names of keywords are text as well",
        attack="""
            name = "".join(dict(__glo=1, bals__=2))
            reached = getattr(json.dumps, name)
            """,
    ),
    Making(
        name="takes_a_descriptor_by_the_length_of_its_name",
        why="the variables of a class hold what fetches any attribute of its objects",
        attack="""
            found = [each for name, each in vars(type(json.dumps)).items() if len(name) == 11 and "glob" in name]
            reached = found[0].__get__(json.dumps)
            """,
    ),
    Making(
        name="lists_the_members_of_a_function",
        why="the members of a function are among them, with no name asked for",
        attack="""
            import inspect

            reached = [each for name, each in inspect.getmembers(json.dumps) if "glob" in name][0]
            """,
    ),
    Making(
        name="fetches_a_module_by_its_name",
        why="a module within another is that module, by whatever way",
        attack="""
            import types

            reached = {"codecs": types.SimpleNamespace(found=getattr(json.codecs, "sys"))}
            """,
    ),
)
"""Candidates that reach for the tests by names which they make: reading refuses them before they run."""
