// What is said of a candidate, wherever it is shown. Pure: no editor in here.

import type { l10n } from "vscode";

import type { Standing as Beside, Spread, Verdict, VoteCast } from "../protocol";
import { plain, priced } from "./amounts";
import { changeInShort } from "./changeWords";
import { isWeak, levelInShort } from "./evidenceLevel";
import { groupsOf, mostTelling } from "./groups";
import { speedInShort } from "./speedWords";
import type { Candidate, Search } from "./state";

type L10n = Pick<typeof l10n, "t">;

/** Verifiers that let tools of the project's own read a candidate, which not every project has. */
const OF_TOOLS: ReadonlySet<string> = new Set(["types", "lint"]);

/** What has become of a candidate so far. */
export type Standing = "judging" | "verified" | "notApart" | "unverified" | "undecided" | "failed";

/** What has become of a candidate so far; only what some test has exercised is verified. */
export function standingOf(candidate: Candidate): Standing {
    if (candidate.passed === null) return candidate.left ? "undecided" : "judging";
    if (candidate.passed && !candidate.verified) return "unverified";
    if (candidate.passed) return candidate.caveat === "" ? "verified" : "notApart";
    return failureOf(candidate)?.ruling === "failed" ? "failed" : "undecided";
}

/** A sign for each standing; they differ in shape, so they read without colour. */
export const SIGNS: Readonly<Record<Standing, string>> = {
    judging: "…",
    verified: "✓",
    notApart: "✓",
    unverified: "?",
    undecided: "?",
    failed: "✗",
};

/** A sign for each ruling of a verifier. */
export const RULINGS: Readonly<Record<Verdict["ruling"], string>> = { passed: "✓", undecided: "?", failed: "✗" };

/** A standing in a word, for those who hear it. */
export function standingInWords(standing: Standing, l10n: L10n): string {
    switch (standing) {
        case "judging":
            return l10n.t("being checked");
        case "verified":
            return l10n.t("verified");
        case "notApart":
            return l10n.t("verified, not tried apart");
        case "unverified":
            return l10n.t("not verified");
        case "undecided":
            return l10n.t("undecided");
        case "failed":
            return l10n.t("failed");
    }
}

/** The verdict for which a candidate did not pass; undefined when there is none. */
export function failureOf(candidate: Candidate): Verdict | undefined {
    const { verdicts } = candidate;
    return verdicts.find((each) => each.ruling === "failed") ?? verdicts.find((each) => each.ruling === "undecided");
}

/** A candidate's tests, all verifiers that ran some taken together; undefined when none ran. */
export function testsOf(candidate: Candidate): { passed: number; collected: number } | undefined {
    const ran = candidate.verdicts.map((each) => each.tests).filter((tests) => tests !== null);
    if (ran.length === 0) return undefined;
    const sum = (pick: (tests: (typeof ran)[number]) => number): number => ran.reduce((all, one) => all + pick(one), 0);
    return { passed: sum((tests) => tests.passed), collected: sum((tests) => tests.collected) };
}

/**
 * A candidate in a line: `✓ 14/14 tests · types ok · judge 4/5 · 3 tokens changed`, `? not verified · …`, `✗ tests 12/14`.
 *
 * What was not run is not named.
 */
export function scoreLine(candidate: Candidate, l10n: L10n): string {
    return `${SIGNS[standingOf(candidate)]} ${scoreParts(candidate, l10n).join(" · ")}`;
}

/** What is proved of a candidate that passed, in short. */
function proved(candidate: Candidate, l10n: L10n): string[] {
    const standing = standingOf(candidate);
    const tests = testsOf(candidate);
    if (standing === "unverified" || tests === undefined) return [l10n.t("not verified")];
    const passed = l10n.t("{0}/{1} tests", tests.passed, tests.collected);
    const level = levelInShort(candidate, l10n);
    const said = level === "" ? passed : `${passed}, ${level}`;
    return standing === "notApart" ? [said, l10n.t("not tried apart")] : [said];
}

/** The standing of a candidate in words, with weak tests named: "verified by weak tests". */
export function candidateInWords(candidate: Candidate, l10n: L10n): string {
    const standing = standingOf(candidate);
    if (!isWeak(candidate)) return standingInWords(standing, l10n);
    return standing === "notApart"
        ? l10n.t("verified by weak tests, not tried apart")
        : l10n.t("verified by weak tests");
}

