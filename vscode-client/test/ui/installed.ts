// The extension as its users have it: VS Code itself installs the package, once for all windows.

import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { ARTEFACTS, CLIENT, NODE, SERVER_MAIN, VSIX } from "./places";

/** The folder of the extension; that of the project when no package is to be tested. */
export const extension = once(() => (VSIX === undefined ? CLIENT : install(VSIX)));

function install(vsix: string): string {
    const home = join(ARTEFACTS, "installed");
    rmSync(home, { recursive: true, force: true });
    const extensions = installInto(home, vsix);
    const [folder] = readdirSync(extensions).filter((name) => name.startsWith("certo.certo-"));
    if (folder === undefined) throw new Error(`VS Code has not installed ${vsix}`);
    return join(extensions, folder);
}

/** Has VS Code install a package, in place of one of the same name, and tells the folder of all extensions. */
export function installInto(home: string, vsix: string): string {
    const args = ["--accept-server-license-terms", "--server-data-dir", home, "--install-extension", vsix, "--force"];
    execFileSync(NODE, [SERVER_MAIN, ...args], { stdio: "pipe" });
    return join(home, "extensions");
}

function once<T>(make: () => T): () => T {
    const made: T[] = [];
    return () => {
        const [value = make()] = made;
        made[0] = value;
        return value;
    };
}
