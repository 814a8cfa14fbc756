"""All components that every search may use."""

from __future__ import annotations

from typing import List

from certo_builtin.synthesis.components.collections import COLLECTIONS
from certo_builtin.synthesis.components.component import Component
from certo_builtin.synthesis.components.numbers import LOGIC, NUMBERS, OF_NUMBERS
from certo_builtin.synthesis.components.texts import TEXTS

COMPONENTS: List[Component] = [*COLLECTIONS, *OF_NUMBERS, *TEXTS, *NUMBERS, *LOGIC]
