"""Have a language model write a function, see the evidence that it works, and call it.

Needs the key of the model, here in the environment variable OPENAI_API_KEY.
"""

from certo import LLM, Example, Runtime, Specification, Strategy, build, generate, wait

writer = LLM("openai:gpt-5-mini")

slugify = Specification(
    name="slugify",
    description="Make a slug of a title: lower-case words and numbers, joined by hyphens.",
    inputs={"title": str},
    output=str,
    examples=[Example(inputs={"title": "Hello, World!"}, output="hello-world")],
)


async def main() -> None:
    """Write the function once to look at it, and once more from the cache to call it."""
    async with Runtime(llm=writer, strategy=Strategy(num_candidates=3)):
        generated = await generate(slugify)
        print(generated.source, generated.verified, generated.spent.dollars)
        make_slug = await build(slugify)
        print(await make_slug(title="What is new?"))


if __name__ == "__main__":
    wait(main())
