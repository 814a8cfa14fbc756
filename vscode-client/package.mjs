// Packages the extension as dist/certo.vsix. A warning of vsce's is an error: readers of the marketplace see what it warns of.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

// Relative links of the README lead to this version in the repository; vsce by itself takes its top folder for ours.
const { repository, version } = JSON.parse(readFileSync("package.json", "utf8"));
const place = `v${version}/${repository.directory}`;
const args = [
    "package",
    "--no-dependencies",
    "--baseContentUrl",
    `${repository.url}/blob/${place}`,
    "--baseImagesUrl",
    `${repository.url}/raw/${place}`,
    "--out",
    "dist/certo.vsix",
];
// The same files make the same package: each has this time, which is also that of the files in the wheel.
const env = { ...process.env, SOURCE_DATE_EPOCH: process.env.SOURCE_DATE_EPOCH ?? "1580601600" };
const { status, stdout, stderr } = spawnSync("node_modules/.bin/vsce", args, { encoding: "utf8", env });
process.stdout.write(stdout);
process.stderr.write(stderr);
if (status !== 0 || /\bwarning\b/i.test(stdout + stderr)) process.exit(status || 1);
