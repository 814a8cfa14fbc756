"""The tree of attempts: which one led to which, and how often it went well from each node on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any, Generic, TypeVar

from certo.vocabulary.records import dataclass

T = TypeVar("T")

SEPARATOR = "\n----------\n"
"""The line between the feedback of one node and the next."""


@dataclass(slots=True, eq=False, kw_only=True)
class Node(Generic[T]):
    """One attempt, or an idea for one, with the results of all that grew from it.

    `visits` counts how often this node or one below it was judged, `wins` adds up how well that went, from 0 to 1 each;
    `under_way` counts attempts from here or below that have no result yet. `feedback` is this node's alone. `success`
    is None until the node is judged.
    """

    id: int
    data: T
    parent: Node[T] | None = field(default=None, repr=False)
    children: list[Node[T]] = field(default_factory=list, repr=False)
    wins: float = 0.0
    visits: int = 0
    under_way: int = 0
    feedback: str = ""
    success: bool | None = None

    @property
    def is_leaf(self) -> bool:
        """True if nothing grew from it yet."""
        return not self.children

    @property
    def depth(self) -> int:
        """The number of nodes above it; 0 for the root."""
        return len(self.path) - 1

    @property
    def path(self) -> tuple[Node[T], ...]:
        """The nodes from the root to this one, both included."""
        upwards = [self]
        while upwards[-1].parent is not None:
            upwards.append(upwards[-1].parent)
        return tuple(reversed(upwards))

    @property
    def repeats(self) -> int:
        """The number of attempts from here that ended without a new node: visits not its own nor a child's."""
        own = 0 if self.success is None else 1
        return max(0, self.visits - own - sum(child.visits for child in self.children))

    def backpropagate(self, wins: float, visits: int = 1) -> None:
        """Add a result to this node and to every node above it (Coulom 2006)."""
        for node in self.path:
            node.wins += wins
            node.visits += visits

    def expect(self, tries: int = 1) -> None:
        """Count so many attempts more as under way from here; a negative number when they have ended.

        Until then they count as visits without a win, so that parallel attempts spread over the tree: the virtual loss
        of Chaslot, Winands and van den Herik (2008).
        """
        for node in self.path:
            node.under_way += tries

    def reset_success(self, *, success: bool | None = True) -> None:
        """Set the success of this node and of every node below it."""
        for node in before(self):
            node.success = success

    def collected_feedback(self, separator: str = SEPARATOR) -> str:
        """Return the feedback of the nodes from the root to this one, without those that have none."""
        return separator.join(node.feedback for node in self.path if node.feedback.strip())


class Tree(Generic[T]):
    """A tree with one root, whose nodes are found by number.

    Numbers count up from 0, the root's, in the order in which nodes were added.
    """

    def __init__(self, data: T) -> None:
        """Begin with a root that holds `data`."""
        self.root: Node[T] = Node(id=0, data=data)
        self._nodes = [self.root]

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node[T]]:
        """Yield all nodes, in the order they were added."""
        return iter(self._nodes)

    def __getitem__(self, number: int) -> Node[T]:
        """Return the node of this number.

        Raises:
            KeyError: there is none.
        """
        node = self.find(number)
        if node is None:
            raise KeyError(f"there is no node {number}; they go from 0 to {len(self) - 1}")
        return node

    def find(self, number: int) -> Node[T] | None:
        """Return the node of this number; None if there is none."""
        return self._nodes[number] if 0 <= number < len(self._nodes) else None

    def expand(self, parent: Node[T], data: T, *, success: bool | None = None, feedback: str = "") -> Node[T]:
        """Add a node below another one of this tree and return it."""
        node = Node(id=len(self._nodes), data=data, parent=parent, feedback=feedback, success=success)
        parent.children.append(node)
        self._nodes.append(node)
        return node

    def leaves(self) -> Iterator[Node[T]]:
        """Yield the nodes that nothing grew from, in the order they were added."""
        return (node for node in self._nodes if node.is_leaf)


def before(node: Node[T]) -> Iterator[Node[T]]:
    """Yield a node and all below it, each before its children (depth first, the oldest child first)."""
    waiting = [node]
    while waiting:
        yield (last := waiting.pop())
        waiting.extend(reversed(last.children))


def after(node: Node[T]) -> Iterator[Node[T]]:
    """Yield a node and all below it, each after its children (depth first, the oldest child first)."""
    waiting = [(node, False)]
    while waiting:
        last, below_done = waiting.pop()
        if below_done or last.is_leaf:
            yield last
        else:
            waiting.append((last, True))
            waiting.extend((child, False) for child in reversed(last.children))


def drawing(node: Node[T], said: Callable[[Node[Any]], str]) -> str:
    """Draw a node and all below it as text, each with the text that `said` returns for it."""
    lines = [said(node)]
    waiting = [(child, "", child is node.children[-1]) for child in reversed(node.children)]
    while waiting:
        child, margin, is_last = waiting.pop()
        first, *more = said(child).splitlines() or [""]
        below = margin + ("   " if is_last else "│  ")
        lines.append(margin + ("└─ " if is_last else "├─ ") + first)
        lines.extend(below + line for line in more)
        waiting.extend((each, below, each is child.children[-1]) for each in reversed(child.children))
    return "\n".join(lines)
