// The bundle has no code but ours and that of packages which package-lock.json lists with a hash.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { carried, licences, lockedPackages, unlocked } from "../carried.mjs";

const bundled = JSON.parse(readFileSync("dist/carried.json", "utf8"));

test("what was bundled is locked", () => {
    assert.ok(bundled.includes("node_modules/vscode-languageclient"));
    assert.deepEqual(unlocked(bundled, lockedPackages()), []);
});

test("the licences of what was bundled come with it", () => {
    const text = readFileSync("dist/LICENCES.txt", "utf8");
    for (const folder of bundled) assert.match(text, new RegExp(`^${folder.split("node_modules/").at(-1)} \\d`, "m"));
    assert.doesNotMatch(licences(bundled), /\(undefined\)|\n\n\n/);
    assert.match(readFileSync(".vscodeignore", "utf8"), /^!dist\/LICENCES\.txt$/m);
});

test("code without a package is refused", () => {
    assert.deepEqual(carried(["src/a.ts", "node_modules/@x/y/z.js", "node_modules/a/node_modules/b/c.js"]), [
        "node_modules/@x/y",
        "node_modules/a/node_modules/b",
    ]);
    assert.throws(() => carried(["src/a.ts", "../elsewhere/b.js"]), /unknown origin.*elsewhere/);
});

test("a package without a hash, or in another version, is named", () => {
    const packages = { "node_modules/a": { version: "1.0.0", integrity: "sha512-x" }, "node_modules/b": {} };
    assert.deepEqual(
        unlocked(["node_modules/a"], packages, () => "1.0.0"),
        [],
    );
    assert.equal(unlocked(["node_modules/a"], packages, () => "1.0.1").length, 1);
    assert.equal(unlocked(["node_modules/b", "node_modules/c"], packages).length, 2);
});
