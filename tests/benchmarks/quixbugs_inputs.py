"""Random inputs that respect what each QuixBugs program asks for, and what counts as the same answer.

The inputs are drawn from a seeded generator; the reference program says what is right, except where several answers
are (an order of a graph, a longest common subsequence, a root within epsilon), which are judged by what they must be.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

Draw = Callable[[random.Random, Any], tuple[Any, ...]]
"""Draws the arguments of one call, given the chance and the class of the programs' nodes."""


def integers(chance: random.Random, *, low: int = -9, high: int = 9, shortest: int = 0, longest: int = 8) -> list[int]:
    return [chance.randint(low, high) for _ in range(chance.randint(shortest, longest))]


def word(chance: random.Random, longest: int = 6, letters: str = "abc") -> str:
    return "".join(chance.choice(letters) for _ in range(chance.randint(0, longest)))


def nested(chance: random.Random, depth: int = 0) -> list[Any]:
    return [
        nested(chance, depth + 1) if chance.random() < 0.35 and depth < 3 else chance.randint(0, 9)
        for _ in range(chance.randint(0, 4))
    ]


def graph(chance: random.Random, node: Any, size: int, density: float, *, acyclic: bool = False) -> list[Any]:
    nodes = [node(number) for number in range(size)]
    for one in nodes:
        one.successors, one.predecessors, one.incoming_nodes, one.outgoing_nodes = [], [], [], []
    for source in range(size):
        for sink in range(size):
            if source != sink and chance.random() < density and (not acyclic or source < sink):
                nodes[source].successors.append(nodes[sink])
                nodes[source].outgoing_nodes.append(nodes[sink])
                nodes[sink].incoming_nodes.append(nodes[source])
                nodes[sink].predecessors.append(nodes[source])
    return nodes


def chain(chance: random.Random, node: Any, size: int, *, cyclic: bool = False) -> Any:
    nodes = [node(number) for number in range(size)]
    for one, following in pairwise(nodes):
        one.successor = following
    if cyclic and nodes:
        nodes[-1].successor = chance.choice(nodes)
    return nodes[0] if nodes else None


def two_nodes(chance: random.Random, node: Any) -> tuple[Any, ...]:
    nodes = graph(chance, node, chance.randint(1, 6), 0.25)
    return chance.choice(nodes), chance.choice(nodes)


