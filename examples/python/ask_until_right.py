"""Ask a language model until a condition holds, and have it repair a program until the program runs.

Needs the key of the model, here in the environment variable OPENAI_API_KEY.
"""

from certo import AIGenerate, CodeFixer, RetryConfig, airetry, print_samples, wait


async def greet() -> str:
    """Ask for a greeting until it is short enough, and print the tree of answers."""
    call = AIGenerate("Greet $name.", name="Ada", model="openai:gpt-5-mini", config=RetryConfig(n_samples=2))
    await call.run()
    await airetry(lambda seen: len(seen.last_output) < 20, call, "Use fewer than 20 characters.")
    print_samples(call.samples)
    return call.last_output


async def write() -> str:
    """Have a program criticised and improved, three rounds at most, and print what it printed."""
    call = AIGenerate("Write a Python program that prints the first ten primes.", model="openai:gpt-5-mini")
    fixer = await CodeFixer(call, "CodeFixerRCI", num_rounds=3).run()
    print(fixer.evaluation.outcome.value, fixer.evaluation.stdout)
    return call.last_output


async def main() -> None:
    """Do both, one after the other."""
    await greet()
    await write()


if __name__ == "__main__":
    wait(main())
