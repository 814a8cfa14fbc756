"""Names of attributes that a candidate has from somewhere else than its parameters, in however many ways.

Each attack hides what it says from a reading; none may get an attribute by it. What is ordinary passes.
"""

from __future__ import annotations

import pytest

from certo.verification.static.policy import PolicyOptions, PolicyVerifier
from certo.vocabulary.verdict import Finding
from support.search.rewrites import problem_about, with_body

TEXT = '''\
import os, json, inspect
import cosmos_lib

SEP = "|".join([os.sep, json.dumps(1), inspect.getdoc(json) or ""])


def f(a, b=0):
    """Doc."""
    pass
'''


async def findings(body: str) -> tuple[Finding, ...]:
    problem = problem_about(TEXT, "f")
    candidate = with_body(problem, body.replace("\n", "\n    "))
    return (await PolicyVerifier(PolicyOptions()).judge(candidate, problem)).findings


DECODED = [
    "import codecs\nn = codecs.decode('__tybonyf__', 'rot13')\nreturn getattr(f, n)",
    "from codecs import decode as d\nn = d('__tybonyf__', 'rot13')\nreturn getattr(f, n)",
    "from urllib.parse import unquote\nn = unquote('%5f%5fglobals%5f%5f')\nreturn getattr(f, n)",
    "import html\nn = html.unescape('&#95;&#95;globals&#95;&#95;')\nreturn getattr(f, n)",
    r"""import ast
n = ast.literal_eval("'\\x5f\\x5fglobals\\x5f\\x5f'")
return getattr(f, n)""",
    r"""n = json.loads('"\\u005f_globals_\\u005f"')
return getattr(f, n)""",
    "from base64 import b64decode as d\nn = d('X19nbG9iYWxzX18=').decode()\nreturn getattr(f, n)",
    "from struct import pack as p\nn = p('>H', 24415).decode()\nreturn getattr(f, n)",
    "from array import array\nn = array('B', [95, 95]).tobytes().decode()\nreturn getattr(f, n)",
    "n = (24415).to_bytes(2, 'big').decode()\nreturn getattr(f, n)",
    "n = b''.fromhex('5f5f').decode()\nreturn getattr(f, n)",
    "n = type(b'')([95, 95]).decode()\nreturn getattr(f, n)",
    "c = bytes\nn = c([95, 95]).decode()\nreturn getattr(f, n)",
    "n = str(bytes([95, 95]), 'ascii')\nreturn getattr(f, n)",
    "n = '%s' % bytes([95, 95])\nreturn getattr(f, n)",
    "return getattr(f, b'__globals__'.decode())",
]
CUT = [
    "n = '__globals__x'.translate({120: None})\nreturn getattr(f, n)",
    "n = 'xf_globalsx'.split('x')[1]\nreturn getattr(f, n)",
    "n = 'f_back,f_globals'.split(',')[0]\nreturn getattr(f, n)",
    "n = SEP[1:3] + SEP[2:8]\nreturn getattr(f, n)",
    "n = SEP[3] + SEP[5] + SEP[1]\nreturn getattr(f, n)",
    "n = ''.join(SEP[i] for i in (3, 1, 4))\nreturn getattr(f, n)",
    "import string\ns = string.ascii_lowercase\nn = s[6] + s[11]\nreturn getattr(f, n)",
    "n = f.__doc__[1:4]\nreturn getattr(a, n)",
    "n = object.__doc__.lower()\nreturn getattr(a, n)",
    "n = repr(f)[1:9]\nreturn getattr(a, n)",
    "n = str(type(f))[8:10] + str(f)[1:3]\nreturn getattr(a, n)",
    "n = int.__name__ + str.__name__\nreturn getattr(a, n)",
    "n = str(None)[0] + str(True)[1]\nreturn getattr(a, n)",
    "try: f.q\nexcept AttributeError as e: n = str(e)[3:9]\nreturn getattr(a, n)",
    "n = ''.join(x[0] for x in ('gx', 'lx'))\nreturn getattr(f, n)",
    "n = b[3] + b[1] + b[2]\nreturn getattr(f, n)",
    "n = min(b) + max(b)\nreturn getattr(f, n)",
    "n = b.replace('x', '__glo').replace('y', 'bals__')\nreturn getattr(f, n)",
    "n = b.replace('x', '__glo') + 'bals__'\nreturn getattr(f, n)",
]
NAMED = [
    "n = ''.join(dict(__glo=1, bals__=2))\nreturn getattr(f, n)",
    "def g(**k): return ''.join(k)\nn = g(__glo=1, bals__=2)\nreturn getattr(f, n)",
    "def g(n='__glo', m='bals__'): return getattr(f, n + m)\nreturn g()",
    "class __globals__: ...\nreturn getattr(f, __globals__.__name__)",
    "return getattr(f, next(iter(dict(__globals__=1))))",
    "__globals__ = 1\nn = [*locals()][-1]\nreturn getattr(f, n)",
    "n = cosmos_lib.joined('__glo', 'bals__')\nreturn getattr(f, n)",
    "n = a.joined('__glo', 'bals__')\nreturn getattr(f, n)",
]
AMONG_ALL = [
    "for n in vars(type(f)):\n    if len(n) == 11: return getattr(f, n)",
    "for n, v in vars(type(f)).items():\n    if len(n) == 11: return v.__get__(f)",
    "v = [*type(f).__dict__.values()][4]\nreturn v.__get__(f)",
    "class A:\n    def f(self): ...\nfor n in vars(A): getattr(a, n)",
    "v = [*vars(type(f)).values()][4]\nreturn type(v).__get__(v, f)",
    "for n in a.__class__.__dict__: getattr(a, n)",
    "return [v for k, v in inspect.getmembers(f) if len(k) == 11]",
    "return inspect.getclosurevars(f).globals",
    "return inspect.getmodule(f)",
    "return vars(json.codecs).get('sys')",
    "return [v for k, v in vars(json.codecs).items() if len(k) == 3][0].modules",
]
SHADOWED = [
    "[bytes for bytes in ()]\nn = bytes([95, 95]).decode()\nreturn getattr(f, n)",
    "def g(dir): ...\nfor n in dir(f):\n    if n[2:4] == 'gl': return getattr(f, n)",
    "class A:\n    def bytes(self, x): return self\nn = bytes([95, 95]).decode()\nreturn getattr(f, n)",
    "cosmos_lib.g(SEP=a)\nn = SEP[1:3]\nreturn getattr(f, n)",
    "[SEP for SEP in ()]\nn = SEP[1:3]\nreturn getattr(f, n)",
    "global SEP\nn = SEP[1:3]\nSEP = a\nreturn getattr(f, n)",
    "if a: return ''.join(['__glo', 'bals__'])\nn = f(1)\nreturn getattr(f, n)",
]
RENAMED = [
    f"n = ''.join(['__glo', 'bals__'])\n{fetched}"
    for fetched in (
        "return getattr(*(f, n))",
        "for g in [getattr]: return g(f, n)",
        "if g := getattr: return g(f, n)",
        "g, h = getattr, 1\nreturn g(f, n)",
        "a.g = getattr\nreturn a.g(f, n)",
        "def g(h=getattr): return h(f, n)\nreturn g()",
        "return [g(f, n) for g in (getattr,)]",
        "return {'g': getattr}['g'](f, n)",
    )
]
OTHER_WAYS = [
    "n = 'sys'\nreturn getattr(json.codecs, n)",
    "import operator\nreturn operator.attrgetter('gi_frame.f_back')(a)",
    "import operator\nn = ''.join(['__glo', 'bals__'])\nreturn operator.methodcaller('__getattribute__', n)(f)",
    "return '{0.gi_frame.f_back}'.format(a)",
    "return '{0.codecs.sys.modules}'.format(json)",
    "import string\nn = ''.join(['{0.__glo', 'bals__}'])\nreturn string.Formatter().format(n, f)",
    "import string\nn = ''.join(['0.__glo', 'bals__'])\nreturn string.Formatter().get_field(n, [f], {})",
    "n = ''.join(['{0.__glo', 'bals__}'])\nreturn str.format(n, f)",
    "n = ''.join(['{0.__glo', 'bals__}'])\ng = n.format\nreturn g(f)",
    "n = ''.join(['{0.__glo', 'bals__}'])\nreturn list(map(str.format, [n], [f]))",
    "class P:\n    __match_args__ = (''.join(['__glo', 'bals__']),)\nmatch f:\n    case P(x): return x",
    "P = type('P', (), {'__match_args__': (''.join(['__glo', 'bals__']),)})\nmatch f:\n    case P(x): return x",
    "n = ''.join(['__glo', 'bals__'])\nP = type('P', (), dict(__match_args__=(n,)))\nreturn P",
]

