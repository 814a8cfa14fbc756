// What a search would take of language models, in sentences. Pure: no editor in here.

import type { l10n } from "vscode";

import type { EstimateResult } from "../protocol";
import { models } from "./amounts";

type L10n = Pick<typeof l10n, "t">;

/** Says what a search would likely take, what at most, and what would end it before. */
export function estimateInWords(estimate: EstimateResult, l10n: L10n): string {
    if (estimate.models.length === 0) {
        return l10n.t("A search here asks no language model, so it costs only time on this machine.");
    }
    const sentences = [
        l10n.t("A search here asks {0}.", estimate.models.join(", ")),
        l10n.t(
            "Probably {0}; at most {1}, in {2} attempts.",
            models(estimate.likely, l10n),
            models(estimate.most, l10n),
            estimate.tries,
        ),
        estimate.cap === ""
            ? l10n.t("No limit in the settings ends it earlier.")
            : l10n.t("A limit in the settings ends it earlier: {0}.", estimate.cap),
    ];
    return sentences.join(" ");
}
