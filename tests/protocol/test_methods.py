"""The table of our own methods: each name once, each with the models it says."""

from __future__ import annotations

from certo.features.table import LISTENERS
from certo.protocol.methods import METHODS


def test_each_method_is_ours_and_unique() -> None:
    names = [method.name for method in METHODS]
    assert len(set(names)) == len(names)
    assert all(name.startswith("certo/") for name in names)


def test_a_notification_has_no_answer() -> None:
    assert [method.name for method in METHODS if method.notification and (method.result or method.refusal)] == []


def test_only_known_client_notifications_are_handled() -> None:
    told = {method.name for method in METHODS if method.sender == "client" and method.notification}
    assert {listener.method for listener in LISTENERS if listener.method.startswith("certo/")} == told
