// The score card of a candidate, in Markdown: what it changes, and what shows that it is right. Pure: no editor.

import type { l10n } from "vscode";

import { explained, models } from "./amounts";
import { changeInShort } from "./changeWords";
import { checksInLines, isolationOf } from "./checks";
import { levelInWords } from "./evidenceLevel";
import { inMarkdown } from "./markdown";
import { nameOf, why } from "./searchWords";
import type { Candidate, Search } from "./state";
import { gapInShort, shownGaps, strengthInWords, uncountedInWords, witnessInWords } from "./strengthWords";
import { whyRight, wrongBefore } from "./whyRight";
import { SIGNS, assured, besideInWords, candidateInWords, standingOf } from "./words";

type L10n = Pick<typeof l10n, "t">;

/** Something that a card lets its reader do. */
export interface Link {
    readonly label: string;
    readonly command: string;
}

/** What can be done about a candidate, the likeliest first. */
export function linksOf(candidate: Candidate, running: boolean, l10n: L10n): Link[] {
    const links: Link[] = [];
    if (candidate.passed === true) links.push({ label: l10n.t("Accept"), command: "certo.candidate.accept" });
    links.push({ label: l10n.t("Diff"), command: "certo.candidate.diff" });
    if (!running) links.push({ label: l10n.t("Retry…"), command: "certo.candidate.retry" });
    links.push({ label: l10n.t("Report"), command: "certo.candidate.report" });
    return links;
}

/** The card of a candidate. With `linked` it ends with links that run commands, which only a trusted reader follows. */
export function cardOf(search: Search, candidate: Candidate, linked: boolean, l10n: L10n): string {
    const standing = standingOf(candidate);
    const name = nameOf(search);
    const heading = l10n.t("Candidate #{0} for {1}: {2}", candidate.number, name, candidateInWords(candidate, l10n));
    const parts = [`**${SIGNS[standing]} ${inMarkdown(heading)}**`, ...telling(search, candidate, l10n)];
    if (linked) {
        const about = encodeURIComponent(JSON.stringify([{ searchId: search.id, candidateId: candidate.id }]));
        const links = linksOf(candidate, search.state === "running", l10n);
        parts.push(links.map(({ label, command }) => `[${label}](command:${command}?${about})`).join(" · "));
    }
    parts.push(
        facts(search, candidate, l10n)
            .map(([word, said]) => `*${word}:* ${inMarkdown(said)}`)
            .join("  \n"),
    );
    return parts.filter((part) => part !== "").join("\n\n");
}

/** What a reader wants to know first: what it changes, why it is right, what tells it from others, what tests notice. */
function telling(search: Search, candidate: Candidate, l10n: L10n): string[] {
    const right = whyRight(search, candidate, l10n);
    const rows: [string, string][] = [
        [l10n.t("change"), changeInShort(candidate, l10n, inBackticks)],
        [right.length > 0 ? l10n.t("why") : l10n.t("before"), right.join(" ") || wrongBefore(search, l10n)],
        [l10n.t("evidence"), oneLine(levelInWords(candidate, l10n))],
        [l10n.t("others"), oneLine(besideInWords(search, candidate, l10n))],
        ...strengthFacts(candidate, l10n),
    ];
    const said = rows.filter(([, words]) => words !== "").map(([word, words]) => `*${word}:* ${inMarkdown(words)}`);
    const checks = checksInLines(search, candidate, l10n).map((line) => inMarkdown(line));
    return [said.join("  \n"), checks.join("  \n")];
}

/** The card of a search that has no candidate to show. */
export function cardOfSearch(search: Search, l10n: L10n): string {
    const heading =
        search.state === "running"
            ? l10n.t("Searching for {0}", nameOf(search))
            : l10n.t("No candidate for {0}", nameOf(search));
    return [`**${inMarkdown(heading)}**`, inMarkdown(why(search, l10n))].filter((part) => part !== "").join("\n\n");
}

function facts(search: Search, candidate: Candidate, l10n: L10n): [string, string][] {
    const { origin, cost, parent } = candidate;
    const from = parent === null ? undefined : search.candidates.get(parent);
    const found = [...new Set([origin.generator, origin.note])].filter((part) => part !== "").join(" — ");
    const cold = candidate.verdicts.find((each) => each.tests !== null && each.tests.cold !== "")?.tests?.cold ?? "";
    const all: [string, string][] = [
        [l10n.t("confined"), isolationOf(candidate)],
        [l10n.t("cost"), cost === null ? "" : explained(cost, l10n)],
        [l10n.t("criteria"), cost === null ? "" : spreads(candidate)],
        ...assurances(candidate, l10n),
        [l10n.t("found by"), found],
        [l10n.t("made from"), from === undefined ? "" : `#${from.number}`],
        [l10n.t("spent by the search"), search.spent === null ? "" : models(search.spent, l10n)],
        [l10n.t("allowed"), search.baseline?.needs ?? ""],
        [l10n.t("ran"), cold === "" ? "" : l10n.t("in fresh processes: {0}", cold)],
    ];
    return all.filter(([, said]) => said !== "");
}

/** How far the tests themselves can be trusted, and what their strength does not count. */
function assurances({ verdicts, strength }: Candidate, l10n: L10n): [string, string][] {
    const said = verdicts
        .filter(({ assurance, ruling }) => assurance !== "" && ruling === "passed")
        .map(({ verifier, assurance }): [string, string] => [verifier, assured(assurance, l10n)]);
    return [...said, [l10n.t("not counted"), strength === null ? "" : uncountedInWords(strength, l10n)]];
}

/** How many small changes its tests notice, and the first that they miss with the call that shows it. */
function strengthFacts({ strength }: Candidate, l10n: L10n): [string, string][] {
    if (strength === null || strength.tried === 0) return [];
    const [gap, ...more] = shownGaps(strength);
    const missed = gap === undefined ? "" : `${gapInShort(gap, l10n)} — ${witnessInWords(gap, l10n)}`;
    return [
        [l10n.t("strength"), strengthInWords(strength, l10n)],
        [l10n.t("not noticed"), more.length === 0 ? missed : l10n.t("{0}; and {1} more", missed, more.length)],
    ];
}

function spreads(candidate: Candidate): string {
    return (candidate.cost?.spreads ?? [])
        .map((each) => `${each.criterion} ${each.aggregate}/${each.high} (${each.values.join(", ")})`)
        .join("; ");
}

function inBackticks(code: string): string {
    return code.includes("`") ? code : `\`${code}\``;
}

function oneLine(words: string): string {
    return words.replace(/\s+/gu, " ").trim();
}
