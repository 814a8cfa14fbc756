// What is said of a whole search, wherever it is shown. Pure: no editor in here.

import type { l10n } from "vscode";

import type { SearchStopped } from "../protocol";
import { sentence } from "../sentence";
import { candidates, duration, grouped, models, priced } from "./amounts";
import { bestOf } from "./state";
import type { Candidate, Search } from "./state";
import { shortScore, standingOf } from "./words";

type L10n = Pick<typeof l10n, "t">;

/** How many characters a message has at most, where that can be chosen: they are two lines of it. */
const TWO_LINES = 160;

/** What has become of a search so far. */
export type Fate = "running" | "accepted" | "verified" | "unverified" | "needless" | "empty" | "cancelled" | "broken";

/** What an outcome without a candidate means. */
const FATES: Readonly<Record<SearchStopped["outcome"], Fate>> = {
    solved: "verified",
    unverified: "unverified",
    "nothing-to-fix": "needless",
    "nothing-to-go-by": "empty",
    exhausted: "empty",
    "attempts-spent": "empty",
    "budget-spent": "empty",
    cancelled: "cancelled",
    interrupted: "broken",
    refused: "broken",
    "world-broken": "broken",
    broken: "broken",
};

/** What has become of a search so far. */
export function fateOf(search: Search): Fate {
    if (search.accepted !== null) return "accepted";
    if (search.state === "running") return "running";
    const best = bestOf(search);
    if (best !== undefined) return best.verified ? "verified" : "unverified";
    return search.end === null ? "broken" : FATES[search.end.outcome];
}

/** Whether a search can go on where it was: its server died, or its user stopped it. */
export function isResumable(search: Search): boolean {
    const outcome = search.end?.outcome ?? "";
    const untouched = search.accepted === null && search.undone === null;
    return search.state === "stopped" && untouched && ["interrupted", "cancelled"].includes(outcome);
}

/** Whether a search has ended before it began, because no test reaches a function that exists. */
export function isUntested(search: Search): boolean {
    const told = (search.baseline?.tests ?? []).some((test) => test.ruling !== "undecided");
    return search.end?.outcome === "nothing-to-go-by" && search.goal !== "implement" && !told;
}

/** A function as the user would name it: "Till.total", "outer.inner". */
export function shortName(qualname: string): string {
    return qualname.replaceAll(".<locals>.", ".");
}

/** What a search is about, as the user would name it: one function, or the two that it may change together. */
export function nameOf({ qualname, second }: Pick<Search, "qualname" | "second">): string {
    const name = shortName(qualname);
    return second === "" ? name : `${name} and ${second.slice(second.lastIndexOf("::") + 2)}`;
}

/** How a function is called, its arguments left open: "total(…)", and of a method "Till(…).total(…)". */
export function callOf(qualname: string): string {
    return `${shortName(qualname).replaceAll(".", "(…).")}(…)`;
}

/** How far a running search is: "3/8 candidates · 2 verified · best: 4 tokens changed", or what is being done before the first. */
export function progressLine(search: Search, l10n: L10n): string {
    const all = [...search.candidates.values()];
    if (all.length === 0) return beginning(search, l10n);
    const most = search.budget?.candidates ?? null;
    const verified = all.filter((each) => each.verified).length;
    const best = bestOf(search);
    const parts = [
        most === null ? candidates(all.length, l10n) : l10n.t("{0}/{1} candidates", all.length, most),
        verified > 0 ? l10n.t("{0} verified", verified) : "",
        best?.cost ? l10n.t("best: {0}", priced(best.cost, l10n)) : "",
    ];
    return parts.filter((part) => part !== "").join(" · ");
}

function beginning(search: Search, l10n: L10n): string {
    if (search.drafts.size > 0) return l10n.t("{0} being written", candidates(search.drafts.size, l10n));
    return search.message === "" ? l10n.t("starting") : search.message;
}

/** The same in as little room as a status bar has: "3/8", or nothing before the first candidate. */
export function progressInShort(search: Search): string {
    const count = search.candidates.size;
    if (count === 0) return "";
    return search.budget === null ? grouped(count) : `${count}/${search.budget.candidates}`;
}

