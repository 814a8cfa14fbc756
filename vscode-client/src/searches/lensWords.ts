// What the code lenses of a search say, and which command each runs. Pure: no editor in here.

import type { l10n } from "vscode";

import { inert } from "../inert";
import { candidates } from "./amounts";
import { changeInShort } from "./changeWords";
import { groupInShort, groupsOf } from "./groups";
import { endInShort, fateOf, isResumable, progressLine, why } from "./searchWords";
import { bestOf } from "./state";
import type { Candidate, Search } from "./state";
import { candidateInWords, scoreLine } from "./words";

type L10n = Pick<typeof l10n, "t">;

/** One lens: its words, the command that it runs, and the candidate that this is about. */
export interface LensWords {
    readonly title: string;
    readonly tooltip: string;
    readonly command: string;
    readonly candidateId?: string;
}

/**
 * The lenses of a search, from left to right.
 *
 * Where the score stands beside the function already (`scored`), they do not say it again.
 */
export function lensesOf(search: Search, scored: boolean, l10n: L10n): LensWords[] {
    const best = bestOf(search);
    // A second click where Stop was must not hit what takes its place.
    if (search.stopping) return [inView(icon("$(sync~spin)", l10n.t("stopping")), l10n)];
    switch (fateOf(search)) {
        case "accepted":
            return [];
        case "running":
            // What nobody has asked for is shown once there is something to be had.
            if (search.ambient) return [];
            return running(search, best, l10n);
        case "verified":
        case "unverified":
            return best === undefined ? [] : found(search, best, scored, l10n);
        default:
            return [empty(search, l10n), ...resume(search, l10n), retry(l10n), dismiss(l10n)];
    }
}

function running(search: Search, best: Candidate | undefined, l10n: L10n): LensWords[] {
    const lenses = [
        inView(icon("$(sync~spin)", progressLine(search, l10n)), l10n),
        {
            title: l10n.t("Stop"),
            tooltip: l10n.t("Stop the search, and end every process of it"),
            command: "certo.search.stop",
        },
    ];
    if (best === undefined) return lenses;
    const now: LensWords = {
        title: l10n.t("Accept #{0} now", best.number),
        tooltip: l10n.t("Accept the best candidate so far, and stop"),
        command: "certo.candidate.accept",
        candidateId: best.id,
    };
    return best.verified ? [...lenses, now] : lenses;
}

function found(search: Search, best: Candidate, scored: boolean, l10n: L10n): LensWords[] {
    const sign = best.verified ? "$(pass)" : "$(question)";
    const said = candidateInWords(best, l10n);
    const { size } = search.candidates;
    const groups = groupsOf(search);
    const [first] = groups.filter((group) => group.includes(best));
    const beside = first === undefined ? l10n.t("best of {0}", candidates(size, l10n)) : groupInShort(first, l10n);
    const short = size === 1 ? said : `${said}, ${beside}`;
    const accept: LensWords = {
        title: l10n.t("Accept"),
        tooltip: best.verified
            ? l10n.t("Verify candidate #{0} on your current text, and accept it", best.number)
            : l10n.t("Accept candidate #{0}, which is not verified: {1}", best.number, best.caveat),
        command: "certo.candidate.accept",
        candidateId: best.id,
    };
    const review: LensWords = {
        title: l10n.t("Review"),
        tooltip: l10n.t("Compare the candidates with your code"),
        command: "certo.search.review",
    };
    if (search.ambient) {
        const change = l10n.t("verified fix ready: {0}", changeInShort(best, l10n));
        return [inView(icon("$(lightbulb)", change), l10n), accept, review, dismiss(l10n)];
    }
    const heading = inView(scored ? icon(sign, short) : scoreLine(best, l10n), l10n);
    // What nothing has verified is to be looked at first.
    const steps = best.verified ? [accept, review] : [review, accept];
    const decide: LensWords = {
        title: l10n.t("Which Is Right?"),
        tooltip: l10n.t("Candidates that pass behave differently; one answer decides, and becomes an example"),
        command: "certo.search.decide",
    };
    return [heading, ...steps, ...(groups.length > 1 ? [decide] : []), retry(l10n), dismiss(l10n)];
}

/** How a search without a candidate ended; whoever rests the pointer on it reads why, and what may help. */
function empty(search: Search, l10n: L10n): LensWords {
    const heading = inView(icon(nothing(search), endInShort(search, l10n)), l10n);
    return { ...heading, tooltip: why(search, l10n) };
}

function nothing(search: Search): string {
    switch (fateOf(search)) {
        case "needless":
            return "$(pass)";
        case "broken":
            return "$(error)";
        default:
            return "$(circle-slash)";
    }
}

/** Words behind an icon; an ordinary space after an icon is lost in a lens. */
function icon(name: string, words: string): string {
    return `${name}\u00a0${inert(words)}`;
}

function inView(title: string, l10n: L10n): LensWords {
    return { title, tooltip: l10n.t("Show the candidates in the Certo view"), command: "certo.searches.focus" };
}

function resume(search: Search, l10n: L10n): LensWords[] {
    if (!isResumable(search)) return [];
    const tooltip = l10n.t("Continue the search without paying again for what it has");
    return [{ title: l10n.t("Resume"), tooltip, command: "certo.search.resume" }];
}

function retry(l10n: L10n): LensWords {
    return {
        title: l10n.t("Retry…"),
        tooltip: l10n.t("Search again, with an example, feedback, more candidates or another model"),
        command: "certo.search.retry",
    };
}

function dismiss(l10n: L10n): LensWords {
    return { title: l10n.t("Dismiss"), tooltip: l10n.t("Dismiss this search"), command: "certo.search.forget" };
}
