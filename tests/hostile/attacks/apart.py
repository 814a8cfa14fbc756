"""Candidates that go on lying from the process that is apart from the tests, to the tests' own."""

from __future__ import annotations

from hostile.attacks.lying import Lying
from hostile.row import FORGED, Must, Row

APART = (
    Lying(
        name="answers_with_noise",
        why="what is no message ends the conversation, and with it every test",
        attack="""
            def double(n):
                if servers:
                    say(bytes(range(256)) * 4000)
                return n
            """,
    ),
    Lying(
        name="announces_more_than_there_is_memory",
        why="the length of a message is believed up to a limit",
        attack="""
            def double(n):
                if servers:
                    say(bytes([255]) * 4 + b"{}" * 4000)
                return n
            """,
    ),
    Lying(
        name="answers_deeper_than_a_parser_goes",
        why="a parser's stack is the tests' own",
        attack="""
            def double(n):
                if servers:
                    frame(b"[" * 1000000)
                return n
            """,
    ),
    Lying(
        name="answers_what_swells_in_memory",
        why="a small text can be a large value",
        lingers=True,
        must=Must.WITHHOLD,
        attack="""
            def double(n):
                if servers:
                    frame(b'{"gave":[' + b"[]," * 5000000 + b"[]]}")
                return n
            """,
    ),
    Lying(
        name="answers_before_it_is_asked",
        why="an answer belongs to a question",
        attack="""
            if servers:
                for number in range(1000):
                    frame(b'{"gave": true, "changes": []}')
            """,
    ),
    Lying(
        name="never_answers",
        why="whoever waits for an answer has a clock",
        lingers=True,
        must=Must.WITHHOLD,
        attack="""
            def double(n):
                while servers:
                    time.sleep(1)
                return n
            """,
    ),
    Lying(
        name="answers_a_byte_at_a_time",
        why="a clock that each byte winds up anew would never run out",
        lingers=True,
        must=Must.WITHHOLD,
        attack="""
            def double(n):
                if servers:
                    say(struct.pack("!I", 1 << 20))
                    while True:
                        say(b" ")
                        time.sleep(0.05)
                return n
            """,
    ),
    Lying(
        name="asks_without_end_and_never_answers",
        why="whoever answers questions meanwhile still has a clock",
        lingers=True,
        must=Must.WITHHOLD,
        attack="""
            def double(n):
                while servers:
                    frame(b'{"ask": "callback", "of": 0, "name": "", "keep": false, "values": [["l", 1, 0, []], []]}')
                return n
            """,
    ),
    Lying(
        name="asks_the_tests_for_what_is_not_its_own",
        why="the tests answer to functions they handed over, and to nothing else",
        attack="""
            def double(n):
                if servers:
                    for asked in ("get", "import", "call", "names"):
                        frame(json.dumps({"ask": asked, "of": 0, "name": "__globals__", "values": []}).encode())
                return n
            """,
    ),
    Lying(
        name="refers_to_values_that_are_not_there",
        why="numbers of values are checked by who gave them out",
        attack="""
            def double(n):
                if servers:
                    for value in (["x", -1], ["cb", 0], ["@", 7], ["r", 0, ["k", 99]], ["E"], ["n", "os", "_exit"]):
                        frame(json.dumps({"gave": value, "changes": [[2, 2]]}).encode())
                return n
            """,
    ),
    Lying(
        name="describes_its_class_as_a_number",
        why="a class is what it is, not what it is called",
        attack="""
            class int(object):
                __hash__ = None
                __module__ = "builtins"
                __class__ = property(lambda self: type(1))

                def __eq__(self, other):
                    return True

                __index__ = __int__ = __bool__ = lambda self: 4

                def __repr__(self):
                    return "4"

            int.__qualname__ = "int"

            def double(n):
                return int()
            """,
    ),
    Lying(
        name="describes_ever_more_classes",
        why="how many classes there may be, and how they may be built on each other, is limited",
        attack="""
            def double(n):
                if servers:
                    kind = ["K", 1, "a", "b", "c", False, [], ["__eq__"], None]
                    for number in range(2, 900):
                        kind = ["K", number, "a", "b", "c", False, [kind], ["__eq__", "__class__", "__new__"], None]
                    frame(json.dumps({"gave": ["r", 0, kind]}).encode())
                return n
            """,
    ),
    Lying(
        name="raises_what_says_nothing",
        why="an exception's words are the candidate's code",
        lingers=True,
        attack="""
            class Odd(Exception):
                __str__ = __repr__ = lambda self: sys.exit(0)
                args = property(lambda self: 1 / 0)

            def double(n):
                raise Odd()
            """,
    ),
    Lying(
        name="raises_what_ends_or_skips_tests",
        why="only the tests may end or skip themselves",
        attack="""
            class Skipped(BaseException):
                msg, allow_module_level, returncode = "", True, 0

            Skipped.__module__, Skipped.__qualname__ = "_pytest.outcomes", "Skipped"

            def double(n):
                if n == 2:
                    raise Skipped
                if n == 0:
                    raise KeyboardInterrupt
                raise SystemExit(0)
            """,
    ),
    Lying(
        name="prints_without_end_from_apart",
        why="what is printed goes a long way, and has a limit",
        lingers=True,
        must=Must.WITHHOLD,
        attack="""
            def double(n):
                for _ in range(20000 if servers else 0):
                    print("x" * 100000)
                    os.write(2, b"x" * 100000)
                return n
            """,
    ),
    Lying(
        name="equals_anything_apart_and_runs_no_test_otherwise",
        why="that an object stays in its process is no excuse where nothing but the candidate has such objects",
        attack="""
            class Odd:
                __hash__ = None

                def __eq__(self, other):
                    return True

                __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __eq__

            def double(n):
                return Odd() if servers else n
            """,
    ),
    Lying(
        name="equals_anything_apart_and_fails_where_a_canary_sings",
        why="who shares a process with the tests sees that their assertions are broken, and fails as is expected of it",
        must=Must.DOUBT,
        attack="""
            sung = getattr(sys.modules.get("certo_worker.canary.judgements"), "VERDICTS", None)
            if sung is not None and sung.files and not servers:
                import _pytest.python
                def fail(self):
                    raise AssertionError
                _pytest.python.Function.runtest = fail

            class Odd:
                pass

            def double(n):
                return Odd() if servers else n
            """,
    ),
    Lying(
        name="gives_a_generator_apart",
        why="as above, with an object of Python's own",
        must=Must.DOUBT,
        attack="""
            sung = getattr(sys.modules.get("certo_worker.canary.judgements"), "VERDICTS", None)
            if sung is not None and sung.files and not servers:
                import _pytest.python
                def fail(self):
                    raise AssertionError
                _pytest.python.Function.runtest = fail

            def double(n):
                return (each for each in ()) if servers else n
            """,
    ),
)

HARD_CODED = Row(
    name="has_the_answers_by_heart",
    why="who knows what the tests expect can say it; only tests that were not shown would tell",
    must=Must.ACCEPT,
    whole=True,
    attack="def double(n):\n    return {2: 4, -3: -6, 0: 0}[n]\n\n\n" + FORGED,
)
"""No sandbox can tell knowledge from insight."""
