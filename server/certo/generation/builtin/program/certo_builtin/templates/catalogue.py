"""All repair templates, family by family."""

from __future__ import annotations

from typing import Tuple

from certo_builtin.templates import (
    bindings,
    branches,
    calls,
    conditions,
    handlers,
    ingredients,
    keys,
    leftovers,
    mappings,
    names,
    operators,
    returns,
    statements,
    values,
)
from certo_builtin.templates.template import Template

FAMILIES = (
    operators, values, names, calls, conditions, ingredients, statements, handlers, leftovers, bindings, branches,
    returns, keys, mappings,
)  # fmt: skip
CATALOGUE: Tuple[Template, ...] = tuple(template for family in FAMILIES for template in family.TEMPLATES)
