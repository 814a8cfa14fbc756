from till.coins import COINS, change


def test_nothing_is_due() -> None:
    assert change(0) == []


def test_one_coin_is_enough() -> None:
    assert change(50) == [50]


def test_large_coins_come_first() -> None:
    assert change(388) == [200, 100, 50, 20, 10, 5, 2, 1]


def test_a_coin_may_be_needed_twice() -> None:
    assert change(44) == [20, 20, 2, 2]


def test_the_coins_add_up() -> None:
    assert all(sum(change(due)) == due for due in range(sum(COINS)))
