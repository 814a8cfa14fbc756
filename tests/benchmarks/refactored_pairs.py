# ruff: noqa: E501 - each text is one line, so that both versions stand beside each other
"""Functions, each with a refactoring of it that keeps what it does; written by hand for `differences.py`.

Each row has the name of the function and two texts of its module.
"""

from __future__ import annotations

_HEAD = "from __future__ import annotations\n\n"

_PAIRS = {
    "total": (
        "def total(xs: list[int]) -> int:\n    result = 0\n    for x in xs:\n        result = result + x\n    return result\n",
        "def total(xs: list[int]) -> int:\n    return sum(xs)\n",
    ),
    "evens": (
        "def evens(xs: list[int]) -> list[int]:\n    found = []\n    for x in xs:\n        if x % 2 == 0:\n            found.append(x)\n    return found\n",
        "def evens(xs: list[int]) -> list[int]:\n    return [x for x in xs if not x % 2]\n",
    ),
    "sign": (
        "def sign(n: int) -> int:\n    if n > 0:\n        return 1\n    elif n < 0:\n        return -1\n    else:\n        return 0\n",
        "def sign(n: int) -> int:\n    return (n > 0) - (n < 0)\n",
    ),
    "clamp": (
        "def clamp(n: int, low: int, high: int) -> int:\n    if n < low:\n        n = low\n    if n > high:\n        n = high\n    return n\n",
        "def clamp(n: int, low: int, high: int) -> int:\n    return min(max(n, low), high)\n",
    ),
    "words": (
        "def words(text: str) -> dict[str, int]:\n    counts = {}\n    for word in text.split():\n        if word in counts:\n            counts[word] += 1\n        else:\n            counts[word] = 1\n    return counts\n",
        "def words(text: str) -> dict[str, int]:\n    counts = {}\n    for word in text.split():\n        counts[word] = counts.get(word, 0) + 1\n    return counts\n",
    ),
    "initials": (
        "def initials(name: str) -> str:\n    result = ''\n    for part in name.split():\n        result += part[0].upper()\n    return result\n",
        "def initials(name: str) -> str:\n    return ''.join(part[0].upper() for part in name.split())\n",
    ),
    "palindrome": (
        "def palindrome(text: str) -> bool:\n    for i in range(len(text) // 2):\n        if text[i] != text[len(text) - 1 - i]:\n            return False\n    return True\n",
        "def palindrome(text: str) -> bool:\n    return text == text[::-1]\n",
    ),
    "flatten": (
        "def flatten(rows: list[list[int]]) -> list[int]:\n    out = []\n    for row in rows:\n        for x in row:\n            out.append(x)\n    return out\n",
        "def flatten(rows: list[list[int]]) -> list[int]:\n    return [x for row in rows for x in row]\n",
    ),
    "factorial": (
        "def factorial(n: int) -> int:\n    if n < 0:\n        raise ValueError('negative')\n    if n > 50:\n        raise ValueError('large')\n    return 1 if n == 0 else n * factorial(n - 1)\n",
        "def factorial(n: int) -> int:\n    if n < 0:\n        raise ValueError('negative')\n    if n > 50:\n        raise ValueError('large')\n    result = 1\n    for i in range(2, n + 1):\n        result *= i\n    return result\n",
    ),
    "fibonacci": (
        "def fibonacci(n: int) -> list[int]:\n    out = []\n    a, b = 0, 1\n    while len(out) < min(n, 60):\n        out.append(a)\n        a, b = b, a + b\n    return out\n",
        "def fibonacci(n: int) -> list[int]:\n    out = []\n    a, b = 0, 1\n    for _ in range(min(n, 60)):\n        out.append(a)\n        a, b = b, a + b\n    return out\n",
    ),
    "unique": (
        "def unique(xs: list[str]) -> list[str]:\n    seen = []\n    for x in xs:\n        if x not in seen:\n            seen.append(x)\n    return seen\n",
        "def unique(xs: list[str]) -> list[str]:\n    return list(dict.fromkeys(xs))\n",
    ),
    "first": (
        "def first(xs: list[int], default: int | None = None) -> int | None:\n    if len(xs) == 0:\n        return default\n    return xs[0]\n",
        "def first(xs: list[int], default: int | None = None) -> int | None:\n    return xs[0] if xs else default\n",
    ),
    "leap": (
        "def leap(year: int) -> bool:\n    if year % 400 == 0:\n        return True\n    if year % 100 == 0:\n        return False\n    return year % 4 == 0\n",
        "def leap(year: int) -> bool:\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n",
    ),
    "grade": (
        "def grade(points: int) -> str:\n    if points >= 90:\n        return 'A'\n    if points >= 80:\n        return 'B'\n    if points >= 70:\n        return 'C'\n    return 'F'\n",
        "def grade(points: int) -> str:\n    for least, name in ((90, 'A'), (80, 'B'), (70, 'C')):\n        if points >= least:\n            return name\n    return 'F'\n",
    ),
    "inverted": (
        "def inverted(d: dict[str, int]) -> dict[int, str]:\n    out = {}\n    for key in d:\n        out[d[key]] = key\n    return out\n",
        "def inverted(d: dict[str, int]) -> dict[int, str]:\n    return {value: key for key, value in d.items()}\n",
    ),
    "pairs": (
        "def pairs(xs: list[int]) -> list[tuple[int, int]]:\n    out = []\n    for i in range(len(xs) - 1):\n        out.append((xs[i], xs[i + 1]))\n    return out\n",
        "def pairs(xs: list[int]) -> list[tuple[int, int]]:\n    return list(zip(xs, xs[1:]))\n",
    ),
    "chunks": (
        "def chunks(xs: list[int], n: int) -> list[list[int]]:\n    if n < 1:\n        raise ValueError('n')\n    out = []\n    while xs:\n        out.append(xs[:n])\n        xs = xs[n:]\n    return out\n",
        "def chunks(xs: list[int], n: int) -> list[list[int]]:\n    if n < 1:\n        raise ValueError('n')\n    return [xs[i:i + n] for i in range(0, len(xs), n)]\n",
    ),
    "countdown": (
        "def countdown(n: int):\n    while n > 0:\n        yield n\n        n -= 1\n",
        "def countdown(n: int):\n    yield from range(n, 0, -1)\n",
    ),
    "squares": (
        "def squares(xs: list[int]):\n    return (x * x for x in xs)\n",
        "def squares(xs: list[int]):\n    for x in xs:\n        yield x * x\n",
    ),
    "merge": (
        "def merge(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:\n    out = a.copy()\n    out.update(b)\n    return out\n",
        "def merge(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:\n    return {**a, **b}\n",
    ),
    "remove": (
        "def remove(xs: list[int], x: int) -> None:\n    while x in xs:\n        xs.remove(x)\n",
        "def remove(xs: list[int], x: int) -> None:\n    xs[:] = [each for each in xs if each != x]\n",
    ),
    "average": (
        "def average(xs: list[int]) -> float:\n    if not xs:\n        raise ValueError('nothing')\n    total = 0\n    for x in xs:\n        total += x\n    return total / len(xs)\n",
        "def average(xs: list[int]) -> float:\n    if len(xs) == 0:\n        raise ValueError('nothing')\n    return sum(xs) / len(xs)\n",
    ),
    "parse": (
        "def parse(text: str) -> int | None:\n    try:\n        return int(text)\n    except ValueError:\n        return None\n",
        "def parse(text: str) -> int | None:\n    try:\n        number = int(text)\n    except ValueError:\n        number = None\n    return number\n",
    ),
    "title": (
        "def title(text: str) -> str:\n    parts = []\n    for word in text.split(' '):\n        parts.append(word[:1].upper() + word[1:])\n    return ' '.join(parts)\n",
        "def title(text: str) -> str:\n    return ' '.join(word[:1].upper() + word[1:] for word in text.split(' '))\n",
    ),
    "any_negative": (
        "def any_negative(xs: list[float]) -> bool:\n    for x in xs:\n        if x < 0:\n            return True\n    return False\n",
        "def any_negative(xs: list[float]) -> bool:\n    return any(x < 0 for x in xs)\n",
    ),
    "longest": (
        "def longest(xs: list[str]) -> str:\n    best = ''\n    for x in xs:\n        if len(x) > len(best):\n            best = x\n    return best\n",
        "def longest(xs: list[str]) -> str:\n    return max(xs, key=len, default='')\n",
    ),
    "digits": (
        "def digits(n: int) -> int:\n    total = 0\n    n = abs(n)\n    while n:\n        total += n % 10\n        n //= 10\n    return total\n",
        "def digits(n: int) -> int:\n    return sum(int(digit) for digit in str(abs(n)))\n",
    ),
    "gcd": (
        "def gcd(a: int, b: int) -> int:\n    a, b = abs(a), abs(b)\n    if b == 0:\n        return a\n    return gcd(b, a % b)\n",
        "def gcd(a: int, b: int) -> int:\n    a, b = abs(a), abs(b)\n    while b:\n        a, b = b, a % b\n    return a\n",
    ),
    "binary": (
        "def binary(n: int) -> str:\n    if n < 0:\n        raise ValueError(n)\n    out = ''\n    while n:\n        out = str(n % 2) + out\n        n //= 2\n    return out or '0'\n",
        "def binary(n: int) -> str:\n    if n < 0:\n        raise ValueError(n)\n    return f'{n:b}'\n",
    ),
    "group": (
        "def group(xs: list[str]) -> dict[int, list[str]]:\n    out = {}\n    for x in xs:\n        if len(x) not in out:\n            out[len(x)] = []\n        out[len(x)].append(x)\n    return out\n",
        "def group(xs: list[str]) -> dict[int, list[str]]:\n    out = {}\n    for x in xs:\n        out.setdefault(len(x), []).append(x)\n    return out\n",
    ),
    "rotate": (
        "def rotate(xs: list[int]) -> list[int]:\n    if not xs:\n        return []\n    out = list(xs)\n    out.append(out.pop(0))\n    return out\n",
        "def rotate(xs: list[int]) -> list[int]:\n    return [*xs[1:], *xs[:1]]\n",
    ),
    "price": (
        "LIMIT = 100\n\n\ndef price(n: int, member: bool = False) -> float:\n    result = n * 2.5\n    if member:\n        result = result * 0.9\n    if result > LIMIT:\n        result = result - 5\n    return result\n",
        "LIMIT = 100\n\n\ndef price(n: int, member: bool = False) -> float:\n    result = n * 2.5 * 0.9 if member else n * 2.5\n    return result - 5 if result > LIMIT else result\n",
    ),
    "Stack.push": (
        "class Stack:\n    def __init__(self, items: list[int]):\n        self.items = list(items)\n\n    def push(self, x: int) -> int:\n        self.items.append(x)\n        return len(self.items)\n",
        "class Stack:\n    def __init__(self, items: list[int]):\n        self.items = list(items)\n\n    def push(self, x: int) -> int:\n        self.items += [x]\n        return len(self.items)\n",
    ),
    "area": (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Box:\n    width: int\n    height: int = 1\n\n\ndef area(boxes: list[Box]) -> int:\n    total = 0\n    for box in boxes:\n        total += box.width * box.height\n    return total\n",
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Box:\n    width: int\n    height: int = 1\n\n\ndef area(boxes: list[Box]) -> int:\n    return sum(box.width * box.height for box in boxes)\n",
    ),
    "colour": (
        "import enum\n\n\nclass Light(enum.Enum):\n    RED = 1\n    GREEN = 2\n    AMBER = 3\n\n\ndef colour(light: Light) -> Light:\n    if light is Light.RED:\n        return Light.GREEN\n    if light is Light.GREEN:\n        return Light.AMBER\n    return Light.RED\n",
        "import enum\n\n\nclass Light(enum.Enum):\n    RED = 1\n    GREEN = 2\n    AMBER = 3\n\n\ndef colour(light: Light) -> Light:\n    return {Light.RED: Light.GREEN, Light.GREEN: Light.AMBER}.get(light, Light.RED)\n",
    ),
    "fetch": (
        "async def fetch(n: int) -> int:\n    result = n\n    result += 1\n    return result\n",
        "async def fetch(n: int) -> int:\n    return n + 1\n",
    ),
    "shuffled": (
        "import random\n\n\ndef shuffled(xs: list[int]) -> list[int]:\n    out = xs[:]\n    random.shuffle(out)\n    return out\n",
        "import random\n\n\ndef shuffled(xs: list[int]) -> list[int]:\n    out = list(xs)\n    random.shuffle(out)\n    return out\n",
    ),
    "stamp": (
        "import time\n\n\ndef stamp(text: str) -> str:\n    now = int(time.time())\n    return str(now) + ' ' + text\n",
        "import time\n\n\ndef stamp(text: str) -> str:\n    return f'{int(time.time())} {text}'\n",
    ),
    "common": (
        "def common(a: list[int], b: list[int]) -> set[int]:\n    out = set()\n    for x in a:\n        if x in b:\n            out.add(x)\n    return out\n",
        "def common(a: list[int], b: list[int]) -> set[int]:\n    return set(a) & set(b)\n",
    ),
    "slug": (
        "import re\n\n\ndef slug(text: str) -> str:\n    text = text.lower()\n    text = re.sub(r'[^a-z0-9]+', '-', text)\n    text = text.strip('-')\n    return text\n",
        "import re\n\n_OTHER = re.compile(r'[^a-z0-9]+')\n\n\ndef slug(text: str) -> str:\n    return _OTHER.sub('-', text.lower()).strip('-')\n",
    ),
}  # fmt: skip

PAIRS = tuple((name, _HEAD + before, _HEAD + after) for name, (before, after) in _PAIRS.items())
"""Name, text before and text after the refactoring of each function."""
