from certo.testing import StrategyContract
from greedy_strategy import Greedy


class TestGreedy(StrategyContract):
    def strategy(self):
        return Greedy()
