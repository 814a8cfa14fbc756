// A search as a tree: what stands below what, in the order in which it is read. Pure: no editor in here.

import type { Finding, Gap, KnownTest, Verdict } from "../protocol";
import { isFolded, isolationOf } from "./checks";
import { levelInWords } from "./evidenceLevel";
import { named, testOf } from "./findings";
import type { OfTest } from "./findings";
import { groupsOf, ungrouped } from "./groups";
import { fateOf, refused } from "./searchWords";
import type { Idea } from "./idea";
import type { Candidate, Draft, Search } from "./state";
import { shownGaps } from "./strengthWords";
import { wrongBefore } from "./whyRight";
import { besideInWords, standingOf } from "./words";

/** How many candidates stand side by side before the others have a branch of their own. */
export const SIDE_BY_SIDE = 50;

/** What a row of the tree is about. */
export type Kind =
    | "search"
    | "outcome"
    | "group"
    | "candidate"
    | "before"
    | "level"
    | "others"
    | "checks"
    | "verdict"
    | "finding"
    | "strength"
    | "gap"
    | "draft"
    | "ideas"
    | "idea"
    | "passed"
    | "refused"
    | "baseline"
    | "test"
    | "problem"
    | "spent";

/** A row of the tree; it has the form in which commands are told what they are about. */
export interface Row {
    /** Its name, which it keeps as long as it is there. */
    readonly id: string;
    readonly kind: Kind;
    readonly searchId: string;
    readonly candidateId?: string;
    /** The verifier of a verdict or a finding, or the test. */
    readonly name?: string;
    /** The slot of a draft, the place of a finding or group, an idea, or how many candidates stand before a branch. */
    readonly at?: number;
}

/** The row of a search. */
export function rowOf(search: Search): Row {
    return { id: search.id, kind: "search", searchId: search.id };
}

/** What stands below a row. */
export function below(search: Search, row: Row): Row[] {
    return BELOW[row.kind]?.(search, row) ?? [];
}

const BELOW: Readonly<Partial<Record<Kind, (search: Search, row: Row) => Row[]>>> = {
    search: ofSearch,
    group: ofGroup,
    candidate: ofCandidate,
    checks: ofChecks,
    verdict: ofVerdict,
    strength: ofStrength,
    passed: (search, { at }) => paged(search, ungrouped(search), "passed", at ?? 0),
    refused: (search, { at }) => paged(search, refused(search), "refused", at ?? 0),
    baseline: ofBaseline,
    ideas: (search) => ofIdeas(search, null),
    idea: (search, { at }) => ofIdeas(search, at ?? null),
};

/** The candidate that a row is about. */
export function candidateOf(search: Search, { candidateId }: Row): Candidate | undefined {
    return candidateId === undefined ? undefined : search.candidates.get(candidateId);
}

/** The verdict that a row is about. */
export function verdictOf(search: Search, row: Row): Verdict | undefined {
    return candidateOf(search, row)?.verdicts.find((each) => each.verifier === row.name);
}

/** The finding that a row is about. */
export function findingOf(search: Search, row: Row): Finding | undefined {
    return row.kind === "finding" ? verdictOf(search, row)?.findings[row.at ?? 0] : undefined;
}

/** The draft that a row is about. */
export function draftOf(search: Search, row: Row): Draft | undefined {
    return search.drafts.get(row.at ?? 0);
}

/** The idea that a row is about. */
export function ideaOf(search: Search, row: Row): Idea | undefined {
    return row.kind === "idea" ? search.ideas.get(row.at ?? 0) : undefined;
}

/** The ideas that were had by going on from one of them; from none, those that came first. */
export function ofIdeas(search: Search, parent: number | null): Row[] {
    const numbers = [...search.ideas].filter(([, idea]) => idea.parent === parent).map(([number]) => number);
    return numbers.map((at) => row(search, "idea", { at }));
}

/** The test that a row below the baseline is about, as it stood before, and whether it is set aside. */
export function standingTest(search: Search, row: Row): { test: KnownTest; aside: boolean } | undefined {
    const { tests = [], setAside = [] } = search.baseline ?? {};
    const aside = setAside.find((each) => each.id === row.name);
    const test = aside ?? tests.find((each) => each.id === row.name);
    return test === undefined ? undefined : { test, aside: aside !== undefined };
}

/** The test that a row is about, be it one that stood there before or one that a finding names. */
export function testOfRow(search: Search, row: Row): OfTest | undefined {
    if (row.kind === "test") return named(row.name ?? "", standingTest(search, row)?.test.message ?? "");
    const finding = findingOf(search, row);
    return finding === undefined ? undefined : testOf(finding.message, search.baseline?.tests ?? []);
}

