// Tests that are too weak to tell candidates apart: groups by behaviour, and the question that decides.

import assert from "node:assert/strict";

import type { Project } from "./project";
import { journey } from "./stage";
import { SEARCH } from "./waiting";

const FILE = "medians.py";

const HOLE = `def median(values: list[int]) -> float:
    """The middle of the values in order, or the mean of the two in the middle."""
    raise NotImplementedError
`;

const WEAK: Project = {
    name: "medians",
    files: {
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
        [FILE]: `"""Figures about figures."""\n\n\n${HOLE}`,
        "test_medians.py": `from medians import median


def test_one() -> None:
    assert median([5]) == 5


def test_two() -> None:
    assert median([2, 4]) == 3


def test_three() -> None:
    assert median([1, 2, 3]) == 2
`,
    },
};

const MEAN = "    return sum(values) / len(values)";
const MEDIANS = [
    `    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2`,
    `    import statistics

    return statistics.median(list(values))`,
];

/** What the model was asked. */
const questions: string[] = [];

/** The mean first, which the tests let pass, and then what is right, in two ways. */
function model(asked: string): string {
    const bodies = [MEAN, ...MEDIANS];
    const body = bodies[questions.push(asked) - 1] ?? MEDIANS[0] ?? "";
    return `\`\`\`python\n${HOLE.replace("    raise NotImplementedError\n", body)}\n\`\`\`\n`;
}

const SETTINGS = {
    "certo.search.concurrency": 1,
    "certo.search.strategy": "retry",
    "certo.retry.firstTry": false,
    "certo.retry.numCandidates": 3,
    "certo.retry.maxIterations": 1,
    "certo.retry.select": "cheapest",
};

journey("evidence", { projects: [WEAK], model, settings: SETTINGS }, async (window) => {
    questions.length = 0;
    // The view takes the focus, which the editor has to have.
    const view = await window.view();
    await window.openFile(FILE, "median(values");
    const row = (words: string | RegExp) => view.locator(".monaco-list-row").filter({ hasText: words }).first();

    await window.step("the mean does not win silently", async () => {
        await window.actions(/implement .median/);
        await window.choose(/implement .median/);
        await window.verified(FILE);
        await row(/2 of 3 agree/).waitFor({ timeout: SEARCH });
    });
    await window.step("the hover says what tells them apart", async () => {
        const card = await window.hover("2 of 3 candidates agree");
        assert.match(card, /median\(\[/);
    });
    await window.press("Escape");
    await window.step("one answer decides, and becomes an example", async () => {
        await window.run("certo.search.decide");
        await window.input.locator(".monaco-list-row", { hasText: "as #" }).first().click();
        await window.lens(FILE, /^Which/).waitFor({ state: "detached" });
        await window.verified(FILE);
        assert.match(questions.at(-1) ?? "", /median\(\[.*\]\)/u);
    });
});