/** A search in a few words, beside its name: how far it is, or how it ended and how long it took. */
export function stateLine(search: Search, l10n: L10n): string {
    const best = bestOf(search);
    switch (fateOf(search)) {
        case "running":
            return progressLine(search, l10n);
        case "accepted":
            return l10n.t("accepted");
        case "verified":
        case "unverified":
            return best === undefined ? "" : `${shortScore(best, l10n)} · ${tried(search, l10n)}`;
        default:
            return search.candidates.size === 0
                ? endInShort(search, l10n)
                : `${endInShort(search, l10n)} · ${tried(search, l10n)}`;
    }
}

/** How many candidates a search has seen, and in what time. */
export function tried(search: Search, l10n: L10n): string {
    return l10n.t("{0} in {1}", candidates(search.candidates.size, l10n), duration(secondsOf(search), l10n));
}

/** How a search without a candidate ended, in a few words. */
export function endInShort(search: Search, l10n: L10n): string {
    const ends: Readonly<Record<SearchStopped["outcome"], string>> = {
        solved: l10n.t("verified"),
        unverified: l10n.t("not verified"),
        "nothing-to-fix": l10n.t("nothing to repair"),
        "nothing-to-go-by": l10n.t("no test to judge by"),
        exhausted: l10n.t("nothing to propose"),
        "attempts-spent": l10n.t("every candidate failed"),
        "budget-spent": l10n.t("budget spent"),
        cancelled: l10n.t("stopped"),
        interrupted: l10n.t("interrupted"),
        refused: l10n.t("not possible as asked"),
        "world-broken": l10n.t("could not run here"),
        broken: l10n.t("ended by an internal error"),
    };
    return ends[search.end?.outcome ?? "interrupted"];
}

/** Why a search ended as it did, in whole sentences: the outcome, what only this search knows, and what may help. */
export function why(search: Search, l10n: L10n): string {
    const end = search.end;
    if (end === null) {
        return search.state === "running" ? "" : l10n.t("The server ended before the search did.");
    }
    const problems = search.baseline?.problems ?? [];
    const advice = bestOf(search) === undefined && !end.followedBy ? (end.advice ?? "") : "";
    return [end.sentence, end.reason, ...problems, advice]
        .map((said) => sentence(said))
        .filter((said) => said !== "")
        .join(" ");
}

/** The same as briefly as a message should be: what happened or why, and what may help. */
export function whyInShort(search: Search, l10n: L10n): string {
    const { end } = search;
    if (end === null) return why(search, l10n);
    const advice = bestOf(search) === undefined && !end.followedBy ? (end.advice ?? "") : "";
    const joined = (parts: string[]): string =>
        parts
            .map((said) => sentence(said))
            .filter((said) => said !== "")
            .join(" ");
    const whole = joined([end.sentence, end.reason, advice]);
    return whole.length <= TWO_LINES || end.reason === "" ? whole : joined([end.reason, advice]);
}

/** What a search has spent so far: "3 candidates, 12 s, 3 calls, 4,210 tokens, $0.0031". */
export function spentLine(search: Search, l10n: L10n): string {
    const took = search.spent === null ? "" : models(search.spent, l10n);
    const parts = [candidates(search.candidates.size, l10n), duration(secondsOf(search), l10n), took];
    return parts.filter((part) => part !== "").join(", ");
}

/** How the tests stood before any candidate: "2 of 14 tests failed before"; nothing while that is not known. */
export function baselineLine(search: Search, l10n: L10n): string {
    if (search.baseline === null) return "";
    const { tests } = search.baseline;
    const red = tests.filter((each) => each.ruling !== "passed").length;
    if (tests.length === 0) return l10n.t("No test reaches the function");
    if (tests.length === 1) return red === 0 ? l10n.t("Its test passed before") : l10n.t("Its test failed before");
    return red === 0
        ? l10n.t("All {0} tests passed before", tests.length)
        : l10n.t("{0} of {1} tests failed before", red, tests.length);
}

/** The candidates that did not pass, as they came. */
export function refused(search: Search): Candidate[] {
    return [...search.candidates.values()].filter((each) => ["failed", "undecided"].includes(standingOf(each)));
}

/** How long a search has run, as far as it has told. */
export function secondsOf(search: Search): number {
    return search.end?.spent.seconds ?? search.seconds;
}
