from certo.testing import GeneratorContract
from halving_generator import Halving


class TestHalving(GeneratorContract):
    def generator(self):
        return Halving()
