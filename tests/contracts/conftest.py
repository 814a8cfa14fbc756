"""The contracts' assertions explain themselves like those of test modules."""

from __future__ import annotations

import pytest

_CONTRACTS = ("apart", "chat_model", "copies", "ending", "executor", "experiments", "warm")
pytest.register_assert_rewrite(*(f"contracts.{name}" for name in _CONTRACTS))