/** The parts of the score line, without the sign. */
export function scoreParts(candidate: Candidate, l10n: L10n): string[] {
    const standing = standingOf(candidate);
    if (candidate.left) return [l10n.t("left unchecked")];
    if (standing === "judging") return [judging(candidate, l10n)];
    if (standing === "failed" || standing === "undecided") return [refusal(candidate, l10n)];
    const parts = proved(candidate, l10n);
    for (const verdict of candidate.verdicts) {
        if (verdict.votes !== null) parts.push(`${verdict.verifier} ${votes(verdict)}`);
        else if (OF_TOOLS.has(verdict.verifier) && verdict.ruling === "passed") {
            parts.push(l10n.t("{0} ok", verdict.verifier));
        }
    }
    if (candidate.cost !== null) {
        parts.push(...candidate.cost.spreads.map(spreadInShort), priced(candidate.cost, l10n));
    }
    return parts;
}

/** How a candidate acts beside the others that passed, in short; nothing where that was not looked at. */
export function besideInShort({ compared }: Candidate, l10n: L10n): string[] {
    if (compared === null) return [];
    if ((compared.uncompared ?? "") !== "") return [l10n.t("not compared")];
    if ((compared.rivalOf ?? null) !== null) return [l10n.t("behaves differently")];
    const alike = compared.agreeing ?? 0;
    return alike > 1 ? [l10n.t("{0} behave alike", alike)] : [];
}

/** How a candidate acts beside the others that passed, in a sentence; empty where that was not looked at. */
export function besideInWords(search: Search, { compared }: Candidate, l10n: L10n): string {
    if (compared === null) return "";
    const { uncompared = "" } = compared;
    if (uncompared !== "") return l10n.t("not compared: {0}", uncompared);
    const rival = search.candidates.get(compared.rivalOf ?? "");
    const difference = compared.difference ?? null;
    if (rival !== undefined && difference !== null) {
        const { call, ours, theirs } = difference;
        return l10n.t("behaves differently: {0} gives {1}, and {2} with #{3}", call, ours, theirs, rival.number);
    }
    if (rival !== undefined) return l10n.t("behaves differently from #{0}", rival.number);
    return agreeingInWords(search, compared, l10n);
}

/** How many candidates agree with one that is no rival, and where the others differ; empty where it stands alone. */
function agreeingInWords(search: Search, standing: Beside, l10n: L10n): string {
    const { agreeing = 0, compared = 0 } = standing;
    if (compared > 1) {
        const agree =
            agreeing === 1
                ? l10n.t("no other of {0} candidates agrees", compared)
                : l10n.t("{0} of {1} candidates agree", agreeing, compared);
        return [agree, ...apart(search, standing, l10n)].join("; ");
    }
    return agreeing > 1 ? l10n.t("{0} candidates behave alike, including this one", agreeing) : "";
}

/** The calls on which the candidates of other groups differ from one that is no rival, in words. */
function apart(search: Search, { group = 0, observations = [] }: Beside, l10n: L10n): string[] {
    return groupsOf(search).flatMap((others) => {
        const told = mostTelling(observations, others[0]?.compared?.observations ?? []);
        if (told === undefined || (others[0]?.compared?.group ?? 0) === group) return [];
        const who = others.map(({ number }) => `#${number}`).join(", ");
        return [l10n.t("on {0}: {1} here, {2} with {3}", told.call, told.ours, told.theirs, who)];
    });
}

/** The score in as few words as will do: "14/14 tests · 3 tokens changed", "not verified", "tests 12/14". */
export function shortScore(candidate: Candidate, l10n: L10n): string {
    const parts = scoreParts(candidate, l10n);
    return parts.length > 2 ? [parts[0], parts.at(-1)].join(" · ") : parts.join(" · ");
}

/**
 * A candidate in its row, whose end is cut off: what it changes comes before its score. How it acts beside others is not
 * said where it stands in a group that says so.
 */
export function scoreInRow(candidate: Candidate, grouped: boolean, l10n: L10n): string[] {
    const change = changeInShort(candidate, l10n);
    const parts = [...(change === "" ? [] : [change]), ...scoreParts(candidate, l10n)];
    const files = candidate.elsewhere.length;
    if (files > 0) parts.push(files === 1 ? l10n.t("+1 file") : l10n.t("+{0} files", files));
    if (!grouped) parts.push(...besideInShort(candidate, l10n));
    return parts;
}

