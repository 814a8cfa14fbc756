"""All repair templates, family by family."""

from __future__ import annotations

from typing import Tuple

from certo_builtin.repair.templates import (
    bindings,
    calls,
    conditions,
    control_flow,
    conversions,
    guards,
    handlers,
    local_values,
    loop_leftovers,
    mappings,
    names,
    none_values,
    operators,
    project_calls,
    returns,
    sort_keys,
    statements,
    tables,
    values,
)
from certo_builtin.repair.templates.template import Template

FAMILIES = (
    operators, values, names, calls, conditions, local_values, statements, handlers, loop_leftovers, bindings,
    control_flow, returns, sort_keys, mappings, none_values, tables, project_calls, guards, conversions,
)  # fmt: skip
CATALOGUE: Tuple[Template, ...] = tuple(template for family in FAMILIES for template in family.TEMPLATES)
