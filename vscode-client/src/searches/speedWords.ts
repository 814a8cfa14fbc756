// A measured speed in words, as the server says it in other places. Pure: no editor.

import type { l10n } from "vscode";

import type { Speed } from "../protocol";
import { plain } from "./amounts";

type L10n = Pick<typeof l10n, "t">;

/** The factor below which a difference at the calls' own size, which has no bounds, is called none. */
const ABOUT_AS_FAST = 1.05;

/** The factor in short, with its lower bound, and what has to be known before it is accepted. */
export function speedInShort(speed: Speed, l10n: L10n): string {
    const said = l10n.t("{0} times as fast, at least {1}", short(speed.ratio), short(speed.low));
    return isSlowerAtOwnSize(speed) ? `${said}, ${l10n.t("SLOWER on small calls")}` : said;
}

/** What was measured, one sentence for each thing. */
export function speedInWords(
    { ratio, low, high, control, rounds, scale, observed, growth }: Speed,
    l10n: L10n,
): string[] {
    const on = scale > 1 ? l10n.t("calls {0} times as large as known ones", short(scale)) : l10n.t("known calls");
    const said = [
        l10n.t(
            "{0} times as fast on {1} (99 % confidence: at least {2}, at most {3})",
            short(ratio),
            on,
            short(low),
            short(high),
        ),
    ];
    if (observed !== null) said.push(atOwnSize(observed, l10n));
    if (growth !== null) {
        said.push(l10n.t("time grows like n^{0}, before n^{1}", growth.after.toFixed(1), growth.before.toFixed(1)));
    }
    said.push(
        l10n.t("{0} rounds, in which a copy of the original was {1} times as fast", plain(rounds), control.toFixed(2)),
    );
    return said;
}

/** Whether a candidate is slower on calls of their own size. */
function isSlowerAtOwnSize({ observed }: Speed): boolean {
    return observed !== null && observed * ABOUT_AS_FAST < 1;
}

function atOwnSize(observed: number, l10n: L10n): string {
    const said = observed.toFixed(2);
    if (observed * ABOUT_AS_FAST < 1) return l10n.t("SLOWER on calls of their own size: {0} times as fast", said);
    if (observed < ABOUT_AS_FAST) return l10n.t("about as fast on calls of their own size: {0} times", said);
    return l10n.t("{0} times as fast on calls of their own size", said);
}

function short(number: number): string {
    return String(Number(number.toPrecision(3)));
}
