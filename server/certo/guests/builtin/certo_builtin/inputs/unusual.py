"""Unusual values: those on which functions that agree on plain values differ most often.

They are lengths next to the numbers in the code, and the classes of values that lists of test inputs name: characters
beyond ASCII and without width, digits of other scripts, what is special in patterns and formats, numbers that no
comparison orders, the ends of number formats, of months and of years.
"""

from __future__ import annotations

import string
from typing import Any, Iterable, List, Sequence, Tuple

LONG = 600
"""Length of a very long text or list."""

MAX_LENGTH = 260
"""The largest number in the code that counts as a length."""

MAX_LENGTHS = 12
PLAIN_LENGTH = 4
"""Lengths up to this one are tried anyway."""

TEXTS = (
    "  ", "\n", "\t", "a\nb", "a\r\nb", "A", "AB", "Ab", "aB", "aa", "a a", " a ", "a  b", "a,b", "a-b_c",
    "1", "-1", "007", "1.5", "+1", "1e3", " 1", "1_0", "a1", "1a", "é", "É", "ß", "ǅ", "e\u0301", "İ", "ſ", "ı",
    "١٢", "²", "½", "Ⅷ", "中文", "😀", "a\u200db", "\xa0", "\u2028", "\x00", "\x1c", "\ud800",
    ".", ".*", "a.b", "[a](b)", "(", ")", "\\", "^$", "a+b", "a|b", "%s", "%", "{}", "{0}", "'", '"', "<a>", "&",
    "/", "a/b", "//", "..", "#", "@", "?", "!", "*", ";", ":", "=", "a=b", "None", "True", "nan", "2020-02-29",
)  # fmt: skip
FLAG = "bool("
"""Beginning of truth values in place of whole numbers, so that they are told from those where such are taken."""

WHOLE = ("bool(1)", "bool(0)", "1000", "-1000", "2147483648", "-2147483649", "9223372036854775808")
FRACTIONS = (
    "float('nan')", "float('inf')", "float('-inf')", "-0.0", "2.5", "3.5", "-0.5", "0.30000000000000004", "1e16",
    "5e-324", "1e-09", "1e+308", "9007199254740993.0",
)  # fmt: skip
BYTES = ("b''", "b'a'", "b'ab'", "b'\\x00'", "b'\\xff\\xfe'", "b' A'", "b'a\\nb'", "b'0'", "b'\\xc3\\xa9'")

DATES = (
    "2020, 1, 31", "2020, 2, 29", "1999, 12, 31", "2000, 1, 1", "2021, 2, 28", "2021, 3, 1", "2023, 4, 30",
    "2024, 12, 30", "1900, 2, 28", "1970, 1, 1", "1, 1, 1", "9999, 12, 31",
)  # fmt: skip
"""Ends and beginnings of months and years, leap days, and the first and the last day there is."""

TIMES = ("23, 59, 59", "0, 0", "12, 30", "23, 59, 59, 999999")

CALENDAR = (1, 12, 28, 29, 30, 31, 52, 53, 60, 365, 366, 1900, 2000, 2023, 2024)
"""Numbers that matter in code about dates."""

DATED = frozenset(("date", "datetime", "timedelta", "calendar", "strptime", "fromisoformat", "monthrange"))
"""Names in code about dates."""

MAX_EXACT = 2**31


def lengths_near(numbers: Iterable[int]) -> Tuple[int, ...]:
    """Return the lengths next to numbers in the code, which may be bounds of slices or of a length."""
    sizes = sorted({abs(number) for number in numbers if abs(number) <= MAX_LENGTH})
    found = dict.fromkeys(near for size in sizes for near in (size, size + 1, size - 1) if near > PLAIN_LENGTH)
    return tuple(found)[:MAX_LENGTHS]


def spelled(length: int) -> str:
    """Return a text of a length in which neighbours differ, so that each slice of it is another one."""
    letters = string.ascii_lowercase
    return (letters * (length // len(letters) + 1))[:length]


def dates(form: str, ends: Sequence[str] = ("",)) -> List[str]:
    """Return dates written in a form with a place for year, month and day; `ends` follow them in turn."""
    return [form.format(date + (", " + ends[place % len(ends)] if ends[0] else "")) for place, date in enumerate(DATES)]


def is_far_fetched(value: Any) -> bool:
    """True if hardly any caller gives such a value: no number, a huge one, or a character that is none."""
    kind = type(value)
    if kind is float:
        return bool(value != value or abs(value) > 1e300 or 0 < abs(value) < 1e-300)
    if kind is int:
        return bool(abs(value) >= MAX_EXACT)
    if kind is not str:
        return False
    return len(value) >= LONG or any(one == "\x00" or "\ud800" <= one <= "\udfff" for one in value)
