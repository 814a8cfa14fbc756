// Which server is chosen of those that there are, and which Python makes one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lastWords, looksOffline } from "../../src/daemon/absence";
import { Crashes } from "../../src/daemon/crashes";
import { flawOf, leads, readProbe } from "../../src/daemon/pythons";
import { lastResort, resolve, versionIn, versionOfWheel } from "../../src/daemon/resolve";
import type { Found } from "../../src/daemon/resolve";

const SETTING = { command: "/opt/certo", version: "0.3.0" };
const OWN = { command: "/env/bin/python", version: "0.2.0", python: "/usr/bin/python3" };
const ON_PATH = { command: "/usr/bin/certo", version: "0.2.0" };
const NOTHING: Found = { setting: undefined, own: undefined, onPath: undefined, carried: "0.2.0" };

/** What is run of all that there is, or what else is done. */
function chosen(found: Partial<Found>): string {
    const decision = resolve({ ...NOTHING, ...found });
    return decision.kind === "run" ? `${decision.choice.reason}: ${decision.choice.command}` : decision.kind;
}

test("the user's setting counts most, then the extension's environment, then the path", () => {
    assert.equal(chosen({ setting: SETTING, own: OWN, onPath: ON_PATH }), "setting: /opt/certo");
    assert.equal(chosen({ own: OWN, onPath: ON_PATH }), "own: /env/bin/python");
    assert.equal(chosen({ onPath: ON_PATH }), "path: /usr/bin/certo");
});

test("a certo of another version on the path does not keep the extension from making an environment", () => {
    assert.equal(chosen({ onPath: { ...ON_PATH, version: "0.1.0" } }), "make");
    assert.equal(chosen({}), "make");
    assert.equal(lastResort({ ...ON_PATH, version: "0.1.0" })?.reason, "lastResort");
    assert.equal(lastResort(undefined), undefined);
});

test("an extension that carries no server takes the one on the path, whatever its version, or has none", () => {
    assert.equal(chosen({ carried: undefined, onPath: { ...ON_PATH, version: "9.0" } }), "path: /usr/bin/certo");
    assert.equal(chosen({ carried: undefined }), "none");
});

test("the extension's own environment is run isolated from the user's shell and the project", () => {
    const decision = resolve({ ...NOTHING, own: OWN });
    assert.ok(decision.kind === "run");
    assert.deepEqual(decision.choice.args, ["-I", "-m", "certo", "serve"]);
});

test("a version is read from what a program prints and from the name of a wheel", () => {
    assert.equal(versionIn("certo 0.2.0\n"), "0.2.0");
    assert.equal(versionIn("certo: not found"), "");
    assert.equal(versionOfWheel("certo-0.2.0-py3-none-any.whl"), "0.2.0");
    assert.equal(versionOfWheel("pip-25.0-py3-none-any.whl"), undefined);
});

test("a Python that the user has named is the only one; else the Python extension's comes first", () => {
    const named = leads({ setting: "/opt/python", extension: "/venv/bin/python", windows: false });
    assert.deepEqual(
        named.map((lead) => lead.command),
        ["/opt/python"],
    );
    const found = leads({ setting: "", extension: "/venv/bin/python", windows: true });
    assert.equal(found.at(0)?.from, "extension");
    assert.deepEqual(found.at(-1), { from: "path", command: "py", args: ["-3"] });
    assert.ok(leads({ setting: "", extension: undefined, windows: false }).every((lead) => lead.command !== "py"));
});

test("a Python will do when it is new enough and can make environments", () => {
    const of = (version: number[], lacks: string[] = []): string | undefined =>
        flawOf({ executable: "python", version, lacks })?.kind;
    assert.equal(of([3, 11, 0]), undefined);
    assert.equal(of([3, 14, 1]), undefined);
    assert.equal(of([4, 0, 0]), undefined);
    assert.equal(of([3, 10, 9]), "old");
    assert.equal(of([2, 7, 18]), "old");
    assert.equal(of([3, 12, 0], ["ensurepip"]), "lacks");
});

test("what a program prints that is no Python is not taken for one", () => {
    const answer = '{"version": [3, 12, 4], "executable": "/usr/bin/python3", "lacks": []}';
    assert.equal(readProbe(`a greeting\n${answer}\n`)?.executable, "/usr/bin/python3");
    for (const other of ["", "Python was not found", "[]", "{}", '{"version": "3", "executable": "x", "lacks": []}']) {
        assert.equal(readProbe(other), undefined, other);
    }
});

test("four crashes within three minutes are forgiven, and old ones forgotten", () => {
    const crashes = new Crashes();
    assert.ok([0, 1, 2, 3].every((second) => crashes.forgives(second * 1000)));
    assert.equal(crashes.forgives(4_000), false);
    assert.equal(crashes.forgives(10 * 60 * 1000), true);
});

test("of what pip prints, its errors are said", () => {
    const printed = [
        "Processing ./certo-0.2.0-py3-none-any.whl",
        "WARNING: Retrying after connection broken by NewConnectionError",
        "ERROR: Could not find a version that satisfies the requirement anyio>=4.9",
        "ERROR: No matching distribution found for anyio>=4.9",
    ];
    assert.equal(
        lastWords(printed),
        "Could not find a version that satisfies the requirement anyio>=4.9 No matching distribution found for anyio>=4.9",
    );
    assert.equal(looksOffline(printed), true);
    assert.equal(looksOffline(["ERROR: the disk is full"]), false);
    assert.equal(lastWords(["one", "two", ""]), "two");
    assert.equal(lastWords([]), "");
});
