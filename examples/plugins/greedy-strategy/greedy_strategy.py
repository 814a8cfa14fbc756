"""A search strategy: continue from the best candidate so far, ten times at most."""

from certo.strategies import Ask, register, tried_above


@register("strategy", "greedy")
class Greedy:
    """Makes one candidate at a time and always continues from the one with the most merit.

    A strategy from a package gets no options, so `options` is None.
    """

    name = "greedy"

    def __init__(self, options=None):
        self.tries = 10

    async def pursue(self, bench):
        """Make candidates until one is good enough, the budget is spent, or ten were made."""
        for number in range(self.tries):
            history = [node for node in bench.tree if node.data.attempt is not None]
            best = max(history, key=lambda node: node.data.merit, default=bench.tree.root)
            # `past` tells the generator what was tried on the way to `best`, and why it failed.
            made = await bench.attempt(Ask(attempt=number, past=tried_above(best)))
            if bench.exhausted or (made is not None and bench.enough(made)):
                return
