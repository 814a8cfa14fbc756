"""An evaluator: of the candidates that pass, the one that executes the fewest lines of code wins.

It runs the examples of the function's docstring and counts lines instead of seconds, so that a busy machine does not
change the order. The code of a candidate never runs in this process: `evaluate_code` runs it in certo's sandbox. There
it is alone, so its file may import the standard library and nothing of the project.
"""

from textwrap import indent

from certo import evaluate_code

COUNTED = """
import sys

executed = 0

def count(frame, event, argument):
    global executed
    executed += event == "line"
    return count

def calls():
{examples}

sys.settrace(count)
calls()
sys.settrace(None)
executed
"""


class Faster:
    """Scores a candidate by the number of lines that the examples execute; more lines mean a lower score."""

    async def evaluate(self, candidate, problem):
        """Return the numbers for one candidate; `score` is the one that decides.

        Raises:
            ValueError: there is no example, or one of them fails. The score is then unknown, which is worse than any.
        """
        if not problem.examples:
            raise ValueError(f"{problem.target.qualname} has no example to run")
        examples = indent("\n".join(example.source.strip() for example in problem.examples), "    ")
        ran = await evaluate_code(candidate.text, suffix=COUNTED.format(examples=examples))
        if not ran:
            raise ValueError(f"the examples cannot be run: {ran.outcome.value}, {ran.error}")
        return {"score": -int(ran.output), "characters": len(candidate.text)}
