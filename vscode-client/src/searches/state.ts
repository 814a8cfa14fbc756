// A search as its events have told of it so far. Pure: no editor in here.

import type {
    AnyEvent,
    Baseline,
    Budget,
    Cost,
    FileChange,
    GradedEvidence,
    Hunk,
    Origin,
    SearchStopped,
    Spent,
    Standing,
    TestStrength,
    TextEdit,
    Verdict,
    VoteCast,
} from "../protocol";
import type { Idea } from "./idea";
import { proposed } from "./proposed";

/** One candidate of a search. */
export interface Candidate {
    readonly id: string;
    /** Which one it is in the order they came, from 1. */
    readonly number: number;
    readonly parent: string | null;
    readonly origin: Origin;
    readonly edits: readonly TextEdit[];
    readonly diff: string;
    readonly hunks: readonly Hunk[];
    /** What it changes in other files. */
    readonly elsewhere: readonly FileChange[];
    readonly verdicts: Verdict[];
    readonly votes: VoteCast[];
    /** When it was proposed and when it was scored, in seconds since the search began. */
    readonly proposedAt: number;
    scoredAt: number | null;
    /** The verifier that judges it now. */
    judging: string | null;
    /** Whether every verifier let it through; null while they judge. */
    passed: boolean | null;
    /** Whether the search ended before it was judged. */
    left: boolean;
    verified: boolean;
    /** Why it is not verified though it passed, or not tried apart from the tests; empty where nothing is to be added. */
    caveat: string;
    cost: Cost | null;
    /** Its rank among those that passed, from 1. */
    place: number | null;
    /** How it acts beside the others that passed; null where nobody compared them. */
    compared: Standing | null;
    /** How many small changes of it its tests notice; null until that is measured, after the search. */
    strength: TestStrength | null;
    /** How strong the evidence for it is, if it is verified; null until the search has ended. */
    graded: GradedEvidence | null;
}

/** What a language model is writing on one lane. */
export interface Draft {
    readonly slot: number;
    readonly attempt: number;
    readonly model: string;
    text: string;
    diff: string;
    lines: number;
}

/** A search, from what has been told of it. */
export interface Search {
    readonly id: string;
    readonly uri: string;
    readonly qualname: string;
    /** The function that candidates may change together with it, as "PATH::NAME"; empty if there is none. */
    readonly second: string;
    /** The line the function began on in the base text, from 1. */
    line: number;
    readonly instruction: string;
    /** Whether the user of this window asked for it, or had it go on. */
    mine: boolean;
    /** Whether a failing test began it without anybody asking. */
    readonly ambient: boolean;
    state: "running" | "stopped";
    /** Whether the user has just stopped it. */
    stopping: boolean;
    /** What is being done, in a few words. */
    message: string;
    root: string;
    goal: string;
    generator: string;
    strategy: string;
    verifiers: readonly string[];
    baseline: Baseline | null;
    budget: Budget | null;
    spent: Spent | null;
    /** How much had been spent, at each moment at which that was told. */
    readonly spending: { readonly at: number; readonly spent: Spent }[];
    readonly candidates: Map<string, Candidate>;
    readonly drafts: Map<number, Draft>;
    /** The best candidate so far. */
    best: string | null;
    /** Every improvement: when, which candidate, and what it costs. */
    readonly improvements: { readonly at: number; readonly candidateId: string; readonly cost: number }[];
    /** Lanes that ended without a candidate, with their reasons. */
    readonly declined: { readonly slot: number; readonly reason: string }[];
    /** What there is to try, by number, where the strategy has ideas. */
    readonly ideas: Map<number, Idea>;
    end: SearchStopped | null;
    /** The candidate that was accepted. The server has forgotten the search then. */
    accepted: string | null;
    /** The candidate that had been accepted, which the user has undone since. */
    undone: string | null;
    lastSeq: number;
    /** When the last event came, in seconds since the search began. */
    seconds: number;
}

/** What is known of a search before its first event. */
export type Beginning = Pick<
    Search,
    "id" | "uri" | "qualname" | "second" | "line" | "instruction" | "mine" | "ambient"
