from certo.testing import VerifierContract
from no_globals_verifier import no_globals


class TestNoGlobals(VerifierContract):
    good = "def half(n):\n    return n / 2\n"
    bad = "def half(n):\n    global N\n    N = n / 2\n    return N\n"

    def verifier(self):
        return no_globals
