// What each check has to say: those that passed share a line, the others have their evidence. Pure: no editor in here.

import type { l10n } from "vscode";

import type { TestEvidence, Verdict } from "../protocol";
import { speedInWords } from "./speedWords";
import type { Candidate, Search } from "./state";
import { RULINGS, assured } from "./words";

type L10n = Pick<typeof l10n, "t">;

/** How many findings of a verifier are shown. */
const FINDINGS = 3;

/** How the first run of a candidate was confined; a check that ran otherwise says so itself. */
export function isolationOf({ verdicts }: Pick<Candidate, "verdicts">): string {
    return verdicts.find(({ tests }) => tests !== null && tests.isolation !== "")?.tests?.isolation ?? "";
}

/** Whether a check passed and has no more to say than its numbers; the server's `in_passing` does the same. */
export function isFolded(verdict: Verdict, confined: string): boolean {
    const { ruling, findings, tests, dependence, speed } = verdict;
    if (ruling !== "passed" || findings.length > 0 || (dependence?.reason ?? "") !== "" || speed) return false;
    return tests === null || (tests.touched !== false && ["", confined].includes(tests.isolation));
}

/** The checks that passed and have no more to say, in one line: "syntax, tests 3/3 (2 newly)". */
export function foldedChecks(candidate: Pick<Candidate, "verdicts">, l10n: L10n): string {
    const confined = isolationOf(candidate);
    const folded = candidate.verdicts.filter((each) => isFolded(each, confined));
    return folded.map((each) => inPassing(each, l10n)).join(", ");
}

/** The lines on the checks of a candidate: each that did not pass or has more to say, and one with the others. */
export function checksInLines(search: Search, candidate: Candidate, l10n: L10n): string[] {
    const confined = isolationOf(candidate);
    const lines = candidate.verdicts
        .filter((each) => !isFolded(each, confined))
        .map((each) => `${signOf(each)} ${each.verifier}: ${evidence(each, confined, l10n)}`);
    const folded = foldedChecks(candidate, l10n);
    if (folded !== "") lines.push(`✓ ${folded}`);
    if (candidate.judging !== null) lines.push(`… ${candidate.judging}: ${l10n.t("being checked")}`);
    const ruled = new Set([candidate.judging, ...candidate.verdicts.map((each) => each.verifier)]);
    const left = search.verifiers.filter((each) => !ruled.has(each));
    if (left.length > 0) lines.push(l10n.t("– not run: {0}", left.join(", ")));
    return lines;
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
    const without = verdict.dependence?.reason ?? "";
    if (without !== "") said.push(without);
    said.push(...verdict.findings.slice(0, FINDINGS).map((finding) => finding.message.replace(/\s+/gu, " ").trim()));
    const more = verdict.findings.length - FINDINGS;
    if (more > 0) said.push(l10n.t("and {0} more", more));
    if (verdict.speed && verdict.ruling === "passed") said.push(...speedInWords(verdict.speed, l10n));
    if (verdict.remembered === true) said.push(l10n.t("cached"));
    return said.join("; ");
}

/** The sign of a check; one that passes because there is nothing to find does not get the sign of success. */
function signOf({ ruling, dependence }: Verdict): string {
    return RULINGS[(dependence?.reason ?? "") === "" ? ruling : "undecided"];
}

/** A check that passed, with its numbers if it has some: "tests 3/3 (2 newly)". */
function inPassing({ verifier, tests, votes, remembered }: Verdict, l10n: L10n): string {
    const said = [verifier];
    if (tests !== null) said.push(`${tests.passed}/${tests.collected}`);
    if (votes !== null) said.push(`${votes.passed}/${votes.valid}`);
    const newly = tests === null || tests.newlyPassing === 0 ? "" : l10n.t("{0} newly", tests.newlyPassing);
    const more = [newly, remembered === true ? l10n.t("cached") : ""].filter((part) => part !== "");
    return [...said, ...(more.length > 0 ? [`(${more.join(", ")})`] : [])].join(" ");
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
