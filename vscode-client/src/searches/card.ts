// The score card of a candidate, in Markdown: what it changes, and what shows that it is right. Pure: no editor.

import type { l10n } from "vscode";

import type { TestEvidence, Verdict } from "../protocol";
import { explained, models, plain } from "./amounts";
import { changeInShort } from "./changeWords";
import { named } from "./findings";
import { inMarkdown } from "./markdown";
import { shortName, why } from "./searchWords";
import type { Candidate, Search } from "./state";
import { speedInWords } from "./speedWords";
import { gapInShort, shownGaps, strengthInWords, uncountedInWords, witnessInWords } from "./strengthWords";
import { RULINGS, SIGNS, assured, besideInWords, standingInWords, standingOf } from "./words";

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

/** What a reader wants to know first: what it changes, what was wrong, what tells it from others, what tests show. */
function telling(search: Search, candidate: Candidate, l10n: L10n): string[] {
    const others = oneLine(besideInWords(search, candidate, l10n));
    const said: [string, string][] = [
        [l10n.t("change"), changeInShort(candidate, l10n, inBackticks)],
        [l10n.t("before"), failureBefore(search)],
        [l10n.t("others"), others],
        ...strengthFacts(candidate, l10n),
    ];
    const lines = said.filter(([, words]) => words !== "").map(([word, words]) => `*${word}:* ${inMarkdown(words)}`);
    return [lines.join("  \n"), checks(search, candidate, l10n)];
}

/** How the first test failed before any candidate, the value against the expected one; empty where it says nothing. */
function failureBefore(search: Search): string {
    const failed = (search.baseline?.tests ?? []).filter(({ ruling }) => ruling !== "passed");
    const [first] = failed;
    const said = oneLine(first?.message ?? "");
    if (first === undefined || said === "" || said.startsWith("NotImplementedError")) return "";
    return `${named(first.id, said).name}: ${said}`;
}

/** The card of a search that has no candidate to show. */
export function cardOfSearch(search: Search, l10n: L10n): string {
    const heading =
        search.state === "running"
            ? l10n.t("Searching for {0}", shortName(search.qualname))
            : l10n.t("No candidate for {0}", shortName(search.qualname));
    return [`**${inMarkdown(heading)}**`, inMarkdown(why(search, l10n))].filter((part) => part !== "").join("\n\n");
}

/** The checks that passed in one line, and each other one with what it found. */
function checks(search: Search, candidate: Candidate, l10n: L10n): string {
    const confined = isolationOf(candidate);
    const passed = candidate.verdicts.filter((each) => each.ruling === "passed");
    const others = candidate.verdicts.filter((each) => each.ruling !== "passed");
    const lines = others.map((each) => `${RULINGS[each.ruling]} ${each.verifier}: ${evidence(each, confined, l10n)}`);
    if (passed.length > 0) lines.push(`✓ ${passed.map((each) => inPassing(each, l10n)).join(", ")}`);
    const ruled = new Set(candidate.verdicts.map((each) => each.verifier));
    const unruled = search.verifiers.filter((each) => !ruled.has(each));
    if (candidate.judging !== null) lines.push(`… ${candidate.judging}: ${l10n.t("being checked")}`);
    const left = unruled.filter((each) => each !== candidate.judging);
    if (left.length > 0) lines.push(l10n.t("– not run: {0}", left.join(", ")));
    return lines.map((line) => inMarkdown(line)).join("  \n");
}

/** A check that passed, with its numbers if it has some: "tests 3/3 (2 newly)". */
function inPassing({ verifier, tests, votes, speed, remembered }: Verdict, l10n: L10n): string {
    const said = [verifier];
    if (tests !== null) said.push(`${tests.passed}/${tests.collected}`);
    if (votes !== null) said.push(`${votes.passed}/${votes.valid}`);
    if (speed) said.push(l10n.t("{0} times", plain(speed.ratio)));
    const newly = tests === null || tests.newlyPassing === 0 ? "" : l10n.t("{0} newly", tests.newlyPassing);
    const more = [newly, remembered === true ? l10n.t("cached") : ""].filter((part) => part !== "");
    return [...said, ...(more.length > 0 ? [`(${more.join(", ")})`] : [])].join(" ");
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

function isolationOf(candidate: Candidate): string {
    return (
        candidate.verdicts.find((each) => each.tests !== null && each.tests.isolation !== "")?.tests?.isolation ?? ""
    );
}

function inBackticks(code: string): string {
    return code.includes("`") ? code : `\`${code}\``;
}

function oneLine(words: string): string {
    return words.replace(/\s+/gu, " ").trim();
}
