"""Forbidden capabilities are found in however many ways they are written, and ordinary code passes.

Imports count by the root of the module, in all their names, past tricks with attributes, with a list of what is
allowed; the policy judges whatever other verifiers there are.
"""

from __future__ import annotations

import pytest

from certo.verification.static.policy import PolicyOptions, PolicyVerifier
from certo.vocabulary.problem import Problem
from certo.vocabulary.verdict import Finding, Ruling
from support.search.rewrites import problem_about, with_body

pytestmark = pytest.mark.acceptance(16)

HEAD = "import os, sys, re, json, io, logging, random, asyncio, urllib.parse, inspect, pathlib\nimport cosmos_lib\n"
USES = "SEP = os.path.join(os.sep, io.StringIO().read(), sys.argv[0], inspect.getdoc(re), pathlib.PurePath().name)\n"
TEXT = HEAD + USES + "\n\ndef f(a, b=0):\n    '''Doc.'''\n    pass\n"


@pytest.fixture
def problem() -> Problem:
    return problem_about(TEXT, "f")


async def findings(problem: Problem, body: str, *allow: str) -> tuple[Finding, ...]:
    candidate = with_body(problem, body.replace("\n", "\n    "))
    verdict = await PolicyVerifier(PolicyOptions(allow=allow)).judge(candidate, problem)
    assert verdict.verifier == "policy"
    assert (verdict.ruling is Ruling.FAILED) == bool(verdict.findings)
    return verdict.findings


