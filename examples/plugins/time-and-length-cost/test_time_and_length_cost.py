from certo.testing import CostContract
from time_and_length_cost import TimeAndLength


class TestTimeAndLength(CostContract):
    cheap = "def half(n):\n    return n / 2\n"
    dear = "def half(n):\n    n = n / 2\n    return n\n"

    def cost(self):
        return TimeAndLength
