from till.basket import Item, loyalty_points, receipt, total

FRUIT = [Item("apple", 30, quantity=3), Item("melon", 199)]


def test_one_of_three_is_free() -> None:
    assert total(FRUIT) == 60 + 199


def test_the_receipt_ends_with_the_total() -> None:
    assert receipt(FRUIT) == "3 x apple\n1 x melon\n£2.59"


def test_points_are_for_whole_pounds() -> None:
    assert [loyalty_points(pence) for pence in (250, 299, 300)] == [4, 4, 6]