>;

/** A search of which nothing has been told yet. */
export function begin(beginning: Beginning): Search {
    return {
        ...beginning,
        state: "running",
        stopping: false,
        message: "",
        root: "",
        goal: "",
        generator: "",
        strategy: "",
        verifiers: [],
        baseline: null,
        budget: null,
        spent: null,
        spending: [],
        candidates: new Map(),
        drafts: new Map(),
        best: null,
        improvements: [],
        declined: [],
        ideas: new Map(),
        end: null,
        accepted: null,
        undone: null,
        lastSeq: 0,
        seconds: 0,
    };
}

/** Takes note of an event. One that was told before, and one of a kind that is not known, change nothing. */
export function tell(search: Search, event: AnyEvent): void {
    if (event.seq <= search.lastSeq) return;
    search.lastSeq = event.seq;
    // What the user edits is told behind the end, and took none of the search's time.
    if (search.end === null) search.seconds = event.at;
    switch (event.type) {
        case "search.preparing":
        case "generator.progress":
            search.message = event.message;
            break;
        case "candidate.looked":
            search.message = `${event.model}: ${event.tool} ${event.arguments}`;
            break;
        case "search.resumed":
            goOn(search);
            break;
        case "search.started":
            search.root = event.root;
            search.line = event.line;
            search.goal = event.goal;
            search.generator = event.generator;
            search.strategy = event.strategy;
            search.verifiers = event.verifiers;
            search.baseline = event.baseline;
            search.budget = event.budget;
            break;
        case "budget":
            search.spent = event.spent;
            search.spending.push({ at: event.at, spent: event.spent });
            search.budget = event.budget;
            break;
        case "search.stopped":
            search.state = "stopped";
            search.end = event;
            search.spent = event.spent;
            search.spending.push({ at: event.at, spent: event.spent });
            search.drafts.clear();
            leaveUnjudged(search);
            break;
        default:
            tellOfCandidate(search, event);
    }
}

/** A search that had stopped runs again; its ideas are told once more, and so is what was not judged to the end. */
function goOn(search: Search): void {
    search.state = "running";
    search.end = null;
    search.message = "";
    search.drafts.clear();
    search.ideas.clear();
    search.declined.length = 0;
    for (const candidate of search.candidates.values()) {
        if (candidate.passed === null) candidate.judging = null;
        candidate.left = false;
        candidate.graded = null; // until the end, when it is known anew what else passes
    }
}

/** What the verifiers had not finished when the search ended stays as it is. */
function leaveUnjudged(search: Search): void {
    for (const candidate of search.candidates.values()) {
        if (candidate.passed !== null) continue;
        candidate.judging = null;
        candidate.left = true;
    }
}

type OfCandidate = Exclude<
    AnyEvent,
    {
        type:
            | "search.preparing"
            | "generator.progress"
            | "candidate.looked"
            | "search.resumed"
            | "search.started"
            | "budget"
            | "search.stopped";
    }
>;

function drop(search: Search, number: number, reason: string): void {
    const idea = search.ideas.get(number);
    if (idea !== undefined) idea.dropped = reason;
}

function tellOfCandidate(search: Search, event: OfCandidate): void {
    switch (event.type) {
        case "candidate.written":
        case "candidate.drafted":
            write(search, event);
            break;
        case "candidate.declined":
            search.drafts.delete(event.slot);
            search.declined.push({ slot: event.slot, reason: event.reason });
            break;
        case "idea.added":
            search.ideas.set(event.idea, { text: event.text, parent: event.parent, dropped: "" });
            break;
        case "idea.dropped":
            drop(search, event.idea, event.reason);
            break;
        case "candidate.repeated":
            search.drafts.delete(event.origin.slot);
            break;
        case "candidate.proposed":
            // What was made beside the lanes, such as an edit of a near miss, ends no draft.
            if ([event.origin.generator, ""].includes(search.generator)) search.drafts.delete(event.origin.slot);
            search.candidates.set(event.candidateId, {
                ...proposed(event),
                number: search.candidates.get(event.candidateId)?.number ?? search.candidates.size + 1,
            });
            break;
        default:
            judge(search, event);
    }
}

