// The score card of a candidate, in Markdown: every verdict with its evidence, and what it costs. Pure: no editor.

import type { l10n } from "vscode";

import type { TestEvidence, Verdict } from "../protocol";
import { duration, explained, models } from "./amounts";
import { inMarkdown } from "./markdown";
import { shortName, why } from "./searchWords";
import type { Candidate, Search } from "./state";
import { speedInWords } from "./speedWords";
import { gapInShort, shownGaps, strengthInWords, uncountedInWords, witnessInWords } from "./strengthWords";
import { RULINGS, SIGNS, besideInWords, standingInWords, standingOf } from "./words";

type L10n = Pick<typeof l10n, "t">;

/** How many findings of a verifier a card shows. */
const FINDINGS = 3;

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
    const name = shortName(search.qualname);
    const heading = l10n.t("Candidate #{0} for {1}: {2}", candidate.number, name, standingInWords(standing, l10n));
    const parts = [`**${SIGNS[standing]} ${inMarkdown(heading)}**`, table(search, candidate, l10n)];
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

/** The card of a search that has no candidate to show. */
export function cardOfSearch(search: Search, l10n: L10n): string {
    const heading =
        search.state === "running"
            ? l10n.t("Searching for {0}", shortName(search.qualname))
            : l10n.t("No candidate for {0}", shortName(search.qualname));
    return [`**${inMarkdown(heading)}**`, inMarkdown(why(search, l10n))].filter((part) => part !== "").join("\n\n");
}

function table(search: Search, candidate: Candidate, l10n: L10n): string {
    const confined = isolationOf(candidate);
    const rows = candidate.verdicts.map((verdict) => [
        RULINGS[verdict.ruling],
        verdict.verifier,
        evidence(verdict, confined, l10n),
        duration(verdict.seconds, l10n),
    ]);
    const ruled = new Set(candidate.verdicts.map((each) => each.verifier));
    for (const verifier of search.verifiers.filter((each) => !ruled.has(each))) {
        const now = verifier === candidate.judging;
        rows.push([now ? "…" : "–", verifier, now ? l10n.t("being checked") : l10n.t("not run"), ""]);
    }
    if (rows.length === 0) return "";
    const head = `| | ${l10n.t("check")} | ${l10n.t("evidence")} | ${l10n.t("time")} |\n|:-:|:--|:--|--:|`;
    return [head, ...rows.map((cells) => `| ${cells.map((cell) => inMarkdown(cell, true)).join(" | ")} |`)].join("\n");
}

/** What a verifier has to say for its ruling, in a line; `confined` is a confinement that is said elsewhere. */
export function evidence(verdict: Verdict, confined: string, l10n: L10n): string {
    const said: string[] = [];
    if (verdict.votes !== null) {
        const { passed, valid, needed } = verdict.votes;
        said.push(l10n.t("{0} of {1} votes in favour, {2} needed", passed, valid, needed));
    }
    if (verdict.assurance !== "") said.push(assured(verdict.assurance, l10n));
    if (verdict.tests !== null) said.push(ran(verdict.tests, confined, l10n));
    said.push(...verdict.findings.slice(0, FINDINGS).map((finding) => oneLine(finding.message)));
    const more = verdict.findings.length - FINDINGS;
    if (more > 0) said.push(l10n.t("and {0} more", more));
    if (verdict.speed && verdict.ruling === "passed") said.push(...speedInWords(verdict.speed, l10n));
    if (verdict.remembered === true) said.push(l10n.t("cached"));
    return said.join("; ");
}

/** How far the tests themselves can be trusted, in a sentence in place of the labels that programs read. */
export function assured(assurance: string, l10n: L10n): string {
    const apart = l10n.t("passes in a separate process; fails when assertions are broken on purpose");
    const together = l10n.t("fails when assertions are broken on purpose; tried only in one process with the tests");
    return assurance
        .replace("tier 2: apart + canary", apart)
        .replace("tier 1 + canary for", `${together}, for`)
        .replace("tier 1 + canary", together);
}

function ran(tests: TestEvidence, confined: string, l10n: L10n): string {
    const said = [l10n.t("{0}/{1} passed", tests.passed, tests.collected)];
    if (tests.newlyPassing > 0) said.push(l10n.t("{0} newly passing", tests.newlyPassing));
    if (tests.skipped > 0) said.push(l10n.t("{0} skipped", tests.skipped));
    if (tests.touched !== null) {
        said.push(tests.touched ? l10n.t("changed lines executed") : l10n.t("changed lines never executed"));
    }
    // How the first run was confined is said once, below; another is said here.
    if (tests.isolation !== "" && tests.isolation !== confined) said.push(tests.isolation);
    return said.join(", ");
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
        ...strengthFacts(candidate, l10n),
        [l10n.t("others"), oneLine(besideInWords(search, candidate, l10n))],
        [l10n.t("found by"), found],
        [l10n.t("made from"), from === undefined ? "" : `#${from.number}`],
        [l10n.t("spent by the search"), search.spent === null ? "" : models(search.spent, l10n)],
        [l10n.t("allowed"), search.baseline?.needs ?? ""],
        [l10n.t("ran"), cold === "" ? "" : l10n.t("in fresh processes: {0}", cold)],
    ];
    return all.filter(([, said]) => said !== "");
}

/** How many small changes its tests notice, the first that they miss, and what is not counted. */
function strengthFacts({ strength }: Candidate, l10n: L10n): [string, string][] {
    if (strength === null || strength.tried === 0) return [];
    const missed: [string, string][] = shownGaps(strength).map((gap) => [
        l10n.t("not noticed"),
        `${gapInShort(gap, l10n)} — ${witnessInWords(gap, l10n)}`,
    ]);
    return [
        [l10n.t("strength"), strengthInWords(strength, l10n)],
        ...missed,
        [l10n.t("not counted"), uncountedInWords(strength, l10n)],
    ];
}

function spreads(candidate: Candidate): string {
    return (candidate.cost?.spreads ?? [])
        .map((each) => `${each.criterion} ${each.aggregate}/${each.high} (${each.values.join(", ")})`)
        .join("; ");
}

function isolationOf(candidate: Candidate): string {
    return (
        candidate.verdicts.find((each) => each.tests !== null && each.tests.isolation !== "")?.tests?.isolation ?? ""
    );
}

function oneLine(words: string): string {
    return words.replace(/\s+/gu, " ").trim();
}