@pytest.mark.parametrize(
    ("body", "construct", "reach"),
    [
        ("import subprocess", "import of subprocess", "other processes"),
        ("import math, subprocess as s", "import of subprocess", "other processes"),
        ("from math import pi\nfrom shutil import rmtree as r", "import of shutil.rmtree", "the file system"),
        ("import urllib.request", "import of urllib.request", "the network"),
        ("from urllib import parse, request", "import of urllib.request", "the network"),
        ("from os import path, system as s", "import of os.system", "other processes"),
        ("from os import *", "import of os.*", "the file system"),
        ("import os.path as p\nfrom socket import socket", "import of socket.socket", "the network"),
        ("import pickle", "import of pickle", "code made at run time"),
        ("from importlib import import_module", "import of importlib.import_module", "code made at run time"),
        ("import ctypes.util", "import of ctypes.util", "code made at run time"),
        ("import pytest", "import of pytest", "the test machinery"),
        ("from unittest import mock", "import of unittest.mock", "the test machinery"),
        ("import gc", "import of gc", "the interpreter's internals"),
        ("import builtins\nreturn builtins.open(a)", "open", "the file system"),
        ("import builtins as b\nreturn b.len(a)", "len", "the interpreter's internals"),
        ("return os.system(a)", "os.system", "other processes"),
        ("return os.remove(a)", "os.remove", "the file system"),
        ("return os.environ['HOME']", "os.environ", "the environment"),
        ("os.environ['A'] = '1'", "os.environ", "the environment"),
        ("return os.path.os.system(a)", "os.path.os.system", "other processes"),
        ("return random._os.system(a)", "random._os.system", "other processes"),
        ("o = os\no.system(a)", "the module os as a value", "the interpreter's internals"),
        ("return getattr(os, 'sys' + 'tem')(a)", "the module os as a value", "the interpreter's internals"),
        ("import os as o\nreturn o.system(a)", "os.system", "other processes"),
        ("global q\nimport os as q\nreturn q.system(a)", "os.system", "other processes"),
        ("return sys.modules", "sys.modules", "the interpreter's internals"),
        ("return sys._getframe(1)", "sys._getframe", "the interpreter's internals"),
        ("sys.modules['a'] = 1", "sys.modules", "the interpreter's internals"),
        ("import json\nx = json.codecs\nreturn x.sys.modules", ".sys", "the interpreter's internals"),
        ("return sys.orig_argv", "sys.orig_argv", "the interpreter's internals"),
        ("import traceback\nreturn traceback.extract_stack()", "traceback.extract_stack", "internals"),
        ("return inspect.currentframe()", "inspect.currentframe", "the interpreter's internals"),
        ("return a.gi_frame.f_back", ".gi_frame", "the interpreter's internals"),
        ("return io.open(a)", "io.open", "the file system"),
        ("return pathlib.Path(a)", "pathlib.Path", "the file system"),
        ("return logging.FileHandler(a)", "logging.FileHandler", "the file system"),
        ("return asyncio.create_subprocess_exec(a)", "asyncio.create_subprocess_exec", "other processes"),
        ("return open(a).read()", "open", "the file system"),
        ("with open(a) as a: pass", "open", "the file system"),
        ("return eval(a)", "eval", "code made at run time"),
        ("e = eval\nreturn e(a)", "eval", "code made at run time"),
        ("return (lambda e=exec: e)(a)", "exec", "code made at run time"),
        ("return list(map(eval, a))", "eval", "code made at run time"),
        ("return compile(a, '', 'eval')", "compile", "code made at run time"),
        ("return __import__('os')", "__import__", "code made at run time"),
        ("return __builtins__['open'](a)", "__builtins__", "the interpreter's internals"),
        ("return globals()['a']", "globals", "the interpreter's internals"),
        ("return ().__class__.__bases__[0].__subclasses__()", ".__bases__", "the interpreter's internals"),
        ("return print.__self__", ".__self__", "the interpreter's internals"),
        ("return getattr(f, '__globals__')", "'__globals__'", "the interpreter's internals"),
        ("return getattr(f, '__glo' + 'bals__')", "getattr with a name", "the interpreter's internals"),
        ("return dict(f, a='_' * 2 + 'glob' + 'als' + '_' + '_')", "'__globals__', put together", "internals"),
        ("return dict(f, a='_' + '_' + a + '__')", "a name put together at run time", "internals"),
        ("return getattr(f, f'{a}')", "getattr with a name", "the interpreter's internals"),
        ("return '{0.__class__.__init__.__globals__}'.format(a)", "'__globals__'", "the interpreter's internals"),
        ("def g(x=open(a)): pass", "open", "the file system"),
        ("def g():\n    return eval(a)\nreturn g()", "eval", "code made at run time"),
        ("class A:\n    x = eval(a)\nreturn A", "eval", "code made at run time"),
        ("return [eval for eval in eval(a)]", "eval", "code made at run time"),
        ("[eval for eval in a]\nreturn eval(a)", "eval", "code made at run time"),
        ("def g(eval): return eval\nreturn eval(a)", "eval", "code made at run time"),
        ("async def g():\n    async with open(a): pass\nreturn g", "open", "the file system"),
        ("match a:\n    case 1 if eval(b): pass", "eval", "code made at run time"),
        ("return f'{open(a)}'", "open", "the file system"),
        ("class A:\n    import os as q\n    q.system(a)", "the module os as a value", "the interpreter's internals"),
        ("class A:\n    import os as q\nA.q.system(a)", "the module os as a value", "the interpreter's internals"),
        ("class A:\n    def g(self):\n        import os as q\n        q.system(a)", "os.system", "other processes"),
        (
            "q = None\ndef g():\n    nonlocal q\n    import os as q\ng()\nq.system(a)",
            "the module os as a value",
            "the interpreter's internals",
        ),
        ("match f:\n    case object(__globals__=g): return g", ".__globals__", "the interpreter's internals"),
        ("return a.__forward_code__", ".__forward_code__", "the interpreter's internals"),
    ],
)
async def test_what_reaches_out_is_found(problem: Problem, body: str, construct: str, reach: str) -> None:
    found = await findings(problem, body)
    assert any(construct in finding.message and reach in finding.message for finding in found), found


async def test_each_forbidden_import_is_named_with_line(problem: Problem) -> None:
    found = await findings(problem, "x = 1\nimport socket, subprocess\nreturn open(a)")
    start = problem.target.line + 2
    assert [(finding.message.split(" reaches")[0], finding.line) for finding in found] == [
        ("import of socket", start + 1),
        ("import of subprocess", start + 1),
        ("open", start + 2),
    ]
    assert found[1].message == (
        "import of subprocess reaches other processes, which this file did not do before; do without it "
        "(or allow 'subprocess' in policy.allow)"
    )


