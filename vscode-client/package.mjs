// Packages the extension as dist/certo.vsix. A warning of vsce's is an error: readers of the marketplace see what it warns of.
import { spawnSync } from "node:child_process";

const args = [
    "package",
    "--no-dependencies",
    "--allow-missing-repository",
    "--no-rewrite-relative-links",
    "--out",
    "dist/certo.vsix",
];
const { status, stdout, stderr } = spawnSync("node_modules/.bin/vsce", args, { encoding: "utf8" });
process.stdout.write(stdout);
process.stderr.write(stderr);
if (status !== 0 || /\bwarning\b/i.test(stdout + stderr)) process.exit(status || 1);
