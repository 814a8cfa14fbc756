// The package that users install: small, and nothing in it that they have no use for.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { test } from "node:test";

import { PYTHON, VSIX } from "./places";

const MEBIBYTE = 1024 * 1024;

test("the package is small, and holds nothing of its making", () => {
    assert.ok(VSIX !== undefined, "only with --vsix");
    assert.ok(statSync(VSIX).size < 3 * MEBIBYTE);
    const names = execFileSync(PYTHON, ["-m", "zipfile", "--list", VSIX], { encoding: "utf8" });
    assert.match(names, /extension\/dist\/extension\.js/);
    assert.doesNotMatch(names, /node_modules|extension\/(src|test)\/|\.map\b|__pycache__/);
});
