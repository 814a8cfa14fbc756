// Writes the texts of the source that can be translated into l10n/bundle.l10n.json, or with --check says whether they are there.
import { getL10nJson } from "@vscode/l10n-dev";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const BUNDLE = "l10n/bundle.l10n.json";

const sources = readdirSync("src", { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ extension: ".ts", contents: readFileSync(join("src", name), "utf8") }));

// In the order of the alphabet, so that what two people add at the same time seldom meets.
const texts = Object.entries(await getL10nJson(sources)).sort(([one], [other]) => (one < other ? -1 : 1));
const wanted = `${JSON.stringify(Object.fromEntries(texts), null, 4)}\n`;

if (!process.argv.includes("--check")) {
    mkdirSync("l10n", { recursive: true });
    writeFileSync(BUNDLE, wanted);
} else if (readFileSync(BUNDLE, "utf8") !== wanted) {
    console.error(`${BUNDLE} is not up to date; write it anew: npm run fix`);
    process.exit(1);
}
