// How a search ended, in a sentence, and what can be done next. Pure: no editor in here.

import type { l10n } from "vscode";

import { groupsOf } from "./groups";
import { fateOf, nameOf, whyInShort } from "./searchWords";
import { bestOf } from "./state";
import type { Search } from "./state";
import { besideInWords, candidateInWords, shortScore } from "./words";

type L10n = Pick<typeof l10n, "t">;

/** Something that can be done about a search that has ended. */
export interface Choice {
    readonly label: string;
    readonly command: string;
    readonly candidateId?: string;
}

/** How a search ended: whether that is good news, nobody's fault, or something that is to be mended. */
export interface End {
    readonly kind: "found" | "empty" | "broken";
    readonly sentence: string;
    readonly choices: readonly Choice[];
}

/** What is to be said of the end of a search; undefined where the user has brought it about, or knows. */
export function endOf(search: Search, l10n: L10n): End | undefined {
    // A server that has gone away is another's to tell of.
    if (search.end === null) return undefined;
    const name = nameOf(search);
    const retry: Choice = { label: l10n.t("Retry…"), command: "certo.search.retry" };
    const review: Choice = { label: l10n.t("Review"), command: "certo.search.review" };
    const sentence = `${name}: ${whyInShort(search, l10n)}`;
    switch (fateOf(search)) {
        case "verified":
            return verified(search, review, l10n);
        case "unverified":
            return {
                kind: "empty",
                sentence: l10n.t(
                    "{0}: a candidate passed, but {1}, so it is not verified. Review it before you accept it, or add a test and retry.",
                    name,
                    bestOf(search)?.caveat ?? "",
                ),
                choices: [review, retry],
            };
        case "needless":
            return { kind: "found", sentence, choices: [] };
        case "empty":
            if (search.end.followedBy) return { kind: "found", sentence: passedOn(sentence, l10n), choices: [] };
            return { kind: "empty", sentence, choices: [retry] };
        case "broken": {
            const doctor = { label: l10n.t("Doctor"), command: "certo.doctor" };
            const log = { label: l10n.t("Show the Log"), command: "certo.showLog" };
            const choices = search.end.outcome === "refused" ? [retry] : [doctor, log];
            return { kind: "broken", sentence, choices };
        }
        default:
            return undefined;
    }
}

/** A search that found nothing in one suspect of a failing test, and is followed by that of another. */
function passedOn(sentence: string, l10n: L10n): string {
    return l10n.t("{0} Searching the next suspect.", sentence);
}

function verified(search: Search, review: Choice, l10n: L10n): End | undefined {
    const best = bestOf(search);
    if (best === undefined) return undefined;
    const accept: Choice = { label: l10n.t("Accept"), command: "certo.candidate.accept", candidateId: best.id };
    const name = nameOf(search);
    const standing = candidateInWords(best, l10n);
    const sentence = l10n.t("{0}: a candidate is {1} ({2}).", name, standing, shortScore(best, l10n));
    if (groupsOf(search).length < 2) return { kind: "found", sentence, choices: [accept, review] };
    const decide: Choice = { label: l10n.t("Which Is Right?"), command: "certo.search.decide" };
    const apart = besideInWords(search, best, l10n);
    return { kind: "found", sentence: `${sentence} ${apart}.`, choices: [accept, review, decide] };
}
