"""The prepared session of pytest: what it keeps of the tests."""

from __future__ import annotations

from certo_worker.suite.session import without_values


def answers() -> tuple[object, ...]:
    """Return values as tests have them: Python keeps the small integer elsewhere than the others, from 3.14 on."""
    return 47, [4711, "four"], {}


def test_no_values_stay_in_code() -> None:
    code = answers.__code__
    kept = without_values(code)
    assert 47 in {*code.co_consts, *code.co_code[1::2]}
    assert 47 not in kept.co_code[1::2]
    assert set(kept.co_consts) == {None}
