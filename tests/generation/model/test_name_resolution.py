"""Names are followed through imports, annotations and calls to the definitions of the project."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from certo.generation.model.name_resolution import Modules, Resolver, scopes
from support.projects.projects import write_project

FILES = {
    "shop/__init__.py": "from .goods import Goods as Goods\nfrom .prices import *\n",
    "shop/prices.py": "RATE: int = 3\n\n\ndef price(goods):\n    return RATE\n",
    "shop/goods.py": """\
        class Thing:
            def weight(self):
                return 1


        class Goods(Thing):
            def __init__(self):
                self.inner = Thing()

            @property
            def twin(self) -> "Goods":
                return self

            def name(self):
                return ""


        def found() -> "Goods | None":
            return Goods()
        """,
}

CASES = {
    "from shop import Goods\nx = Goods": "Goods",
    "from shop import price\nx = price": "price",
    "import shop.goods\nx = shop.goods.found": "found",
    "import shop.goods as g\nx = g.found().name": "name",
    "from shop import goods\nx = goods.Thing": "Thing",
    "from shop.goods import found\nx = found().twin.weight": "weight",
    "from shop import Goods\nx = Goods().inner.weight": "weight",
    "from shop import Goods\ndef f(one: Goods, two):\n    x = one.name": "name",
    "from typing import Optional\nfrom shop import Goods\ndef f(one: Optional[Goods]):\n    x = one.name": "name",
    "from shop import Goods\ndef f():\n    one = Goods()\n    x = one.weight": "weight",
    "from shop import Goods\nclass Own(Goods):\n    def f(self):\n        x = self.name": "name",
    "async def f():\n    from shop.goods import found\n    x = (await found()).name": "name",
    "if True:\n    from shop.prices import RATE\nx = RATE": "RATE",
    # Nothing is known of these.
    "from shop import price\ndef f(price):\n    x = price": None,
    "from shop import Goods\ndef f(Goods=1):\n    for Goods in ():\n        x = Goods": None,
    "import os\nx = os.path": None,
    "from nowhere import thing\nx = thing": None,
    "from shop import Goods\nx = Goods().missing": None,
    "def f(one):\n    one = one.next\n    x = one": None,
}


@pytest.mark.parametrize(("text", "wanted"), CASES.items(), ids=map(repr, CASES))
def test_name_leads_to_its_definition(tmp_path: Path, text: str, wanted: str | None):
    write_project(tmp_path, FILES)
    modules = Modules(tmp_path, {tmp_path / "own.py": text})
    own = modules.at(tmp_path / "own.py")
    assert own is not None
    values = [
        (node.value, scope)
        for node, scope in scopes(own)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "x"
    ]
    [(value, scope)] = values
    found = Resolver(modules).expression(value, scope)
    if wanted is None:
        assert found is None
        return
    assert found is not None
    node = found.node
    assert isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AnnAssign)
    name = node.target.id if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else node.name
    assert name == wanted


@pytest.mark.parametrize("text", ["from loop import x", "from loop import *", "class A(A): pass\nx = A.y", "x = x.y"])
def test_circular_names_lead_nowhere(tmp_path: Path, text: str):
    modules = Modules(tmp_path, {tmp_path / "loop.py": f"{text}\nfrom loop import *\nz = x.w\n"})
    own = modules.at(tmp_path / "loop.py")
    assert own is not None
    found = [
        Resolver(modules).expression(node.value, scope) for node, scope in scopes(own) if isinstance(node, ast.Assign)
    ]
    assert found[-1] is None


@pytest.mark.parametrize("text", ["def (", "x = '\0'", "(" * 5000 + ")" * 5000], ids=["syntax", "nul", "deep"])
def test_unreadable_modules_are_left_out(tmp_path: Path, text: str):
    assert Modules(tmp_path, {tmp_path / "bad.py": text}).at(tmp_path / "bad.py") is None