HIDDEN = [
    "setattr(a, 'n', ''.join(['__glo', 'bals__']))\nreturn getattr(f, a.n)",
    "class A:\n    @property\n    def n(self): return ''.join(['__glo', 'bals__'])\nreturn getattr(f, A().n)",
    "return ('{0.' + ''.join(['__glo', 'bals__']) + '}').format(f)",
    "p = ''.join(['__glo', 'bals__'])\nn = '{0.' + p + '}'\nreturn n.format(f)",
    "g = str.format\nreturn g(''.join(['{0.__glo', 'bals__}']), f)",
    "return ('{0.' + ''.join(['__glo', 'bals__']) + '}').format_map([f])",
    "return getattr('x{0.' + ''.join(['__glo', 'bals__']) + '}', 'format')(f)",
    "import operator\nreturn operator.methodcaller('format', f)('x{0.' + ''.join(['__glo', 'bals__']) + '}')",
    "n = f'{\"__globals__x\":.11}'\nreturn getattr(f, n)",
    "n = f'{\"\":_<2}{b:_<9}'\nreturn getattr(f, n)",
    'n = f\'{"globals":{"_"}^11}\'\nreturn getattr(f, n)',
    "a.__dict__['n'] = ''.join(['__glo', 'bals__'])\nreturn getattr(f, a.n)",
    "d = a.__dict__\nd['n'] = ''.join(['__glo', 'bals__'])\nreturn getattr(f, b.n)",
    "vars(a).update(n=''.join(['__glo', 'bals__']))\nreturn getattr(f, b.n)",
    "a.__setattr__('n', ''.join(['__glo', 'bals__']))\nreturn getattr(f, b.n)",
    "class A:\n    def __enter__(self): return ''.join(['__glo', 'bals__'])\n"
    "    def __exit__(self, *a): ...\nwith A() as n: return getattr(f, n)",
    "class A:\n    def __iter__(self): yield ''.join(['__glo', 'bals__'])\nfor n in A(): return getattr(f, n)",
    "class A:\n    def __getattr__(self, n): return ''.join(['__glo', 'bals__'])\nreturn getattr(f, A().x)",
    "def deco(g): return ''.join(['__glo', 'bals__'])\n@deco\ndef n(): ...\nreturn getattr(f, n)",
    "def deco(g): return ''.join(['__glo', 'bals__'])\n@deco\nclass n: ...\nreturn getattr(f, n)",
    "from dataclasses import dataclass\n@dataclass\nclass A:\n    n: str = ''.join(['__glo', 'bals__'])\n"
    "return getattr(f, A().n)",
    "class A: n = property(lambda self: ''.join(['__glo', 'bals__']))\nreturn getattr(f, A().n)",
    "from functools import cached_property\nclass A:\n    @cached_property\n"
    "    def n(self): return ''.join(['__glo', 'bals__'])\nreturn getattr(f, A().n)",
    "def g():\n    n = yield\n    yield getattr(f, n)\nh = g()\nnext(h)\nreturn h.send(''.join(['__glo', 'bals__']))",
    "return sorted([''.join(['__glo', 'bals__'])], key=lambda n: getattr(f, n))",
    "def key(n): return getattr(f, n)\nreturn max([''.join(['__glo', 'bals__'])], key=key)",
    "A = type('A', (), dict([('__match_args__', (''.join(['__glo', 'bals__']),))]))\nmatch f:\n    case A(x): return x",
    "try: {}[''.join(['__glo', 'bals__'])]\nexcept KeyError as e: return getattr(f, e.args[0])",
    "class A:\n    def put(self, other): other.n = ''.join(['__glo', 'bals__'])\nA().put(a)\nreturn getattr(f, a.n)",
    "k = cosmos_lib\nk.n = ''.join(['__glo', 'bals__'])\nreturn getattr(f, cosmos_lib.n)",
]


