// Bundles the extension, and with --tests its tests, into dist/. With --production small and without source maps.
import { build } from "esbuild";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

const production = process.argv.includes("--production");

const common = { bundle: true, minify: production, sourcemap: production ? false : "linked", logLevel: "warning" };
const inHost = { ...common, platform: "node", format: "cjs", target: "node20", external: ["vscode"] };
const inPage = { ...common, platform: "browser", format: "iife", target: "es2023" };

/** The files of a folder that end so, folders below included. */
function below(folder, ending) {
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true })
        .map((name) => join(folder, String(name)))
        .filter((name) => name.endsWith(ending));
}

await build({ ...inHost, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js" });
for (const page of below("src/webview", ".page.ts")) {
    await build({ ...inPage, entryPoints: [{ in: page, out: basename(page, ".page.ts") }], outdir: "dist/webview" });
}
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
