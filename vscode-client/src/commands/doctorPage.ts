// The page of the doctor: what was found, what is missing, and the command that helps, in Markdown. Pure: no editor in here.

import type { l10n } from "vscode";

import type { EnvironmentResult, Fact } from "../protocol";
import { visible } from "../inert";
import { inMarkdown } from "../searches/markdown";

type L10n = Pick<typeof l10n, "t">;

/** What was found out about one document or folder. */
export interface Place {
    readonly name: string;
    /** What the server says of it, or the sentence by which it could not. */
    readonly found: EnvironmentResult | string;
}

/** All that the page says. */
export interface Examination {
    /** What the extension knows of itself and of the server; it is said also when there is no server. */
    readonly own: readonly Fact[];
    /** Which language models there are to ask. */
    readonly models: readonly Fact[];
    readonly places: readonly Place[];
}

const SIGNS: Readonly<Record<Fact["health"], string>> = { good: "✓", lacking: "!", broken: "✗" };

/** The page. */
export function doctorPage(examination: Examination, l10n: L10n): string {
    const { own, models, places } = examination;
    return [
        `# ${l10n.t("Certo: Doctor")}`,
        verdict(examination, l10n),
        `## ${l10n.t("The extension and its server")}`,
        ...own.map((fact) => said(fact, l10n)),
        ...(models.length === 0 ? [] : [`## ${l10n.t("Language models")}`, ...models.map((fact) => said(fact, l10n))]),
        ...places.flatMap((place) => [`## ${inMarkdown(place.name)}`, ...aboutPlace(place, l10n)]),
        "---",
        l10n.t(
            "This page contains no key, but it contains paths of your machine. Read it before you send it to anyone.",
        ),
        "",
    ].join("\n\n");
}

/** What the page comes to, in a sentence. */
function verdict({ own, places }: Examination, l10n: L10n): string {
    const facts = [...own, ...places.flatMap(({ found }) => (typeof found === "string" ? [] : found.facts))];
    if (facts.some((fact) => fact.health === "broken") || places.some(({ found }) => typeof found === "string")) {
        return l10n.t("✗ Certo cannot work everywhere here. ✗ marks each problem, with a remedy below it.");
    }
    return facts.some((fact) => fact.health === "lacking")
        ? l10n.t("! Certo works here, with limits. “!” marks what is missing.")
        : l10n.t("✓ Certo has everything it needs here.");
}

function aboutPlace({ found }: Place, l10n: L10n): string[] {
    if (typeof found === "string") return [`- ${SIGNS.broken} ${inMarkdown(found)}`];
    const changed = Object.entries(found.settingOrigins).map(
        ([name, origin]) => `- \`${name}\`: ${inMarkdown(origin)}`,
    );
    return [
        ...found.facts.map((fact) => said(fact, l10n)),
        ...(changed.length === 0
            ? []
            : [l10n.t("Settings that differ from the defaults, and where they were set:"), changed.join("\n")]),
    ];
}

function said({ health, subject, says, details, remedy }: Fact, l10n: L10n): string {
    const lines = [
        `- ${SIGNS[health]} **${inMarkdown(subject)}**: ${inMarkdown(says)}`,
        ...details.map((each) => `    - ${inMarkdown(each)}`),
    ];
    if (remedy !== "")
        lines.push(
            "",
            `    ${l10n.t("Remedies:")}`,
            "",
            "    ```",
            `    ${visible(remedy).split(/\s+/u).join(" ")}`,
            "    ```",
        );
    return lines.join("\n");
}