function ofSearch(search: Search): Row[] {
    const judging = [...search.candidates.values()].filter((each) => standingOf(each) === "judging");
    const rows: Row[] = [];
    if (saysWhy(search)) rows.push(row(search, "outcome"));
    rows.push(...groupsOf(search).map((_, at) => row(search, "group", { at })));
    rows.push(...paged(search, ungrouped(search), "passed", 0), ...judging.map((each) => ofOne(search, each)));
    if (search.state === "running") {
        rows.push(...[...search.drafts.keys()].sort((a, b) => a - b).map((slot) => row(search, "draft", { at: slot })));
    }
    if (search.ideas.size > 0) rows.push(row(search, "ideas"));
    if (refused(search).length > 0) rows.push(row(search, "refused"));
    if (search.baseline !== null) rows.push(row(search, "baseline"));
    if (search.candidates.size > 0 || search.spent !== null) rows.push(row(search, "spent"));
    return rows;
}

/** Whether what a search ended with has to be said in a row of its own, for no candidate says it. */
function saysWhy(search: Search): boolean {
    return !["running", "accepted", "verified"].includes(fateOf(search));
}

/** Candidates from one of them on, as many as stand side by side, and a branch with those after them. */
function paged(search: Search, all: readonly Candidate[], kind: "passed" | "refused", from = 0): Row[] {
    const until = from + SIDE_BY_SIDE;
    const rows = all.slice(from, until).map((each) => ofOne(search, each));
    if (all.length > until) rows.push(row(search, kind, { at: until }));
    return rows;
}

function ofGroup(search: Search, { at = 0 }: Row): Row[] {
    return groupsOf(search)[at]?.map((each) => ofOne(search, each)) ?? [];
}

function ofOne(search: Search, candidate: Candidate): Row {
    return row(search, "candidate", { candidateId: candidate.id });
}

/** In the order of the card: what went wrong, how it was before, its evidence, its rivals, its strength, and the checks that passed. */
function ofCandidate(search: Search, about: Row): Row[] {
    const candidate = candidateOf(search, about);
    if (candidate === undefined) return [];
    const candidateId = candidate.id;
    const confined = isolationOf(candidate);
    const open = candidate.verdicts.filter((each) => !isFolded(each, confined));
    const names = open.map(({ verifier }) => verifier);
    if (candidate.judging !== null) names.push(candidate.judging);
    const rows = [...new Set(names)].map((name) => row(search, "verdict", { candidateId, name }));
    if (candidate.passed === true && wrongBefore(search, AS_IS) !== "")
        rows.push(row(search, "before", { candidateId }));
    if (levelInWords(candidate, AS_IS) !== "") rows.push(row(search, "level", { candidateId }));
    if (besideInWords(search, candidate, AS_IS) !== "") rows.push(row(search, "others", { candidateId }));
    if ((candidate.strength?.tried ?? 0) > 0) rows.push(row(search, "strength", { candidateId }));
    if (open.length < candidate.verdicts.length) rows.push(row(search, "checks", { candidateId }));
    return rows;
}

/** Only whether there are words matters where a row is made, not which. */
const AS_IS = { t: String };

/** The checks that passed and share a row. */
function ofChecks(search: Search, about: Row): Row[] {
    const candidate = candidateOf(search, about);
    if (candidate === undefined) return [];
    const confined = isolationOf(candidate);
    const folded = candidate.verdicts.filter((each) => isFolded(each, confined));
    return folded.map(({ verifier }) => row(search, "verdict", { candidateId: candidate.id, name: verifier }));
}

function ofStrength(search: Search, about: Row): Row[] {
    const { strength = null, id: candidateId = "" } = candidateOf(search, about) ?? {};
    return strength === null ? [] : shownGaps(strength).map((_, at) => row(search, "gap", { candidateId, at }));
}

/** The gap that a row is about. */
export function gapOf(search: Search, row: Row): Gap | undefined {
    const strength = candidateOf(search, row)?.strength ?? null;
    return strength === null ? undefined : shownGaps(strength)[row.at ?? 0];
}

function ofVerdict(search: Search, about: Row): Row[] {
    const { candidateId, name } = about;
    return (verdictOf(search, about)?.findings ?? []).map((_, at) => row(search, "finding", { candidateId, name, at }));
}

function ofBaseline(search: Search): Row[] {
    if (search.baseline === null) return [];
    const { tests, setAside, problems } = search.baseline;
    const red = tests.filter((each) => each.ruling !== "passed");
    return [
        ...[...red, ...setAside].map((each) => row(search, "test", { name: each.id })),
        ...problems.map((_, at) => row(search, "problem", { at })),
    ];
}

function row(search: Search, kind: Kind, about: Omit<Row, "id" | "kind" | "searchId"> = {}): Row {
    const { candidateId = "", name = "", at = "" } = about;
    return { id: [search.id, kind, candidateId, name, at].join("/"), kind, searchId: search.id, ...about };
}