/** Why a candidate did not pass, as its verifier says it first: "tests: test_total: assert 5 == 6". */
export function objection(candidate: Candidate): string {
    const verdict = failureOf(candidate);
    if (verdict === undefined) return "";
    const said = verdict.findings[0]?.message.replace(/\s+/gu, " ").trim() ?? "";
    return said === "" ? verdict.verifier : `${verdict.verifier}: ${said}`;
}

/** What a verifier's verdict comes to: "12/14 passed", "4/5 in favour", "2 findings", "it parses". */
export function verdictInShort(verdict: Verdict, l10n: L10n): string {
    const parts: string[] = [];
    if (verdict.ruling === "passed") parts.push(...shownBy(verdict, l10n));
    if (verdict.votes !== null) parts.push(l10n.t("{0} in favour", votes(verdict)));
    if (verdict.tests !== null) {
        parts.push(l10n.t("{0}/{1} passed", verdict.tests.passed, verdict.tests.collected));
        if (verdict.tests.newlyPassing > 0) parts.push(l10n.t("{0} newly", verdict.tests.newlyPassing));
    } else if (verdict.findings.length > 0) {
        parts.push(
            verdict.findings.length === 1 ? l10n.t("1 finding") : l10n.t("{0} findings", verdict.findings.length),
        );
    }
    if (verdict.speed && verdict.ruling === "passed") parts.push(speedInShort(verdict.speed, l10n));
    if (verdict.ruling === "undecided") parts.push(l10n.t("undecided"));
    if (verdict.remembered === true) parts.push(l10n.t("cached"));
    return parts.join(" · ");
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

/** What the passing of a check shows of which nothing else is to be told: "uses nothing new". */
export function shownBy(verdict: Verdict, l10n: L10n): string[] {
    const { dependence = null } = verdict;
    if (verdict.assurance !== "") return [assured(verdict.assurance, l10n)];
    if (dependence !== null && (dependence.reason ?? "") !== "") return [dependence.reason ?? ""];
    const words: Readonly<Record<string, string>> = {
        syntax: l10n.t("it parses"),
        signature: l10n.t("unchanged"),
        policy: l10n.t("uses nothing new"),
        lint: l10n.t("no new finding"),
        types: l10n.t("no new error"),
        evidence: l10n.t("its tests depend on what it does"),
    };
    const said = verdict.findings.length === 0 ? words[verdict.verifier] : undefined;
    return said === undefined ? [] : [said];
}

function judging(candidate: Candidate, l10n: L10n): string {
    if (candidate.judging === null) return l10n.t("waiting to be checked");
    const cast = candidate.votes.filter((vote) => vote.criterion === candidate.judging);
    if (cast.length === 0) return l10n.t("checking {0}", candidate.judging);
    return l10n.t("checking {0} {1}", candidate.judging, castSoFar(cast));
}

function refusal(candidate: Candidate, l10n: L10n): string {
    const verdict = failureOf(candidate);
    if (verdict === undefined) return l10n.t("failed");
    if (verdict.votes !== null) return `${verdict.verifier} ${votes(verdict)}`;
    if (verdict.tests !== null && verdict.tests.collected > 0) {
        return `${verdict.verifier} ${verdict.tests.passed}/${verdict.tests.collected}`;
    }
    return verdict.ruling === "undecided" ? l10n.t("{0} undecided", verdict.verifier) : verdict.verifier;
}

/** How votes fell: "4/5" are in favour, of those that were of use. */
function votes(verdict: Verdict): string {
    return verdict.votes === null ? "" : `${verdict.votes.passed}/${verdict.votes.valid}`;
}

function spreadInShort(spread: Spread): string {
    return `${spread.criterion} ${plain(spread.aggregate)}/${plain(spread.high)}`;
}

/** The votes so far, as they come: three in favour and one against are "●●●○", a number stands as it is. */
function castSoFar(cast: readonly VoteCast[]): string {
    return cast
        .map(({ value }) => (value === null ? "◌" : typeof value === "number" ? plain(value) : value ? "●" : "○"))
        .join(cast.some((vote) => typeof vote.value === "number") ? " " : "");
}
