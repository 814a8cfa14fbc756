// How the documents of a review are called in their tabs. Pure: no editor in here.

import type { l10n } from "vscode";

import { preferred } from "../searches/preference";
import { nameOf } from "../searches/searchWords";
import type { Candidate, Search } from "../searches/state";
import { scoreParts, SIGNS, standingOf } from "../searches/words";

type L10n = Pick<typeof l10n, "t">;

/**
 * What the two sides of a diff are: the document against the candidate, which is as it was found (`same`), or carried
 * over to what was changed elsewhere (`moved`) or in the function itself (`merged`); or else, where that cannot be had,
 * the text the search began with against the candidate (`apart`).
 */
export type Fit = "same" | "moved" | "merged" | "apart";

/** The title of the diff of a candidate: `total: candidate #2 of 5 ✓ 14/14 tests`. */
export function diffTitle(search: Search, candidate: Candidate, fit: Fit, l10n: L10n): string {
    const title = l10n.t("{0}: candidate #{1} of {2}", nameOf(search), candidate.number, search.candidates.size);
    const standing = standingOf(candidate);
    // A title stays as it was when the tab was opened, so it says nothing that is soon not so any more.
    const score = standing === "judging" ? "" : `${SIGNS[standing]} ${scoreParts(candidate, l10n)[0] ?? ""}`.trim();
    return [title, score, fitInWords(fit, l10n)].filter((part) => part !== "").join(" ");
}

/** What has to be said of a diff whose left side, or right side, is not what one would think. */
function fitInWords(fit: Fit, l10n: L10n): string {
    switch (fit) {
        case "same":
            return "";
        case "moved":
            return l10n.t("(on your current text)");
        case "merged":
            return l10n.t("(merged with your changes)");
        case "apart":
            return l10n.t("(on the text the search began with)");
    }
}

/** The title of the diff of two candidates: `total: #1 ✓ recommended ↔ #3 ✗`. */
export function pairTitle(search: Search, one: Candidate, other: Candidate, l10n: L10n): string {
    const better = preferred(one, other);
    const named = (candidate: Candidate): string => {
        const said = `#${candidate.number} ${SIGNS[standingOf(candidate)]}`;
        return candidate === better ? l10n.t("{0} recommended", said) : said;
    };
    return l10n.t("{0}: {1} ↔ {2}", nameOf(search), named(one), named(other));
}
