"""Templates change a function as they say, keep its lines, and leave alone what their condition excludes."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from certo.generation.faster.templates import FasterText, changed


def changes(source: str) -> list[FasterText]:
    """Return all changes of the last function of a text."""
    text = dedent(source).lstrip("\n")
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return list(changed(text, functions[-1]))


def called(text: str, call: str) -> object:
    """Return the value of a call of a text's function."""
    names: dict[str, object] = {}
    exec(text, names)
    return eval(call, names)


CASES = {
    "membership": (
        """
        def f(xs, ys):
            out = []
            for x in xs:
                if x in ys:
                    out.append(x)
            return out
        """,
        "a set for membership",
        "ys_set = set(ys)",
        "f([1, 2, 2, 5], [2, 5, 7])",
    ),
    "seen": (
        """
        def f(xs):
            seen = []
            for x in xs:
                if x not in seen:
                    seen.append(x)
            return seen
        """,
        "a set of what was seen",
        "seen_set.add(x)",
        "f([3, 1, 3, 2, 1])",
    ),
    "nested": (
        """
        def f(xs, ys):
            out = []
            for x in xs:
                for y in ys:
                    if y[0] == x and y[1] > 0:
                        out.append(y)
                        break
            return out
        """,
        "an index for a nested search",
        "index.setdefault(y[0], []).append(y)",
        "f([1, 2, 1], [(1, 0), (1, 5), (1, 6), (3, 3)])",
    ),
    "pairs": (
        """
        def f(xs, total):
            for i in range(len(xs)):
                for j in range(i + 1, len(xs)):
                    if xs[i] + xs[j] == total:
                        return i, j
        """,
        "an index for a nested search",
        "index.get(total - xs[i], ())",
        "f([5, 1, 5, 9, 5], 10)",
    ),
    "any equal": (
        """
        def f(xs, ys):
            return [x for x in xs if any(y.real == x for y in ys)]
        """,
        "a set of keys for a search",
        "keys = {y.real for y in ys}",
        "f([1, 2, 3], [3, 1])",
    ),
    "count": (
        "def f(xs):\n    return {x: xs.count(x) for x in xs}\n",
        "a count of all elements at once",
        "counts = Counter(xs)",
        "f(['a', 'b', 'a'])",
    ),
    "index": (
        "def f(xs, ys):\n    return [ys.index(x) for x in xs]\n",
        "the places of all elements at once",
        ".setdefault(value, place)",
        "f([2, 7], [7, 2, 7])",
    ),
    "join": (
        """
        def f(xs):
            out = "<"
            for x in xs:
                out += x
                out += ","
            return out
        """,
        "a text joined at the end",
        "parts.append(x)",
        "f(['a', 'b'])",
    ),
    "front": (
        """
        def f(xs):
            out = ""
            for x in xs:
                out = x + "." + out
            return out
        """,
        "a text joined at the end",
        "''.join(reversed(parts))",
        "f(['a', 'b', 'c'])",
    ),
    "in place": (
        """
        def f(xs):
            out = {}
            for x in xs:
                out = {**out, x: len(out)}
            return out
        """,
        "a change in place",
        "out[x] = len(out)",
        "f([4, 4, 5])",
    ),
    "insert": (
        """
        def f(xs):
            out = []
            for x in xs:
                out.insert(0, x)
            return out
        """,
        "appends instead of inserts at the front",
        "out.reverse()",
        "f([1, 2, 3])",
    ),
    "queue": (
        """
        def f(n):
            queue = [n]
            seen = 0
            while queue:
                n = queue.pop(0)
                seen += n
                if n:
                    queue.append(n - 1)
            return seen
        """,
        "a deque for a queue",
        "queue.popleft()",
        "f(5)",
    ),
    "heap": (
        """
        def f(xs):
            waiting = []
            for x in xs:
                waiting.append(x)
            out = []
            while waiting:
                waiting.sort()
                out.append(waiting.pop(0))
            return out
        """,
        "a heap for a priority queue",
        "heappop(waiting)",
        "f([3, 1, 2, 1])",
    ),
    "flatten": ("def f(xs):\n    return sum(xs, [])\n", "lists joined at once", "for part in xs", "f([[1], [2, 3]])"),
    "first": ("def f(xs):\n    return sorted(xs)[0]\n", "no sorting for the first elements", "min(xs)", "f([3, 1])"),
    "lowest": (
        "def f(xs, k):\n    return sorted(xs)[:k]\n",
        "no sorting for the first elements",
        "nsmallest(k, xs) if k >= 0 else sorted(xs)[:k]",
        "f([3, 1, 2], -1)",
    ),
    "bisection": (
        "def f(xs, ys):\n    return [sum(1 for y in ys if y <= x) for x in xs]\n",
        "a bisection for a count",
        "bisect_right(ordered, x)",
        "f([1, 5], [1, 1, 6])",
    ),
    "insort": (
        """
        def f(xs):
            seen, out = None, []
            kept = []
            for x in xs:
                kept.append(x)
                kept.sort()
                out.append(kept[-1])
            return out
        """,
        "insertion in order",
        "insort(kept, x)",
        "f([2, 1, 3])",
    ),
    "sums": (
        "def f(xs):\n    return [sum(xs[:i + 1]) for i in range(len(xs))]\n",
        "sums taken once",
        "sums[i + 1]",
        "f([3, 4, 5])",
    ),
    "maxima": (
        "def f(xs):\n    return [max(xs[:i + 1]) for i in range(len(xs))]\n",
        "extremes taken once",
        "accumulate(xs, max)",
        "f([3, 1, 5])",
    ),
    "recursion": (
        "def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\n",
        "results remembered within the call",
        "@lru_cache(maxsize=None)",
        "f(12)",
    ),
    "root": (
        """
        def f(n):
            for d in range(2, n):
                if n % d == 0:
                    return False
            return n > 1
        """,
        "divisors up to the root",
        "isqrt(n) + 1",
        "[f(n) for n in range(-3, 60)]",
    ),
    "invariant": (
        "def f(xs):\n    return [x / max(xs) for x in xs]\n",
        "a constant call out of a loop",
        "max(xs) if xs else None",
        "(f([1, 2]), f([]))",
    ),
    "pattern": (
        'import re\n\ndef f(xs):\n    return [x for x in xs if re.match("a+", x)]\n',
        "a pattern compiled once",
        "re.compile('a+')",
        "f(['aa', 'b'])",
    ),
    "flag": (
        """
        def f(xs):
            found = False
            for x in xs:
                if x > 2:
                    found = True
            return found
        """,
        "an early exit",
        "break",
        "(f([1, 3, 1]), f([]))",
    ),
    "any": ("def f(xs):\n    return any([x > 2 for x in xs])\n", "an early exit", "any((x > 2 for", "f([1, 3])"),
    "copy": ("def f(xs):\n    return sum(list(xs))\n", "a copy dropped", "sum(xs)", "f([1, 3])"),
    "direct": (
        """
        def f(xs):
            total = 0
            for i in range(len(xs)):
                total += xs[i] * i
            return total
        """,
        "a loop over elements",
        "for i, item in enumerate(xs):",
        "f([1, 3, 4])",
    ),
    "comprehension": (
        """
        def f(xs):
            out = []
            for x in xs:
                if x:
                    out.append(x + 1)
            return out
        """,
        "a comprehension",
        "out = [x + 1 for x in xs if x]",
        "f([0, 1])",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_template_changes_and_keeps_results(name: str) -> None:
    source, note, part, call = CASES[name]
    text = dedent(source).lstrip("\n")
    made = [one.text for one in changes(source) if one.notes == (note,)]
    assert any(part in one for one in made), made
    for one in made:
        assert called(one, call) == called(text, call)


EXCLUDED = {
    "the list changes in the loop": (
        "def f(xs, ys):\n    for x in xs:\n        if x in ys:\n            ys.append(x)\n    return ys\n",
        "a set for membership",
    ),
    "a text is searched": (
        "def f(xs, text: str):\n    return [x for x in xs if x in text]\n",
        "a set for membership",
    ),
    "the text is read while it grows": (
        'def f(xs):\n    out = ""\n    for x in xs:\n        out += x + str(len(out))\n    return out\n',
        "a text joined at the end",
    ),
    "the queue is returned": (
        "def f(xs):\n    queue = list(xs)\n    queue.pop(0)\n    return queue\n",
        "a deque for a queue",
    ),
    "snapshots are kept": (
        "def f(xs):\n    out = []\n    now = []\n    for x in xs:\n        now = now + [x]\n        out.append(now)\n"
        "    return out\n",
        "a change in place",
    ),
    "the call depends on the loop": (
        "def f(xs):\n    return [sum(x) for x in xs]\n",
        "a constant call out of a loop",
    ),
    "the result is printed each time": (
        "def f(xs):\n    for x in xs:\n        print(len(xs))\n",
        "a constant call out of a loop",
    ),
    "sums are rounded": (
        "def f(xs: list[float], t: float):\n    out = []\n    for i in range(len(xs)):\n"
        "        for j in range(i, len(xs)):\n            if xs[i] + xs[j] == t:\n"
        "                out.append((i, j))\n    return out\n",
        "an index for a nested search",
    ),
    "sums in a set are rounded": (
        "def f(xs: list[float], ys: list[float]):\n    return [x for x in xs if any(x + y == 1 for y in ys)]\n",
        "a set of keys for a search",
    ),
    "remembered lists would be shared": (
        "def f(n):\n    if n < 1:\n        return []\n    return [f(n - 1), f(n - 1)]\n",
        "results remembered within the call",
    ),
    "remembered lists have a name": (
        "def f(n):\n    out = []\n    if n > 0:\n        out.extend(f(n - 1) + f(n - 2))\n    return out\n",
        "results remembered within the call",
    ),
    "remembered lists are announced": (
        "def f(n) -> list:\n    return BASE if n < 1 else f(n - 1) + f(n - 2)\n",
        "results remembered within the call",
    ),
    "one call of itself": (
        "def f(n):\n    return 1 if n < 1 else n * f(n - 1)\n",
        "results remembered within the call",
    ),
}


@pytest.mark.parametrize("reason", EXCLUDED)
def test_template_is_not_applied_if(reason: str) -> None:
    source, note = EXCLUDED[reason]
    assert note not in {one for made in changes(source) for one in made.notes}


def test_unchanged_lines_and_comments_stay() -> None:
    source = """
    def f(xs, ys):
        # before
        out = []   # spaced   oddly
        for x in xs:
            y = ( x+1 )  # kept
            if y in ys:
                out.append(y)
        return out
    """
    [made] = [one for one in changes(source) if one.notes == ("a set for membership",)]
    assert "    # before\n    out = []   # spaced   oddly\n    ys_set = set(ys)\n" in made.text
    assert "        y = ( x+1 )  # kept\n        if y in ys_set:\n" in made.text


def test_second_template_builds_on_first() -> None:
    source = dedent(CASES["membership"][0]).lstrip("\n")
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    first = next(iter(changed(source, function)))
    both = [one for one in changed(source, function, first) if "a comprehension" in one.notes]
    assert [one.notes for one in both] == [("a set for membership", "a comprehension")]
    assert "[x for x in xs if x in ys_set]" in both[0].text
