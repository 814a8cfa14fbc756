// Runs the suite inside the extension host of a real VS Code; test/ui/host.test.ts starts it.

import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import Mocha from "mocha";

/** Where the results go; what is written to the console stands among many words of VS Code's own. */
const RESULTS = join(homedir(), "suite.json");

/** What VS Code calls: runs every file here. */
export async function run(): Promise<void> {
    const mocha = new Mocha({ ui: "bdd", timeout: 800_000, reporter: "json", reporterOptions: { output: RESULTS } });
    for (const name of readdirSync(__dirname).sort()) {
        if (name.endsWith(".test.js")) mocha.addFile(join(__dirname, name));
    }
    await mocha.loadFilesAsync();
    await new Promise<number>((resolve) => {
        mocha.run(resolve);
    });
}
