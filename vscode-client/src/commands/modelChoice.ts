// What is to write candidates: a choice, the settings that stand for it, and what is said of it. Pure: no editor in here.

import type { l10n } from "vscode";

import type { Fact } from "../protocol";
import { sentence } from "../sentence";

type L10n = Pick<typeof l10n, "t">;

/** Who writes candidates. What a choice does without is empty. */
export interface Choice {
    /** The generator: certo's own, or a language model. */
    readonly generator: "builtin" | "model";
    /** The language model, as `provider:name`. */
    readonly name: string;
    readonly baseUrl: string;
    /** The name of the model's key, where it is not the provider's usual one. */
    readonly keyVariable: string;
    readonly apiVersion: string;
}

/** The generator that needs no model. */
export const BUILTIN: Choice = { generator: "builtin", name: "", baseUrl: "", keyVariable: "", apiVersion: "" };

/** A language model that is reached as its provider usually is. */
export function modelNamed(name: string): Choice {
    return { ...BUILTIN, generator: "model", name };
}

/** A setting and its new value; undefined takes it away. */
export type Written = readonly [name: string, value: string | undefined];

/** The settings of a choice that hold wherever the user wants it to: in a folder, a workspace or everywhere. */
export function settingsOf(choice: Choice): Written[] {
    const generator: Written = ["search.generator", choice.generator];
    return choice.generator === "builtin" ? [generator] : [["model.name", choice.name], generator];
}

/** The settings of a choice that VS Code takes from the user alone, and from no folder, for they say where keys go. */
export function reachOf(choice: Choice): Written[] {
    if (choice.generator === "builtin") return [];
    return [
        ["model.baseUrl", choice.baseUrl || undefined],
        ["model.keyVariable", choice.keyVariable || undefined],
        ["model.apiVersion", choice.apiVersion || undefined],
    ];
}

/** The choice as the settings of one search alone. Null takes away what an earlier search was given. */
export function settingsForOnce(choice: Choice): Record<string, unknown> {
    if (choice.generator === "builtin") return { "search.generator": "builtin" };
    return {
        "search.generator": "model",
        // A model of its own, so that nothing of the usual one's address or key is taken for it.
        "generation.models": ["chosen"],
        "models.chosen.name": choice.name,
        "models.chosen.baseUrl": choice.baseUrl || null,
        "models.chosen.keyVariable": choice.keyVariable || null,
        "models.chosen.apiVersion": choice.apiVersion || null,
    };
}

/** What the server found of a choice, in words, and whether candidates can be written so. */
export interface Found {
    readonly words: string;
    readonly good: boolean;
}

/**
 * What is said once a choice was made.
 *
 * `facts` are what the server says of the models of the settings, undefined while it does not run; `keyKept` that the editor keeps the model's key, which
 * the server does not look for by itself. `others` are models of the settings that take turns in place of the chosen one.
 */
export function foundOf(
    choice: Choice,
    facts: readonly Fact[] | undefined,
    keyKept: boolean,
    others: readonly string[],
    l10n: L10n,
): Found {
    if (choice.generator === "builtin") {
        const words = l10n.t("The built-in generator writes candidates now. It needs no model, no key and no network.");
        return { words, good: true };
    }
    if (facts === undefined) {
        return { words: l10n.t("{0} writes candidates as soon as Certo's server runs.", choice.name), good: true };
    }
    const fact = facts.find((each) => each.says === choice.name || each.says.startsWith(`${choice.name}:`));
    if (fact === undefined) {
        const first = facts[0]?.says ?? "";
        return {
            words: l10n.t(
                "Saved, but {0} is not in use, because another setting overrides it: {1}",
                choice.name,
                first,
            ),
            good: false,
        };
    }
    if (others.length > 0) {
        const words = l10n.t(
            "{0} was chosen, but {1} still write candidates, because the setting certo.generation.models names them.",
            choice.name,
            others.join(", "),
        );
        return { words, good: false };
    }
    const parts = [l10n.t("{0} writes candidates now.", choice.name)];
    if (choice.name.startsWith("editor")) {
        parts.push(l10n.t("VS Code asks you to allow it when it is first needed."));
        return { words: parts.join(" "), good: true };
    }
    if (keyKept) parts.push(l10n.t("Its key is stored in VS Code's secret storage."));
    else if (fact.health !== "good") parts.push(l10n.t("Certo asks you for its key when a search needs it."));
    else parts.push(sentence(fact.details.find((each) => KEY.test(each)) ?? ""));
    parts.push(sentence(fact.details.find((each) => PRICE.test(each)) ?? ""));
    return { words: parts.filter((part) => part !== "").join(" "), good: true };
}

/** How the server speaks of keys, and of prices. */
const KEY = /\bkey\b/u;
const PRICE = /\bprice\b|\bcosts\b|\$/u;
