// The ways in which a search can decide what to try next, as a choice for one search. Pure: no editor in here.

import type { l10n } from "vscode";

import type { Search } from "../searches/state";

type L10n = Pick<typeof l10n, "t">;

/** A way to search: what it is called, what the settings call it, and the settings that stand for it. */
export interface StrategyChoice {
    readonly label: string;
    readonly description: string;
    readonly settings: Record<string, unknown>;
}

/** What there is to choose from. Ideas and criticism are had of a language model, so that some need one. */
export function strategiesFor({ generator }: Pick<Search, "generator">, l10n: L10n): StrategyChoice[] {
    const of = (name: string, label: string): StrategyChoice => ({
        label,
        description: name,
        settings: { "search.strategy": name },
    });
    const retry = (select: "first" | "cheapest", label: string): StrategyChoice => ({
        label,
        description: "retry",
        settings: { "search.strategy": "retry", "retry.select": select },
    });
    return [
        of("auto", l10n.t("Continue while scores improve, and start again when they do not")),
        retry("first", l10n.t("Stop at the first candidate that passes")),
        retry("cheapest", l10n.t("Compare the results of all lanes, and take the cheapest")),
        of("best_of", l10n.t("Try several lanes independently, and take the best")),
        of("mcts", l10n.t("Grow a tree of candidates from the most promising ones")),
        ...(generator === "model"
            ? [
                  of("linear_search", l10n.t("Try one idea after another")),
                  of("llm_tree_search", l10n.t("Grow a tree of ideas, and try the most promising ones")),
                  of("fixer", l10n.t("Criticise one candidate, and improve it in rounds")),
              ]
            : []),
        {
            label: l10n.t("Make the winner smaller in the end"),
            description: l10n.t("leaves out changes that its checks do not need"),
            settings: { "search.compact": true },
        },
    ];
}