@pytest.mark.parametrize(
    "body",
    [
        "return cosmos_lib.open(a)",
        "import cosmos_lib.os_tools",
        "import osmium, math, collections.abc, dataclasses, typing, itertools",
        "return re.compile(a).match(b)",
        "return a.open() + a.compile() + a.eval() + a.system() + a.environ",
        "return self.os.remove(a)",
        "return os.path.join(a, os.sep, os.path.basename(b))",
        "from os.path import join, splitext\nreturn join(a)",
        "import os\nreturn os.path.join(a)",
        "from urllib.parse import quote\nreturn urllib.parse.quote(a)",
        "return io.StringIO(a).read()",
        "from io import StringIO, BytesIO",
        "return json.loads(a)",
        "return asyncio.sleep(a)",
        "return sys.maxsize, sys.version_info, sys.getrecursionlimit()",
        "return inspect.signature(a)",
        "from . import os, subprocess\nfrom .pickle import loads",
        "return super().__init__(a)",
        "return a.__class__.__name__, a.__dict__, object.__setattr__(a, 'x', b)",
        "return '_' * 2 * 20, '__' * b, '_' + b, '-' + '__' + b, 'a' + 'b'",
        "return getattr(a, 'open', None), getattr(a, b), getattr(a, 'visit_' + b), getattr(a, f'on_{b}')",
        "def open(x): return x\nreturn open(a)",
        "compile = a.compile\nreturn compile(b)",
        "return [open for open in a]",
        "return (lambda eval: eval)(a)",
        "for input in a:\n    print(input, vars(a), locals())",
        "try:\n    pass\nexcept ValueError as exec:\n    return exec",
        "match a:\n    case {'x': eval, **open}:\n        return eval, open",
        "'''Never use eval(), __globals__ or os.system.'''\nreturn '__main__', '__x'",
        "# open('x')\nreturn 'open(a); import os'",
        "if __name__ == '__main__': return",
        "return a.__forward_arg__ if b else a.__origin__, a.__args__, a.__metadata__, a.__supertype__",
    ],
)
async def test_what_is_ordinary_passes(problem: Problem, body: str) -> None:
    assert await findings(problem, body) == ()


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("import subprocess\n", "return subprocess.run(a)"),
        ("import subprocess\n", "from subprocess import Popen\nreturn Popen(a)"),
        ("import os\nos.remove('x')\n", "return os.listdir(a)"),
        ("import os\n", "return os.listdir(a)"),
        ("from pathlib import Path\n", "return Path(a).read_text()"),
        ("import os as o\nprint(o.environ)\n", "return o.getenv(a)"),
        ("open('x')\n", "return open(a)"),
        ("import sys\nsys.modules\n", "return sys.modules"),
        ("def g(): return g.__code__\n", "return f.__code__"),
        ("import socket as s\n", "return s.create_connection(a)"),
        ("def open(a): ...\n", "return open(a)"),
        ("from gettext import gettext as eval\n", "return eval(a)"),
        ("try:\n    import requests\nexcept ImportError:\n    requests = None\n", "return requests.get(a)"),
    ],
)
async def test_what_the_file_does_already_passes(before: str, body: str) -> None:
    assert await findings(problem_about(before + "\n\ndef f(a):\n    pass\n", "f"), body) == ()


SHOP = """\
import helpers

LIMIT = 5
count = 0

def slow(n): ...

class Price:
    SCALE = 2
    def same(self, other): ...
    @property
    def cents(self): ...
    @cents.setter
    def cents(self, value): ...

"""


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("global slow\nslow = lambda n: 5", "global slow"),
        ("global count, LIMIT\nLIMIT = a", "global LIMIT"),
        ("def g():\n    global Price\n    class Price: ...\ng()", "global Price"),
        ("Price.same = lambda self, other: True", "a new value for .same"),
        ("type(a).same = b", "a new value for .same"),
        ("a.__class__.same = b", "a new value for .same"),
        ("setattr(Price, 'same', b)", "a new value for .same"),
        ("del Price.same", "a new value for .same"),
        ("for Price.same in a: ...", "a new value for .same"),
        ("a.same, b = lambda other: True, 1\na.same = lambda other: True", "a new value for .same"),
        ("Price.SCALE = 0", "a new value for .SCALE"),
        ("helpers.wanted = a", "a new value for .wanted"),
        ("class Q(Price): ...\nQ.__qualname__ = 'Price'", "a new value for .__qualname__"),
        ("class Q(Price):\n    __qualname__ = 'Price'", "a __qualname__ of its own"),
    ],
)
async def test_replaced_definitions_are_found(body: str, construct: str) -> None:
    found = await findings(problem_about(SHOP + "def f(a, b=0):\n    pass\n", "f"), body)
    assert any(each.message.startswith(f"{construct} reaches the definitions of the file") for each in found), found


@pytest.mark.parametrize(
    "body",
    [
        "global count\ncount += 1",
        "a.total = b\na.cents = 3\nf.calls = 1",
        "a.same = b",
        "slow = LIMIT = 3\nreturn slow",
        "class Q:\n    def same(self): ...\nreturn Q",
        "global fresh\nfresh = 1",
    ],
)
async def test_assigning_variables_is_ordinary(body: str) -> None:
    assert await findings(problem_about(SHOP + "def f(a, b=0):\n    pass\n", "f"), body) == ()