def postfix(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    tokens: list[Any] = []
    depth, length = 0, chance.randint(1, 12)
    while len(tokens) < length or depth != 1:
        if depth < 2 or (chance.random() < 0.5 and len(tokens) < 12):
            tokens.append(float(chance.randint(1, 9)))
            depth += 1
        else:
            tokens.append(chance.choice("+-*/"))
            depth -= 1
    return (tokens,)


def infix(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    tokens: list[Any] = [chance.randint(0, 20)]
    for _ in range(chance.randint(0, 6)):
        tokens += [chance.choice("+-*/"), chance.randint(0, 20)]
    return (tokens,)


def nearly_sorted(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    k = chance.randint(0, 4)
    numbers = sorted(chance.sample(range(50), chance.randint(k, 9) + 1))
    mixed: list[int] = []
    for start in range(0, len(numbers), k + 1):
        block = numbers[start : start + k + 1]
        chance.shuffle(block)
        mixed += block
    return mixed, k


def palindrome(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    half = [chance.randint(1, 9)]
    half += [chance.choice([chance.randint(0, 9), 9, 9]) for _ in range(chance.randint(0, 3))]
    if chance.random() < 0.3:
        half = [9] * len(half)
    return (half + half[::-1],) if chance.random() < 0.5 else (half + half[:-1][::-1],)


def permutation(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    while True:
        numbers = chance.sample(range(20), chance.randint(2, 6))
        if numbers != sorted(numbers, reverse=True):
            return (numbers,)


def weighted_edges(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    size = chance.randint(2, 6)
    weights = chance.sample(range(1, 100), 40)
    edges = {(chance.randint(0, sink - 1), sink): weights.pop() for sink in range(1, size)}
    for source in range(size):
        for sink in range(source + 1, size):
            if (source, sink) not in edges and chance.random() < 0.5:
                edges[source, sink] = weights.pop()
    shuffled = list(edges.items())
    chance.shuffle(shuffled)
    return (dict(shuffled),)


def lengths(chance: random.Random, size: int) -> dict[tuple[int, int], int]:
    """Edge lengths, some negative, with no negative cycle: distances plus a potential."""
    potential = [chance.randint(-5, 5) for _ in range(size)]
    return {
        (source, sink): chance.randint(0, 9) + potential[source] - potential[sink]
        for source in range(size)
        for sink in range(size)
        if source != sink and chance.random() < 0.4
    }


def all_pairs(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    size = chance.randint(1, 6)
    return size, lengths(chance, size)


def one_source(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    edges = lengths(chance, chance.randint(2, 6))
    return 0, edges if any(0 in edge for edge in edges) else {**edges, (0, 1): 3}


def one_path(chance: random.Random, node: Any) -> tuple[Any, ...]:
    nodes = graph(chance, node, chance.randint(1, 6), 0.4)
    edges = {(source, sink): chance.randint(1, 9) for source in nodes for sink in source.successors}
    return edges, chance.choice(nodes), chance.choice(nodes)


def buckets(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    k = chance.randint(1, 9)
    return [chance.randint(0, k - 1) for _ in range(chance.randint(0, 12))], k


def with_rank(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    numbers = integers(chance, shortest=1, longest=9)
    return numbers, chance.randint(0, len(numbers) - 1)


def span(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    start = chance.randint(-3, 5)
    return start, start + chance.randint(0, 6), chance.randint(1, 4)


def ordering(chance: random.Random, node: Any) -> tuple[Any, ...]:
    nodes = graph(chance, node, chance.randint(1, 7), 0.35, acyclic=True)
    return (chance.sample(nodes, len(nodes)),)


def two_words(chance: random.Random, _node: Any) -> tuple[Any, ...]:
    return word(chance), word(chance)


DRAWS: dict[str, Draw] = {
    "bitcount": lambda c, _: (c.randint(0, 5000),),
    "breadth_first_search": two_nodes,
    "bucketsort": buckets,
    "depth_first_search": two_nodes,
    "detect_cycle": lambda c, n: (chain(c, n, c.randint(1, 7), cyclic=c.random() < 0.5),),
    "find_first_in_sorted": lambda c, _: (sorted(integers(c, longest=9)), c.randint(-10, 10)),
    "find_in_sorted": lambda c, _: (sorted(c.sample(range(-20, 20), c.randint(0, 9))), c.randint(-22, 22)),
    "flatten": lambda c, _: (nested(c),),
    "gcd": lambda c, _: (c.randint(0, 200), c.randint(0, 200)),
    "get_factors": lambda c, _: (c.randint(1, 500),),
    "hanoi": lambda c, _: (c.randint(0, 6), *c.sample([1, 2, 3], 2)),
    "is_valid_parenthesization": lambda c, _: (word(c, 8, "()"),),
    "kheapsort": nearly_sorted,
    "knapsack": lambda c, _: (c.randint(0, 30), [[c.randint(1, 15), c.randint(1, 30)] for _ in range(c.randint(0, 6))]),
    "kth": with_rank,
    "lcs_length": two_words,
    "levenshtein": lambda c, _: (word(c, 5), word(c, 5)),
    "lis": lambda c, _: (c.sample(range(50), c.randint(0, 9)),),
    "longest_common_subsequence": two_words,
    "max_sublist_sum": lambda c, _: (integers(c),),
    "mergesort": lambda c, _: (integers(c, longest=10),),
    "minimum_spanning_tree": weighted_edges,
    "next_palindrome": palindrome,
    "next_permutation": permutation,
    "pascal": lambda c, _: (c.randint(1, 9),),
    "possible_change": lambda c, _: (sorted(c.sample(range(1, 12), c.randint(0, 4))), c.randint(-3, 20)),
    "powerset": lambda c, _: (c.sample("abcdefg", c.randint(0, 5)),),
    "quicksort": lambda c, _: (integers(c, low=-5, high=5, longest=10),),
    "reverse_linked_list": lambda c, n: (chain(c, n, c.randint(0, 6)),),
    "rpn_eval": postfix,
    "shortest_path_length": one_path,
    "shortest_path_lengths": all_pairs,
    "shortest_paths": one_source,
    "shunting_yard": infix,
    "sieve": lambda c, _: (c.randint(1, 120),),
    "sqrt": lambda c, _: (float(c.randint(1, 500)) + c.random(), c.choice([0.5, 0.1, 0.01, 0.001])),
    "subsequences": span,
    "to_base": lambda c, _: (c.randint(1, 3000), c.randint(2, 36)),
    "topological_ordering": ordering,
    "wrap": lambda c, _: (word(c, 25, "ab c "), c.randint(1, 8)),
}


def chained(node: Any) -> list[Any]:
    """The values of a linked list, cut off where it is surely a cycle."""
    found: list[Any] = []
    while node is not None and len(found) < 50:
        found.append(node.value)
        node = node.successor
    return found


def is_subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(letter in rest for letter in short)


def is_topological(nodes: list[Any], answer: Any) -> bool:
    place = {node.value: number for number, node in enumerate(answer)}
    return sorted(place) == sorted(node.value for node in nodes) and all(
        place[node.value] < place[after.value] for node in nodes for after in node.outgoing_nodes
    )


SAME: dict[str, Callable[[tuple[Any, ...], Any, Any], bool]] = {
    "sqrt": lambda given, got, want: abs(got - given[0] ** 0.5) <= given[1] or abs(got - want) < 1e-12,
    "longest_common_subsequence": lambda given, got, want: (
        len(got) == len(want) and is_subsequence(got, given[0]) and is_subsequence(got, given[1])
    ),
    "powerset": lambda _, got, want: sorted(map(sorted, got)) == sorted(map(sorted, want)),
    "reverse_linked_list": lambda _, got, want: chained(got) == chained(want),
    "topological_ordering": lambda given, got, _: is_topological(given[0], got),
    "minimum_spanning_tree": lambda _, got, want: {frozenset(e) for e in got} == {frozenset(e) for e in want},
    "flatten": lambda _, got, want: list(got) == list(want),
    "kheapsort": lambda _, got, want: list(got) == list(want),
}


def same(name: str, given: tuple[Any, ...], got: Any, want: Any) -> bool:
    """Whether an answer is as good as the reference's; a truth is judged by its truth only."""
    if name in SAME:
        return SAME[name](given, got, want)
    return got == want and (isinstance(got, bool) == isinstance(want, bool))