@pytest.mark.parametrize("body", [*DECODED, *CUT, *NAMED, *AMONG_ALL, *SHADOWED, *RENAMED, *OTHER_WAYS, *HIDDEN])
async def test_unreadable_names_are_refused(body: str) -> None:
    found = await findings(body)
    assert any("the interpreter's internals" in each.message for each in found), found


@pytest.mark.parametrize(
    "body",
    [
        "n = type(b).__name__.lower()\nreturn getattr(a, n)",
        "n = f'visit_{b.__class__.__name__}'\nreturn getattr(a, n)",
        "n = b[0].upper() + b[1:]\nreturn getattr(a, n)",
        "n = '_'.join(b.split('.')[1:])\nreturn getattr(a, n)",
        "n = os.path.basename(b).replace('.', '_')\nreturn getattr(a, n)",
        "n = getattr(a, 'name', 'size')\nreturn getattr(b, n)",
        "for n in cosmos_lib.fields(a): setattr(b, n.name, getattr(a, n.name))",
        "n = cosmos_lib.NAMES[b]\nreturn getattr(a, n)",
        "n = cosmos_lib.name_of(b)\nreturn getattr(a, n)",
        "c = cosmos_lib.Copy.__new__(cosmos_lib.Copy)\nc.__dict__.update(a.__dict__)\nreturn c",
        "return type(a).__dict__['name'], 'x' in vars(type(a)), vars(a)[b]",
        "text = 'one {} of'.format(a)\nreturn text + ' {}', '{0.size}'.format(b)",
        "import textwrap\nreturn textwrap.dedent('a {}').format(a)",
        "from gettext import gettext as _\nreturn _('no such file: {name}').format(name=a)",
        "a.n = ''.join(['x', 'y'])\nreturn getattr(a, b), '{}'.format(b), b.format(a)",
        "print(a, ''.join(['x', 'y']))\nfor n in ('x', 'y'): setattr(a, n, getattr(b, n))",
        "if not b: raise ValueError(''.join(['x', 'y']))\nreturn getattr(a, b.name)",
        "n = f'{len(b):>4d} {a:_<20}'\nreturn n, getattr(a, b.name)",
        "__tracebackhide__ = True\nreturn dict(kind=a, name=b)",
    ],
)
async def test_names_of_parameters_pass(body: str) -> None:
    assert await findings(body) == ()


async def test_nested_calls_are_read_once() -> None:
    """Reading each part several times would take years."""
    for nested in ("str(" * 80 + "b" + ")" * 80, "b" + ".strip(b)" * 80, "cosmos_lib.g(" * 80 + "b" + ")" * 80):
        assert await findings(f"n = {nested}\nreturn getattr(a, n)") == ()
