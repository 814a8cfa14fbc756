// What the score history's page and the extension tell each other. Both read this file, so that they agree.

/** What has become of a candidate, which decides its mark. */
export type Standing = "judging" | "verified" | "notApart" | "unverified" | "undecided" | "failed";

/** A name and what it stands for, in finished words. */
export interface Named {
    readonly name: string;
    readonly value: string;
}

/** What one verifier said of a candidate, in finished words. */
export interface Said {
    readonly sign: string;
    readonly verifier: string;
    readonly says: string;
    readonly time: string;
}

/** A candidate, as the page draws it. */
export interface Drawn {
    readonly id: string;
    readonly number: number;
    readonly parent: string | null;
    readonly slot: number;
    readonly standing: Standing;
    /** What it costs; null where it has no price. */
    readonly cost: number | null;
    /** When it was scored, or else proposed, in seconds since the search began. */
    readonly at: number;
    /** The seconds of each verifier of the picture, in that order; null for one that was not asked. */
    readonly times: readonly (number | null)[];
    /** "Candidate #3". */
    readonly title: string;
    /** All that is said of it in a line, for those who hear it or point at it. */
    readonly label: string;
    /** Its verdict in words, and what that rests on. */
    readonly says: string;
    readonly facts: readonly Named[];
    readonly verdicts: readonly Said[];
    readonly canBeAccepted: boolean;
}

/** A moment, and how something stood from then on. */
export interface Step {
    readonly at: number;
    readonly value: number;
}

/** How much was spent over time, in one unit. */
export interface Spending {
    readonly steps: readonly Step[];
    /** As much as may be spent; null when there is no limit. */
    readonly budget: number | null;
    readonly unit: "calls" | "tokens" | "dollars";
}

/** What stands on the page besides what is drawn, in the user's language. */
export interface Words {
    readonly tree: string;
    readonly scores: string;
    readonly spending: string;
    readonly times: string;
    readonly details: string;
    readonly diff: string;
    readonly accept: string;
    readonly retry: string;
    readonly asTable: string;
    readonly candidate: string;
    readonly line: string;
    readonly parent: string;
    readonly verdict: string;
    readonly cost: string;
    readonly noCost: string;
    readonly at: string;
    readonly total: string;
    readonly keys: string;
    readonly allowed: string;
    readonly nothing: string;
    readonly inSeconds: string;
    readonly inMinutes: string;
    readonly best: string;
    readonly standings: Readonly<Record<Standing, string>>;
}

/** A search, as the page draws it. */
export interface Picture {
    /** The language of the words, for numbers and for whoever reads them aloud. */
    readonly language: string;
    readonly heading: string;
    /** What becomes, or has become, of the search. */
    readonly outcome: string;
    readonly facts: readonly Named[];
    readonly best: string | null;
    /** The cost of the best candidate from each improvement on. */
    readonly improvements: readonly (Step & { readonly id: string })[];
    readonly seconds: number;
    /** What the axes count. */
    readonly costAxis: string;
    readonly spendAxis: string;
    readonly spending: Spending | null;
    readonly verifiers: readonly string[];
    /** Names of the lanes, by their slot. */
    readonly lines: readonly string[];
    /** What each picture shows, in a sentence. */
    readonly summaries: Readonly<Record<"tree" | "scores" | "spending" | "times", string>>;
    /** What is read aloud when it changes. */
    readonly news: string;
    /** Whether the search is still there to be acted upon. */
    readonly live: boolean;
    readonly words: Words;
}

/** What the page is told: how the search stands, and the candidates that are new to it or have changed. */
export interface ToPage {
    readonly picture: Picture;
    readonly changed: readonly Drawn[];
    /** Whether `changed` is every candidate there is. */
    readonly whole: boolean;
}

/** What the page asks for. */
export type FromPage =
    | { readonly type: "ready" }
    | { readonly type: "diff" | "accept" | "retry"; readonly candidateId: string };

/** Reads a message of the page's; undefined when it is none. */
export function fromPage(message: unknown): FromPage | undefined {
    if (typeof message !== "object" || message === null || !("type" in message)) return undefined;
    if (message.type === "ready") return { type: "ready" };
    if (!("candidateId" in message) || typeof message.candidateId !== "string") return undefined;
    const { type, candidateId } = message;
    return type === "diff" || type === "accept" || type === "retry" ? { type, candidateId } : undefined;
}

/** What the page keeps while it is hidden, and after a reload of the window. */
export interface Kept {
    readonly searchId: string;
    /** The document that the search is about, by which it is found again. */
    readonly uri: string;
    /** The candidate that the user has chosen; null while the best one is shown. */
    readonly chosen: string | null;
    readonly scroll: number;
    readonly open: readonly string[];
}

/** Reads what was kept; what is not as it should be is as if it had never been kept. */
export function keptFrom(value: unknown): Kept {
    const kept: Partial<Record<keyof Kept, unknown>> = typeof value === "object" && value !== null ? value : {};
    return {
        searchId: typeof kept.searchId === "string" ? kept.searchId : "",
        uri: typeof kept.uri === "string" ? kept.uri : "",
        chosen: typeof kept.chosen === "string" ? kept.chosen : null,
        scroll: typeof kept.scroll === "number" ? kept.scroll : 0,
        open: Array.isArray(kept.open) ? kept.open.filter((each) => typeof each === "string") : [],
    };
}
