"""Repair templates: each has a name, the share of bugs of its kind, and the edits it proposes at a place.

The families of templates follow the literature: statement operators from GenProg (Le Goues et al., 2012), fix patterns
from PAR (Kim et al., 2013), condition synthesis and staged edits from SPR (Long and Rinard, 2015), and the classical
mutation operators of mutation testing. A template knows nothing of any particular program.
"""

from __future__ import annotations

import ast
from typing import Callable, Iterator, NamedTuple, Tuple

from certo_builtin.repair.context import RepairContext
from certo_builtin.source import Edit


class Change(NamedTuple):
    """One alternative at a place: the edits, and their weight among the template's alternatives there."""

    edits: Tuple[Edit, ...]
    weight: float = 1.0


class Template(NamedTuple):
    """Template of repairs: `name` is for the user; `prior` is the probability of such bugs relative to others.

    `find` yields the alternatives at one node of the function; it is called for every node.
    """

    name: str
    prior: float
    find: Callable[[RepairContext, ast.AST], Iterator[Change]]
