// Runs the suite inside the extension host of a real VS Code; test/ui/host.test.ts starts it.

import { readdirSync } from "node:fs";
import { join } from "node:path";

import Mocha from "mocha";

/** What VS Code calls: runs every file here, and rejects when a test fails. */
export async function run(): Promise<void> {
    const mocha = new Mocha({ ui: "bdd", timeout: 180_000, color: false, reporter: "spec" });
    for (const name of readdirSync(__dirname).sort()) {
        if (name.endsWith(".test.js")) mocha.addFile(join(__dirname, name));
    }
    await mocha.loadFilesAsync();
    const failures = await new Promise<number>((resolve) => {
        mocha.run(resolve);
    });
    if (failures > 0) throw new Error(`${failures} of the tests in the extension host failed.`);
}
