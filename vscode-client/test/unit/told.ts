// Searches and candidates as tests want them: told of by events, the way the server tells of them.

import type { AnyEvent, Cost, Verdict } from "../../src/protocol";
import { begin, tell } from "../../src/searches/state";
import type { Candidate, Search } from "../../src/searches/state";

/** Says everything as it stands in the source. */
export const ENGLISH = {
    t: (message: unknown, ...args: unknown[]): string =>
        String(message).replace(/\{(\d+)\}/gu, (_, place: string) => String(args[Number(place)])),
};

type WithoutHead<Event> = Event extends AnyEvent ? Omit<Event, "seq" | "search" | "at"> & { at?: number } : never;

/** An event without what numbers it. */
export type Told = WithoutHead<AnyEvent>;

/** A search of which nothing is told yet. */
export function fresh(ambient = false): Search {
    return begin({
        id: "5f0c2a9e",
        uri: "file:///till.py",
        qualname: "total",
        second: "",
        line: 1,
        instruction: "",
        mine: true,
        ambient,
    });
}

/** Tells a search of events, numbered as they come. */
export function hears(search: Search, ...events: Told[]): Search {
    for (const event of events) {
        tell(search, { at: search.seconds, ...event, seq: search.lastSeq + 1, search: search.id });
    }
    return search;
}

/** A candidate is proposed. */
export function proposes(candidateId: string, parent: string | null = null): Told {
    const origin = { generator: "scripted", note: "scripted", slot: 0, attempt: 0 };
    return { type: "candidate.proposed", candidateId, parent, origin, edits: [], diff: "", hunks: [] };
}

/** A verdict on a candidate. */
export function rules(candidateId: string, verifier: string, ruling: Verdict["ruling"], more?: Partial<Verdict>): Told {
    const plain = { findings: [], seconds: 0.1, tests: null, assurance: "", votes: null };
    return { type: "verdict", candidateId, verdict: { verifier, ruling, ...plain, ...more } };
}

/** What tests say of a candidate of which so many passed. */
export function tests(candidateId: string, passed: number, collected: number, more?: Partial<Verdict>): Told {
    const evidence = { collected, ran: collected, passed, failed: collected - passed, skipped: 0, newlyPassing: 1 };
    return rules(candidateId, "tests", passed === collected ? "passed" : "failed", {
        tests: { ...evidence, seconds: 0.1, touched: true, isolation: "bubblewrap: no network", cold: "" },
        ...more,
    });
}

/** A candidate's report is complete. */
export function scores(candidateId: string, value: number | null, verified = value !== null): Told {
    const cost: Cost | null =
        value === null ? null : { value, unit: "tokens", source: "tokens added or removed in the target", spreads: [] };
    return { type: "candidate.scored", candidateId, passed: cost !== null, verified, cost };
}

/** The candidate of that name. */
export function the(search: Search, candidateId: string): Candidate {
    const candidate = search.candidates.get(candidateId);
    if (candidate === undefined) throw new Error(`no candidate ${candidateId}`);
    return candidate;
}

/** A candidate takes its place among those that passed. */
export function ranks(candidateId: string, place: number): Told {
    return { type: "candidate.ranked", candidateId, place, of: place };
}

/** A candidate is the best one now. */
export function improves(candidateId: string, value: number): Told {
    return { type: "search.improved", candidateId, cost: { value, unit: "tokens", source: "", spreads: [] } };
}