type Judged = Exclude<
    OfCandidate,
    {
        type:
            | "candidate.written"
            | "candidate.drafted"
            | "idea.added"
            | "idea.dropped"
            | "candidate.declined"
            | "candidate.repeated"
            | "candidate.proposed";
    }
>;

/** What no view shows. */
function isUnshown(event: Judged): event is Extract<Judged, { type: "strength.progress" | "speed.measured" }> {
    return event.type === "strength.progress" || event.type === "speed.measured";
}

function judge(search: Search, event: Judged): void {
    const candidate = search.candidates.get(event.candidateId);
    if (candidate === undefined || isUnshown(event)) return;
    if (event.type === "strength.measured") candidate.strength = event.strength;
    else if (event.type === "evidence.graded") candidate.graded = event.graded;
    else rule(search, candidate, event);
}

function rule(
    search: Search,
    candidate: Candidate,
    event: Exclude<Judged, { type: "strength.progress" | "speed.measured" | "strength.measured" | "evidence.graded" }>,
): void {
    switch (event.type) {
        case "verifier.started":
            candidate.judging = event.verifier;
            break;
        case "vote":
            candidate.votes.push(event);
            break;
        case "verdict":
            candidate.judging = null;
            candidate.verdicts.push(event.verdict);
            break;
        case "candidate.scored":
            candidate.judging = null;
            candidate.passed = event.passed;
            candidate.left = false;
            candidate.verified = event.verified;
            candidate.caveat = event.caveat ?? "";
            candidate.cost = event.cost;
            candidate.scoredAt = event.at;
            break;
        case "candidate.ranked":
            rank(search, candidate, event.place);
            break;
        case "search.improved":
            search.best = candidate.id;
            search.improvements.push({ at: event.at, candidateId: candidate.id, cost: event.cost.value });
            break;
        case "candidate.compared":
            candidate.compared = event.standing;
            break;
        default:
            // A later server may tell of more.
            event satisfies never;
    }
}

function write(search: Search, event: Extract<AnyEvent, { type: "candidate.written" | "candidate.drafted" }>): void {
    const { slot, attempt, model } = event;
    const known = search.drafts.get(slot);
    const draft = known?.attempt === attempt ? known : { slot, attempt, model, text: "", diff: "", lines: 0 };
    search.drafts.set(slot, draft);
    if (event.type === "candidate.drafted") {
        draft.diff = event.diff;
        draft.lines = event.lines;
    } else {
        // Characters are counted in code points, of which a string of JavaScript may need two units each.
        draft.text = Array.from(draft.text).slice(0, event.atCharacter).join("") + event.text;
    }
}

/** Puts a candidate at its place; those that stood there and behind move down by one. */
function rank(search: Search, candidate: Candidate, place: number): void {
    const order = ranked(search).filter((each) => each !== candidate);
    order.splice(place - 1, 0, candidate);
    order.forEach((each, index) => {
        each.place = index + 1;
    });
}

/** The candidates that passed, the best one first. */
export function ranked(search: Search): Candidate[] {
    return [...search.candidates.values()]
        .filter((each) => each.place !== null)
        .sort((one, other) => (one.place ?? 0) - (other.place ?? 0));
}

/** All candidates in the order in which they are shown: those that passed by rank, then the others as they came. */
export function shown(search: Search): Candidate[] {
    return [...ranked(search), ...[...search.candidates.values()].filter((each) => each.place === null)];
}

/** The best candidate by all that is known, which stands first wherever candidates are listed; undefined without one. */
export function bestOf(search: Search): Candidate | undefined {
    return ranked(search)[0] ?? (search.best === null ? undefined : search.candidates.get(search.best));
}

/** The candidate that a lane came to at an attempt; undefined while, or when, it came to none. */
export function madeOf(search: Search, slot: number, attempt: number): Candidate | undefined {
    return [...search.candidates.values()].find(({ origin }) => origin.slot === slot && origin.attempt === attempt);
}
