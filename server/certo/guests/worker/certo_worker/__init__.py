"""certo's shell around a worker program: standard library only, Python 3.8 and later, nothing of certo imported."""

from typing import Any, List, Tuple

STAND_INS: List[Tuple[Any, str, str]] = []
"""Functions of ours in the place of some of the library, with the module and name of each of these."""
