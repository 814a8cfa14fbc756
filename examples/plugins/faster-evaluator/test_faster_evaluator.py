from certo.testing import EvaluatorContract
from faster_evaluator import Faster


class TestFaster(EvaluatorContract):
    better = 'def half(n):\n    """\n    >>> half(4)\n    2.0\n    """\n    return n / 2\n'
    worse = 'def half(n):\n    """\n    >>> half(4)\n    2.0\n    """\n    n = n / 2\n    return n\n'

    def evaluator(self):
        return Faster