async def test_methods_may_be_replaced_as_before() -> None:
    """The file does so already."""
    text = SHOP + "Price.same = slow\n\ndef f(a, b=0):\n    pass\n"
    assert await findings(problem_about(text, "f"), "Price.same = a") == ()


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("import os\nprint(os.path.sep)\n", "return os.listdir(a)"),
        ("import os\nos.remove('x')\n", "return os.system(a)"),
        ("import sys\nprint(sys.path)\n", "return sys.modules"),
        ("eval('1')\n", "return exec(a)"),
        ("open('x')\n", "import shutil"),
        ("import os as subprocess\n", "return subprocess.system(a)"),
        ("from os import path as eval\n", "import builtins\nreturn builtins.eval(a)"),
    ],
)
async def test_one_capability_does_not_permit_another(before: str, body: str) -> None:
    assert await findings(problem_about(before + "\n\ndef f(a):\n    pass\n", "f"), body)


@pytest.mark.parametrize(
    ("body", "allow"),
    [
        ("import subprocess\nsubprocess.run(a)", "subprocess"),
        ("return open(a)", "open"),
        ("return os.environ['A'], os.getenv(a)", "os"),
        ("return os.environ['A']", "os.environ"),
        ("from urllib.request import urlopen", "urllib"),
        ("return sys.modules", "sys"),
    ],
)
async def test_what_the_user_allows_passes(problem: Problem, body: str, allow: str) -> None:
    assert await findings(problem, body)
    assert await findings(problem, body, "math", allow) == ()
    assert await findings(problem, body, allow[:-1])


async def test_only_the_target_is_judged() -> None:
    """Names that its surroundings bind count."""
    text = "def outer(open):\n    import os as o\n\n    def f(a):\n        pass\n\n    return f\n"
    problem = problem_about(text, "outer.f")
    assert await findings(problem, "return open(a)") == ()
    assert "o.system" not in text
    (finding,) = await findings(problem, "return o.system(a)")
    assert finding.message.startswith("os.system reaches other processes")


async def test_a_candidate_that_cannot_be_read_fails(problem: Problem) -> None:
    assert "does not parse" in (await findings(problem, "return ("))[0].message
    assert (await findings(problem, "return a" + ".b" * 400_000))[0].message


async def test_methods_may_not_replace_each_other() -> None:
    """Those of other classes are not meant by `self`."""
    text = "class A:\n    def slow(self): ...\n    def f(self, a):\n        pass\n\nclass B:\n    def size(self): ...\n"
    problem = problem_about(text, "A.f")
    (finding,) = await findings(problem, "self.slow = a")
    assert finding.message.startswith("a new value for .slow reaches the definitions of the file")
    assert await findings(problem, "self.size = a") == ()


