"""What a customer buys."""

from dataclasses import dataclass

from till.coins import pounds


@dataclass(frozen=True)
class Item:
    """So many of one thing, at so many pence each."""

    name: str
    price: int
    quantity: int = 1


def total(basket: list[Item]) -> int:
    """What the basket costs; of every three of a thing, one is free."""
    return sum(item.price * (item.quantity - item.quantity // 3) for item in basket)


def receipt(basket: list[Item]) -> str:
    """One line for each thing in the basket, and the total."""
    lines = [f"{item.quantity} x {item.name}" for item in basket]
    return "\n".join([*lines, pounds(total(basket))])


def loyalty_points(pence: int) -> int:
    """The points for a purchase: 2 for every full 100 pence.

    >>> loyalty_points(99)
    0
    >>> loyalty_points(100)
    2
    >>> loyalty_points(1999)
    38
    """
    raise NotImplementedError
