// The words of the score history's page that are the same for every search. Pure: no editor in here.

import type { l10n } from "vscode";

import { standingInWords } from "../searches/words";
import type { Words } from "../webview/messages";

type L10n = Pick<typeof l10n, "t">;

/** The page's headings, buttons and names, in the user's language. */
export function pictureWords(l10n: L10n): Words {
    return {
        tree: l10n.t("Search tree"),
        scores: l10n.t("Scores over time"),
        spending: l10n.t("Spend over time"),
        times: l10n.t("Where the time went"),
        details: l10n.t("Candidate"),
        diff: l10n.t("Show Diff"),
        accept: l10n.t("Accept"),
        retry: l10n.t("Retry from Here…"),
        asTable: l10n.t("Show as a table"),
        candidate: l10n.t("Candidate"),
        line: l10n.t("Lane"),
        parent: l10n.t("Made from"),
        verdict: l10n.t("Verdict"),
        cost: l10n.t("Cost"),
        noCost: l10n.t("not passed"),
        at: l10n.t("After"),
        total: l10n.t("Total"),
        keys: l10n.t("Arrow keys go from one candidate to another; Enter shows the diff."),
        allowed: l10n.t("allowed"),
        nothing: l10n.t("There is no candidate yet."),
        inSeconds: l10n.t("Time (seconds)"),
        inMinutes: l10n.t("Time (minutes:seconds)"),
        best: l10n.t("best"),
        standings: {
            judging: standingInWords("judging", l10n),
            verified: standingInWords("verified", l10n),
            notApart: standingInWords("notApart", l10n),
            unverified: standingInWords("unverified", l10n),
            undecided: standingInWords("undecided", l10n),
            failed: standingInWords("failed", l10n),
        },
    };
}
