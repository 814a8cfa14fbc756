"""A cost: the time that the tests took, and the number of lines of the file."""

from certo.costs import Cost


class TimeAndLength:
    """Adds up milliseconds and lines; of two candidates that pass, the one with the lower sum is better."""

    def __init__(self, per_second=1000):
        self.per_second = per_second

    async def price(self, candidate, report, problem):
        """Return the cost of a candidate that passed. `report` has the verdict of each check."""
        seconds = sum(verdict.tests.seconds for verdict in report.verdicts if verdict.tests is not None)
        lines = len(candidate.text.splitlines())
        return Cost(value=self.per_second * seconds + lines, unit="points", source="points for time and length")
