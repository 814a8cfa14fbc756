// Bundles the extension, and with --tests its tests, into dist/. With --production small and without source maps.
import { build } from "esbuild";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { carried, licences, lockedPackages, unlocked } from "./carried.mjs";

const production = process.argv.includes("--production");

const common = {
    bundle: true,
    metafile: true,
    minify: production,
    sourcemap: production ? false : "linked",
    logLevel: "warning",
};
const inHost = { ...common, platform: "node", format: "cjs", target: "node20", external: ["vscode"] };
const inPage = { ...common, platform: "browser", format: "iife", target: "es2023" };

/** The files of a folder that end so, folders below included. */
function below(folder, ending) {
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true })
        .map((name) => join(folder, String(name)))
        .filter((name) => name.endsWith(ending));
}

const built = [await build({ ...inHost, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js" })];
for (const page of below("src/webview", ".page.ts")) {
    const entry = { in: page, out: basename(page, ".page.ts") };
    built.push(await build({ ...inPage, entryPoints: [entry], outdir: "dist/webview" }));
}
const packages = carried(built.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
const problems = unlocked(packages, lockedPackages());
if (problems.length > 0) throw new Error(problems.join("\n"));
writeFileSync("dist/carried.json", JSON.stringify(packages));
writeFileSync("dist/LICENCES.txt", licences(packages));
if (process.argv.includes("--tests")) {
    await build({
        ...inHost,
        entryPoints: [...below("test/unit", ".test.ts"), ...below("test/host", ".test.ts")],
        outbase: "test",
        outdir: "dist/test",
        external: ["vscode", "mocha"],
    });
    if (existsSync("test/host/index.ts")) {
        await build({
            ...inHost,
            entryPoints: ["test/host/index.ts"],
            outfile: "dist/test/host/index.js",
            external: ["vscode", "mocha"],
        });
    }
}
