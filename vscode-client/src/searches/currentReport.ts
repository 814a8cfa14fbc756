// The report on a function as it stands, in a sentence and in Markdown. Pure: no editor in here.

import type { l10n } from "vscode";

import type { CurrentReport, KnownTest } from "../protocol";
import { sentence } from "../sentence";
import { duration } from "./amounts";
import { evidence } from "./checks";
import { inMarkdown } from "./markdown";
import { testOf } from "./findings";
import { shortName } from "./searchWords";
import { RULINGS } from "./words";

type L10n = Pick<typeof l10n, "t">;

/** What is said of a function as it stands, in a sentence, and whether it is verified. */
export function verdictOn(report: CurrentReport, l10n: L10n): string {
    const name = shortName(report.qualname);
    const { verdicts, passed } = report.evidence;
    const ran = verdicts.flatMap((each) => each.tests ?? []);
    const green = ran.reduce((all, one) => all + one.passed, 0);
    if (report.verified)
        return l10n.t("✓ The current {0} is verified: {1} of its tests ran, and all passed.", name, green);
    if (passed) {
        const caveat = report.evidence.caveat ?? "";
        return sentence(l10n.t("? {0} is not verified: its checks pass, but {1}", name, caveat));
    }
    return sentence(l10n.t("✗ The current {0} does not pass: {1}", name, failureOf(report)));
}

/** What it failed at first: what a test says, or a verifier that is no test. */
function failureOf({ evidence: found, baseline }: CurrentReport): string {
    const failure = found.verdicts.find((each) => each.ruling !== "passed");
    const message = failure?.findings[0]?.message ?? failure?.assurance ?? "";
    const test = testOf(message, baseline.tests);
    if (test === undefined) return `${failure?.verifier ?? ""}: ${oneLine(message)}`;
    // An example in a docstring has no name, and says itself which call it is about.
    return oneLine(test.id.startsWith("doctest:") ? test.said : `${test.name}: ${test.said}`);
}

/** The whole report. */
export function reportOn(report: CurrentReport, l10n: L10n): string {
    const { evidence: found, baseline } = report;
    const isolation = found.verdicts.flatMap((each) => each.tests?.isolation ?? []).find((each) => each !== "") ?? "";
    const checks = found.verdicts.map((each) => [
        `${RULINGS[each.ruling]} ${each.verifier}`,
        evidence(each, isolation, l10n),
        duration(each.seconds, l10n),
    ]);
    const parts = [
        `# ${inMarkdown(verdictOn(report, l10n))}`,
        inMarkdown(l10n.t("{0}, line {1}; judged in {2}", report.path, report.line, duration(report.seconds, l10n))),
        table([l10n.t("check"), l10n.t("evidence"), l10n.t("time")], checks),
        section(l10n.t("Tests"), tests(baseline.tests, l10n)),
        section(l10n.t("Tests set aside"), tests(baseline.setAside, l10n)),
        section(l10n.t("Read this first"), baseline.problems.map((each) => `- ${inMarkdown(each)}`).join("\n")),
        section(
            l10n.t("How it ran"),
            [isolation, baseline.needs]
                .filter((each) => each !== "")
                .map((each) => `- ${inMarkdown(each)}`)
                .join("\n"),
        ),
    ];
    return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function tests(known: readonly KnownTest[], l10n: L10n): string {
    const rows = known.map((each) => [
        `${RULINGS[each.ruling]} ${each.id}`,
        oneLine(each.message),
        duration(each.seconds, l10n),
    ]);
    return table([l10n.t("test"), l10n.t("what it says"), l10n.t("time")], rows);
}

function section(title: string, text: string): string {
    return text === "" ? "" : `## ${title}\n\n${text}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
    if (rows.length === 0) return "";
    const lines = rows.map((cells) => `| ${cells.map((cell) => inMarkdown(cell, true)).join(" | ")} |`);
    return [`| ${head.join(" | ")} |`, `|${head.map(() => ":--|").join("")}`, ...lines].join("\n");
}

function oneLine(words: string): string {
    return words.replace(/\s+/gu, " ").trim();
}
