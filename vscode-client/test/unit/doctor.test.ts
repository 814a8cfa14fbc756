// The doctor's page: what is in the way stands out, and what helps can be copied.

import assert from "node:assert/strict";
import { test } from "node:test";

import { doctorPage } from "../../src/commands/doctorPage";
import type { Examination } from "../../src/commands/doctorPage";
import type { EnvironmentResult, Fact } from "../../src/protocol";

const l10n = { t: (message: unknown): string => String(message) };

function fact(health: Fact["health"], remedy = ""): Fact {
    return { subject: "pytest", health, says: "is <here>, in __init__", details: ["a detail"], remedy };
}

function found(facts: Fact[]): EnvironmentResult {
    return {
        version: "0.1.0",
        usable: true,
        root: { path: "/shop", why: "" },
        interpreter: null,
        testFiles: 1,
        isolation: null,
        settings: {},
        settingOrigins: { "search.seconds": "pyproject.toml [tool.certo]" },
        facts,
    };
}

function page(own: Fact[], places: Examination["places"] = []): string {
    return doctorPage({ own, models: [], places }, l10n);
}

test("the page says at its beginning what it comes to", () => {
    assert.match(page([fact("good")]), /^# .*\n\n✓/);
    assert.match(page([fact("good")], [{ name: "till", found: found([fact("lacking")]) }]), /^# .*\n\n!/);
    assert.match(page([fact("broken")]), /^# .*\n\n✗/);
    assert.match(page([fact("good")], [{ name: "till", found: "it has no file" }]), /^# .*\n\n✗/);
});

test("a remedy is a block of its own, as it has to be typed", () => {
    const remedy = "python -m pip install pytest_x";
    assert.match(page([fact("lacking", remedy)]), /\n {4}```\n {4}python -m pip install pytest_x\n {4}```/);
});

test("what is found is shown as it is, whatever Markdown would make of it", () => {
    assert.match(page([fact("good")]), /is `<here>`, in `__init__`/);
});

test("settings that are not as shipped are named with where they were set", () => {
    const shown = page([], [{ name: "till", found: found([]) }]);
    assert.match(shown, /`search\.seconds`: `pyproject\.toml \[tool\.certo\]`/);
});
