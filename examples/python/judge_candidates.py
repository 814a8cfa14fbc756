"""Have a language model write a function, and judge its candidates by more than tests.

A candidate must pass a criterion in plain language and a check in Python. Of those that pass, the one that is easiest
to read wins. Needs the key of the model, here in the environment variable OPENAI_API_KEY.
"""

from certo import (
    LLM,
    Example,
    QualitativeCriteria,
    QuantitativeCriteria,
    RetryStrategy,
    Specification,
    Strategy,
    generate,
    wait,
)

writer = LLM("openai:gpt-5-mini")
judge = LLM("openai:gpt-5-mini")

careful = Strategy(
    max_iterations=5,
    num_candidates=3,
    verify=[
        QualitativeCriteria(
            "Handles empty input and says what is wrong with bad input.", judge, num_samples=3, min_pass=2
        ),
        lambda code: ("global" not in code, "do without global variables"),
    ],
    cost=QuantitativeCriteria("How hard is this to read? 0 is easy, 10 is hard.", judge),
    accept_cost_threshold=2.0,
)

initials = Specification(
    name="initials",
    description="The initials of a name, in capitals. Raise ValueError if the name is blank.",
    inputs={"name": str},
    output=str,
    examples=[Example(inputs={"name": "ada lovelace"}, output="AL")],
    strategy=careful,
    llm=writer,
)

# A model can also answer with a value of a type; an answer that does not fit is asked for again.
count = LLM("openai:gpt-5-mini", output_schema=int, retry_strategy=RetryStrategy(max_iterations=2), on_failure="raise")


async def main() -> None:
    """Print the best candidate with its cost, and a number that a model was asked for."""
    generated = await generate(initials)
    print(generated.source)
    print(generated.best.cost)
    print((await count("How many letters are in the English alphabet?")).value)


if __name__ == "__main__":
    wait(main())
