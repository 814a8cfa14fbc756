"""The contracts' assertions explain themselves like those of test modules."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("contracts.chat_model", "contracts.executor", "contracts.warm")