@pytest.mark.parametrize(
    "body",
    [
        "n = ''.join(['__glo', 'bals__'])\nreturn getattr(f, n)",
        "u = chr(95) * 2\nn = u + 'globals' + u\nreturn getattr(f, n)",
        "u = ''.join(map(chr, [95, 95]))\nreturn getattr(f, u)",
        "u = bytes([95, 95]).decode()\nreturn getattr(f, u)",
        "n = (27413).to_bytes(2, 'big').decode()\nreturn getattr(f, n)",
        "n = bytearray.fromhex('5f5f').decode()\nreturn getattr(f, n)",
        "n = memoryview(b'x__globals__').tobytes()[1:].decode()\nreturn getattr(f, n)",
        "n = struct.pack('>H', 24415).decode()\nreturn getattr(f, n)",
        "u = '_'\nn = u + u + 'globals' + u + u\nreturn getattr(f, n)",
        "n = ''\nfor c in ('_', '_', 'globals', '_', '_'): n += c\nreturn getattr(f, n)",
        "u = '_'\nn = f'{u}{u}globals{u}{u}'\nreturn getattr(f, n)",
        "n = '%s%s' % ('__glo', 'bals__')\nreturn getattr(f, n)",
        "n = '{}{}'.format('__glo', 'bals__')\nreturn getattr(f, n)",
        "n = '%cf_bac' % 102\nreturn getattr(f, n)",
        "n = '_slabolg_'[::-1]\nreturn getattr(f, n)",
        "w = '__GLOBALS__'\nn = w.lower()\nreturn getattr(f, n)",
        "n = '__glXobals__'.replace('X', '')\nreturn getattr(f, n)",
        "n = str.lower('__GLOBALS__')\nreturn getattr(f, n)",
        "parts = []\nparts.append('__glo')\nparts.append('bals__')\nn = ''.join(parts)\nreturn getattr(f, n)",
        "import operator\nreturn operator.attrgetter(''.join(['__glo', 'bals__']))(f)",
        "from operator import attrgetter as ag\nn = ''.join(['__glo', 'bals__'])\nreturn ag(n)(f)",
        "import operator\nn = operator.add('__glo', 'bals__')\nreturn operator.methodcaller(n)(f)",
        "n = ''.join(['__glo', 'bals__'])\ng = getattr\nreturn g(f, n)",
        "n = ''.join(['__glo', 'bals__'])\nreturn list(map(getattr, [f], [n]))",
        "import functools\nn = ''.join(['__glo', 'bals__'])\nreturn functools.partial(getattr, f)(n)",
        "def g(o, n): return getattr(o, n)\nreturn g(f, ''.join(['__glo', 'bals__']))",
        "g = lambda o, n: getattr(o, n)\nreturn g(f, n=''.join(['__glo', 'bals__']))",
        "def g(): return ''.join(['__glo', 'bals__'])\nn = g()\nreturn getattr(f, n)",
        "class A: ...\nx = A()\nx.n = ''.join(['__glo', 'bals__'])\ny = x\nreturn getattr(f, y.n)",
        "n = {'n': ''.join(['__glo', 'bals__'])}\nfor k, v in n.items(): getattr(f, v)",
        "try: raise KeyError('__glo', 'bals__')\nexcept KeyError as e: n = ''.join(e.args)\nreturn getattr(f, n)",
        "match ''.join(['__glo', 'bals__']):\n    case n: return getattr(f, n)",
        "for n in dir(f):\n    if n[2:4] == 'gl': return getattr(f, n)",
        "n = ''.join(['syste', 'm'])\nreturn vars(a)[n], a.__dict__[n]",
        "n = ''.join(['{0.__glo', 'bals__}'])\nreturn n.format(f)",
        "n = ''.join(['__glo', 'bals__'])\nreturn object.__getattribute__(f, n)",
        "import json\nreturn getattr(json.codecs, 'builtins')",
        "import json\nreturn vars(json.codecs)['sys']",
        "return getattr(a, 'f_' + b)",
    ],
)
async def test_names_made_at_run_time_are_found(problem: Problem, body: str) -> None:
    found = await findings(problem, body)
    assert any("the interpreter's internals" in each.message for each in found), found


@pytest.mark.parametrize(
    "body",
    [
        "return ', '.join(f'{n}={getattr(a, n)!r}' for n in b)",
        "n = '_' + b\nreturn getattr(a, n)",
        "n = f'{a.kind}_{b}'\nreturn getattr(a, n)",
        "n = b.replace('-', '_').lower()\nreturn getattr(a, n)",
        "n = 'on_' + ''.join(b)\nreturn getattr(a, n)",
        "n = '_'.join(b)\nreturn getattr(a, n)",
        "n = a.names.get('x') or b[0]\nreturn getattr(a, n)",
        "for n in ('_left', 'right'): setattr(a, n, getattr(b, n))",
        "for n in 'left right'.split(): setattr(a, n, getattr(b, n))",
        "names = {1: 'one', 2: 'two'}\nn = names[b]\nreturn getattr(a, n)",
        "return getattr(a, b + '_id'), getattr(a, f'{b}_count', 0), getattr(a, a.name)",
        "text = ''.join(reversed('abc')) + chr(b)\nreturn text + str(getattr(a, b))",
        "for k, v in vars(a).items(): setattr(b, k, v)",
        "from operator import attrgetter\nreturn sorted(a, key=attrgetter('name', 'size.width'))",
        "object.__setattr__(a, 'name', ''.join(b))\nreturn '{} {}'.format(a, b)",
        "def g(n): return getattr(a, n)\nreturn [g(n) for n in b], ''.join(['x', 'y'])",
    ],
)
async def test_a_name_from_outside_is_ordinary(problem: Problem, body: str) -> None:
    assert await findings(problem, body) == ()


async def test_computed_names_are_allowed_as_before() -> None:
    """Texts made in another function of the file do not permit it: each function is read for itself."""
    made = "n = ''.join(['__glo', 'bals_', '_'])\n    return getattr(a, n)"
    apart = f"def g(a, n):\n    return getattr(a, n)\n\ndef h():\n    n = ''.join(['a', 'b'])\n    return n\n\n{TEXT}"
    assert await findings(problem_about(f"def g(a):\n    {made}\n\n{TEXT}", "f"), made.replace("\n    ", "\n")) == ()
    assert await findings(problem_about(apart, "f"), made.replace("\n    ", "\n"))
