"""Repair a function of a project, look at the evidence, and apply the change.

Run it in the folder of a project: python repair_a_project.py tests/test_shop.py::test_total
"""

import sys

import anyio

from certo import AttemptsFailed, Project


async def main(target: str) -> None:
    """Search for a change that makes the target's tests pass, and apply it if it is verified."""
    async with Project(".") as project:
        async with project.search(target) as search:
            async for event in search:
                print(type(event).__name__)
            try:
                result = await search.result()
            except AttemptsFailed as failed:
                print(failed)
                return
            print(result.best.diff)
            if result.verified:
                print("applied to", await search.apply())
        strength = await project.strength(f"{result.path}::{result.qualname}")
        print(f"its tests notice {strength.noticed} of {strength.of} small changes")


if __name__ == "__main__":
    anyio.run(main, sys.argv[1])
