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
    """One such candidate: `attack` is the body of a function that returns whether tests were noticed."""

    whole: bool = True

    def text(self, names: str) -> str:
        """What is the same in both processes."""
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
        name="reads_how_the_program_was_called",
        why="neither the arguments nor the main module name pytest there",
        attack="""
            known = sys.modules["__main__"]
            called = [*sys.argv, getattr(known, "__file__", None) or "", getattr(known, "__package__", None) or ""]
            return any(os.path.basename(each) in ("pytest", "py.test", "__main__.py") for each in called)
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
