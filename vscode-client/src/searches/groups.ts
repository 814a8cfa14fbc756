// Candidates that passed, in groups that behave alike. Pure: no editor in here.

import type { l10n } from "vscode";

import type { Observation } from "../protocol";
import type { Candidate, Search } from "./state";
import { ranked } from "./state";

type L10n = Pick<typeof l10n, "t">;

/** Results that are no values. */
const DEEDS = /^(?:raises |yields |does not come back)/u;

/** The groups that behave alike, the likeliest first; none where no two were seen to behave differently. */
export function groupsOf(search: Search): Candidate[][] {
    const groups = new Map<string, Candidate[]>();
    for (const candidate of ranked(search)) {
        const key = keyOf(candidate);
        if (key !== "") groups.set(key, [...(groups.get(key) ?? []), candidate]);
    }
    return groups.size > 1 ? [...groups.values()] : [];
}

/** The candidates that passed and are in no group. */
export function ungrouped(search: Search): Candidate[] {
    const grouped = new Set(groupsOf(search).flat());
    return ranked(search).filter((each) => !grouped.has(each));
}

/** How many behave like a group: "2 of 3 agree"; of candidates that did not vote, who they are. */
export function groupInShort(group: readonly Candidate[], l10n: L10n): string {
    const { agreeing = 0, compared = 0 } = group[0]?.compared ?? {};
    if (compared > 1 && agreeing === 1) return l10n.t("no other of {0} agrees", compared);
    if (compared > 1) return l10n.t("{0} of {1} agree", agreeing, compared);
    return l10n.t("Behave alike: {0}", group.map(({ number }) => `#${number}`).join(", "));
}

/** What the candidates of a group give on the call that tells groups apart: "median([3, 1, 2]) → 2"; empty without one. */
export function givenBy(search: Search, group: readonly Candidate[]): string {
    const question = questionOf(search);
    const answer = question?.answers.find(({ of }) => of.some((each) => group.includes(each)));
    return question === undefined || answer === undefined ? "" : `${question.call} → ${answer.result}`;
}

/** A question whose answer tells groups apart: what a call gives, and the candidates that have it give so. */
export interface Question {
    readonly call: string;
    readonly answers: readonly { readonly result: string; readonly of: readonly Candidate[] }[];
}

/** The question that decides between groups, the answer of the likeliest first; undefined where there is none. */
export function questionOf(search: Search): Question | undefined {
    const groups = groupsOf(search);
    const told = mostTelling(seenOf(groups[0]?.[0]), seenOf(groups[1]?.[0]));
    if (told === undefined) return undefined;
    const answers = new Map<string, Candidate[]>();
    for (const group of groups) {
        const result = seenOf(group[0]).find(({ call }) => call === told.call)?.result;
        if (result !== undefined) answers.set(result, [...(answers.get(result) ?? []), ...group]);
    }
    return { call: told.call, answers: [...answers].map(([result, of]) => ({ result, of })) };
}

/** Whether a result is a value, which an example can demand. */
export function isValue(result: string): boolean {
    return !DEEDS.test(result);
}

/** The call on which two differ; one for which both give values comes before one for which one gives none. */
export function mostTelling(
    ours: readonly Observation[],
    theirs: readonly Observation[],
): { call: string; ours: string; theirs: string } | undefined {
    const results = new Map(theirs.map(({ call, result }) => [call, result]));
    const found = ours
        .map(({ call, result }) => ({ call, ours: result, theirs: results.get(call) ?? result }))
        .filter((each) => each.ours !== each.theirs);
    return found.find((each) => !DEEDS.test(each.ours) && !DEEDS.test(each.theirs)) ?? found[0];
}

function seenOf(candidate: Candidate | undefined): readonly Observation[] {
    return candidate?.compared?.observations ?? [];
}

/** What those that behave alike have in common; empty for one that was not compared. */
function keyOf({ compared }: Candidate): string {
    const { group = 0, observations = [] } = compared ?? {};
    if (group > 0) return String(group);
    return observations.length > 0 ? JSON.stringify(observations) : "";
}
