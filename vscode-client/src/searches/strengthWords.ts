// Test strength in words: each figure with its denominator, each gap with the call that shows it. Pure: no editor.

import type { l10n } from "vscode";

import type { Gap, TestStrength } from "../protocol";
import { plain } from "./amounts";

type L10n = Pick<typeof l10n, "t">;

/** How many gaps are shown at most. */
const GAPS = 7;

/** The share of small changes that the tests notice. */
export function strengthInWords(strength: TestStrength, l10n: L10n): string {
    const { noticed, of, tried = 0, possible = 0 } = strength;
    if (of === 0) return l10n.t("no small change made a difference that your tests or a call would notice");
    const said = l10n.t("your tests notice {0} of {1} small changes", noticed, of);
    return tried < possible ? `${said} ${l10n.t("(a sample: {0} of {1} were tried)", tried, possible)}` : said;
}

/** The gaps to show: of those that the same call shows one, and not too many. */
export function shownGaps(strength: TestStrength): Gap[] {
    return (strength.gaps ?? []).filter((gap) => gap.sameCall !== true).slice(0, GAPS);
}

/** A gap in short: its line, without and with the change. */
export function gapInShort({ line, before, after }: Gap, l10n: L10n): string {
    return after === ""
        ? l10n.t("line {0}, {1} left out", line, before)
        : l10n.t("line {0}, {1} \u2192 {2}", line, before, after);
}

/** The call that shows a gap, and what it gives without and with the change. */
export function witnessInWords({ call, where = "", now, changed, unusual }: Gap, l10n: L10n): string {
    const made = where === "" ? call : l10n.t("{0} in {1}", call, where);
    const said = l10n.t("{0} gives: {1}; it would give: {2}", made, now, changed);
    return unusual === true ? `${said}; ${l10n.t("no test calls it like this")}` : said;
}

/** What is not counted, and why; empty where all is. */
export function uncountedInWords(strength: TestStrength, l10n: L10n): string {
    const { uncounted = 0, calls = 0, withoutCalls = "" } = strength;
    if (uncounted === 0) return "";
    const none = l10n.t(
        "further changes that went unnoticed, and no call could be made to see if they matter: {0}",
        uncounted,
    );
    if (calls === 0) return withoutCalls === "" ? none : `${none} (${withoutCalls})`;
    return l10n.t("further changes that made no difference on {0} calls: {1}", plain(calls), uncounted);
}
