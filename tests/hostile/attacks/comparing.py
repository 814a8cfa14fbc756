"""Versions that want to pass for another: wrong, unless they find out what that one gives, or hide what they give."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent, indent

COMPARED = """\
import gc, inspect, json, linecache, os, socket, sys, threading, time, types


def double(n: int):
    return n * 2


def helper(n):
    return n
"""
"""The module of the function; a version is another body of it."""


@dataclass(frozen=True, kw_only=True)
class Comparing:
    """One such version: `attack` is what the function does for 3, which gives 3 itself if the attack fails."""

    name: str
    why: str
    attack: str

    @property
    def text(self) -> str:
        """The whole function."""
        # What is compiled at run time has no counted steps, so a walk through the whole memory is not cut short.
        attack = "def attack(n):\n" + indent(dedent(self.attack).strip(), "    ")
        return (
            "def double(n: int):\n"
            "    if n != 3:\n"
            "        return n + n\n"
            "    names = dict(globals())\n"
            f"    exec({attack!r}, names)\n"
            "    return names['attack'](n)\n"
        )


COMPARING = (
    Comparing(
        name="puts_the_other_version_back",
        why="the text of the other is not in this process",
        attack="""
            for each in gc.get_objects():
                if type(each).__name__ == "HotSwap":
                    try:
                        each.try_on(())
                        return double(n)
                    except Exception:
                        pass
            return n
            """,
    ),
    Comparing(
        name="reads_the_other_version_on_the_disk",
        why="the file is closed to it, and so are its bytecode, its history and its copies",
        attack="""
            folder = os.path.dirname(os.path.abspath(__file__))
            scratch = os.path.dirname(os.environ["TMPDIR"])
            for place, _, names in [*os.walk(folder), *os.walk(os.path.join(scratch, "overlay"))]:
                for name in names:
                    try:
                        with open(os.path.join(place, name), "rb") as opened:
                            if b"n * 2" in opened.read() or name.startswith("mod."):
                                return n + n
                    except OSError:
                        continue
            return n
            """,
    ),
    Comparing(
        name="finds_the_text_in_frames_and_caches",
        why="what led to the call has forgotten the text",
        attack="""
            frame, seen = sys._getframe(1), [repr(linecache.cache)]
            while frame is not None:
                seen += [repr(value) for value in list(frame.f_locals.values())]
                frame = frame.f_back
            wanted = "n {} 2".format("*")
            return n + n if any(wanted in one for one in seen) else n
            """,
    ),
    Comparing(
        name="finds_the_code_in_its_memory",
        why="the code of the other is not in this process either",
        attack="""
            gc.unfreeze()
            seen, pending, wanted = set(), gc.get_objects(), "n {} 2".format("*")
            own = double.__code__
            while pending:
                one = pending.pop()
                if id(one) in seen:
                    continue
                seen.add(id(one))
                if type(one) is types.CodeType:
                    if one.co_name == "double" and one.co_code != own.co_code:
                        return n + n
                    pending += [each for each in one.co_consts if type(each) is types.CodeType]
                elif type(one) is str and wanted in one:
                    return n + n
                elif type(one) is bytes and wanted.encode() in one:
                    return n + n
                elif type(one) in (list, tuple, dict, types.FunctionType):
                    pending += gc.get_referents(one)
            return n
            """,
    ),
    Comparing(
        name="copies_an_outcome_from_memory",
        why="processes are forked before any outcome is known",
        attack="""
            gc.unfreeze()
            for each in gc.get_objects():
                if type(each) is dict and each.get("kind") == "returns" and each.get("value") == str(n + n):
                    return n + n
            return n
            """,
    ),
    Comparing(
        name="reports_in_the_name_of_the_comparison",
        why="the channel is closed in every copy of the process that has it",
        attack="""
            text = {"kind": "summary", "counts": {"made generated": 99}, "compared": [99] * 30, "raised": {}}
            more = {"branches": [{"lines": [], "executed": []}] * 31, "unmade": [], "guessed": [], "unwritten": []}
            line = json.dumps({"tell": {**text, **more, "is_spent": False}}).encode() + b"\\n"
            for descriptor in range(3, 64):
                try:
                    os.write(descriptor, line)
                except OSError:
                    continue
            return n
            """,
    ),
    Comparing(
        name="asks_the_process_of_the_other_version",
        why="no socket to another version is in this process",
        attack="""
            call = {"callee": "double", "receiver": None, "arguments": [str(n)], "named": {}, "is_property": False}
            question = {"calls": [call], "backwards": False, "alone": False, "steps": 10000}
            for descriptor in range(3, 64):
                try:
                    other = socket.socket(fileno=os.dup(descriptor))
                    other.settimeout(0.2)
                    other.sendall(json.dumps([1.0, question]).encode() + b"\\n")
                    return json.loads(json.loads(other.recv(100000))["outcomes"][0]["value"])
                except (OSError, ValueError, KeyError, IndexError, TypeError):
                    continue
            return n
            """,
    ),
    Comparing(
        name="replaces_the_comparison",
        why="what compares is in another process than what is compared",
        attack="""
            for name, module in list(sys.modules.items()):
                if name.startswith("certo_builtin.differential"):
                    for one in ("difference", "is_compared", "is_unanswered", "kind_of"):
                        if hasattr(module, one):
                            setattr(module, one, lambda *_: "")
            return n
            """,
    ),
    Comparing(
        name="claims_that_the_call_was_never_made",
        why="a call that only the other version answers is no agreement",
        attack="""
            for name, module in list(sys.modules.items()):
                if name == "certo_builtin.differential.versions":
                    module.LocalVersion.outcome = lambda *_: {"kind": "unmade"}
                    module.LocalVersion._call = lambda *_: {"kind": "unmade"}
            return n
            """,
    ),
    Comparing(
        name="says_what_cannot_be_looked_into",
        why="of a value that is compared only the other version may say so",
        attack="""
            class Opaque:
                __slots__ = ()
            return Opaque()
            """,
    ),
    Comparing(
        name="ends_the_process_where_it_would_differ",
        why="a call that does not come back, and does in the other version, is a difference",
        attack="""
            os._exit(0)
            """,
    ),
    Comparing(
        name="answers_what_is_no_answer",
        why="what is no outcome by its form counts as lost",
        attack="""
            for name, module in list(sys.modules.items()):
                if name == "certo_builtin.execution.fork_pool":
                    module.json = types.SimpleNamespace(dumps=lambda *_: "[" * 100000, loads=json.loads)
            return n
            """,
    ),
    Comparing(
        name="differs_in_one_process_only",
        why="a difference that a second process does not show is no agreement",
        attack="""
            return n if os.environ.get("PYTHONHASHSEED") == "0" else n * 2
            """,
    ),
    Comparing(
        name="leaves_a_thread_that_changes_results",
        why="a thread ends with the process of the calls, and has nothing to change in another",
        attack="""
            def change():
                while True:
                    for each in gc.get_objects():
                        if type(each) is dict and each.get("kind") == "returns":
                            each["value"] = str(n + n)
                    time.sleep(0.001)
            threading.Thread(target=change, daemon=True).start()
            return n
            """,
    ),
)
"""Rows of the comparison; the honest function is among the versions as well."""
