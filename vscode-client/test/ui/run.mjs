// Runs journeys by their names, or all of them: installs VS Code where it is missing, builds, and tests.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { build } from "esbuild";

/** The longest go first, so that the others fill the time beside them. */
const LONG = ["host", "view", "editing", "settings", "folders", "retry"];

const CLIENT = join(import.meta.dirname, "../..");

const { values, positionals: names } = parseArgs({
    options: {
        vsix: { type: "boolean" },
        themes: { type: "string" },
        width: { type: "string" },
        pictures: { type: "boolean" },
        "build-only": { type: "boolean" },
        "at-once": { type: "string", default: String(Math.min(2, availableParallelism())) },
    },
    allowPositionals: true,
});

function run(command, args, env = {}) {
    const { status } = spawnSync(command, args, { cwd: CLIENT, stdio: "inherit", env: { ...process.env, ...env } });
    if (status !== 0) process.exit(status ?? 1);
}

const packaged =
    values.vsix === true ||
    names.length === 0 ||
    ["packaged", "demo", "newcomer", "upgrade"].some((name) => names.includes(name));
run("node", ["test/ui/install.mjs"]);
if (packaged && values["build-only"] !== true) run("npm", ["run", "--silent", "package"]);
run("node", ["esbuild.mjs", "--tests"]);

// In one process, for those that are played one after the other share a browser.
const rank = (name) => (LONG.includes(name) ? LONG.indexOf(name) : LONG.length);
const known = readdirSync(join(CLIENT, "test/ui"))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => name.replace(".test.ts", ""));
const strangers = names.filter((name) => !known.includes(name));
if (strangers.length > 0)
    throw new Error(`There is no journey of the name ${strangers.join(" or ")}; known: ${known.join(", ")}.`);
const journeys = (names.length === 0 ? known : names).sort((one, other) => rank(one) - rank(other));
const together = join(CLIENT, "dist/test/ui/journeys.js");
await build({
    stdin: {
        contents: [
            'import { describe } from "node:test";',
            `describe("journeys", { concurrency: ${Number(values["at-once"])} }, () => {`,
            ...journeys.map((name) => `require("./${name}.test");`),
            "});",
        ].join("\n"),
        resolveDir: join(CLIENT, "test/ui"),
    },
    ...{ bundle: true, platform: "node", format: "cjs", target: "node20", sourcemap: "linked" },
    ...{ external: ["playwright-core"], outfile: together, logLevel: "warning" },
});
// Somebody else plays them, with what the variables below say.
if (values["build-only"] === true) process.exit(0);
run("node", ["--enable-source-maps", "--test-reporter=spec", together], {
    ...(values.pictures === true ? { CERTO_UI_PICTURES: join(CLIENT, "media/pictures") } : {}),
    ...(packaged ? { CERTO_UI_VSIX: join(CLIENT, "dist/certo.vsix") } : {}),
    ...(values.themes === undefined ? {} : { CERTO_UI_THEMES: values.themes }),
    ...(values.width === undefined ? {} : { CERTO_UI_WIDTH: values.width }),
});
