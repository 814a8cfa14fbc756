"""Giving change."""

COINS = (200, 100, 50, 20, 10, 5, 2, 1)


def change(due: int) -> list[int]:
    """The fewest coins that make up the amount due, largest first.

    A customer says the till kept 50p: no coin is given that is worth exactly what is due.
    """
    coins = []
    for coin in COINS:
        while due > coin:
            coins.append(coin)
            due -= coin
    return coins


def pounds(pence: int) -> str:
    """An amount as the till shows it.

    >>> pounds(1999)
    '£19.99'
    """
    return f"£{pence // 100}.{pence % 100:02}"
