// Numbers as people read them: counts, durations, costs and money. Pure: no editor in here.

import type { l10n } from "vscode";

import type { Cost, Spent } from "../protocol";

type L10n = Pick<typeof l10n, "t">;

/** What a cost that could not be found has for a value, at least. */
const UNKNOWN = 1e12;

/** A number to three places at most, without needless zeros: "0.4", "12", "1.125". */
export function plain(value: number): string {
    return Number(value.toFixed(3)).toString();
}

/** A large count with its thousands set apart: "4,210". */
export function grouped(value: number): string {
    return value.toLocaleString("en");
}

/** A duration that is read, not measured: "0.4 s", "12 s", "2 min 5 s". */
export function duration(seconds: number, l10n: L10n): string {
    if (seconds < 9.95) return l10n.t("{0} s", seconds.toFixed(1));
    const whole = Math.round(seconds);
    if (whole < 60) return l10n.t("{0} s", whole);
    const rest = whole % 60;
    return rest === 0
        ? l10n.t("{0} min", Math.floor(whole / 60))
        : l10n.t("{0} min {1} s", Math.floor(whole / 60), rest);
}

/** An amount of dollars, to the cent and no less exactly than its first two digits: "$0.42", "$0.0031". */
export function money(dollars: number): string {
    if (dollars >= 0.1 || dollars === 0) return `$${dollars.toFixed(2)}`;
    return `$${dollars.toFixed(1 - Math.floor(Math.log10(dollars)))}`;
}

/** What a candidate costs, in short, for comparing it with others; lower is better. */
export function priced(cost: Cost, l10n: L10n): string {
    if (cost.value >= UNKNOWN) return l10n.t("not priced");
    if (cost.unit !== "tokens") return `${plain(cost.value)} ${cost.unit}`;
    return cost.value === 1 ? l10n.t("1 token changed") : l10n.t("{0} tokens changed", plain(cost.value));
}

/** What a candidate costs and where that comes from: "4 tokens changed", "0.4 points (clarity: 6 of 10)". */
export function explained(cost: Cost, l10n: L10n): string {
    if (cost.value >= UNKNOWN) return cost.source;
    if (cost.unit === "tokens") return priced(cost, l10n);
    if (cost.source.startsWith(cost.unit)) return `${plain(cost.value)} ${cost.source}`;
    return `${priced(cost, l10n)} (${cost.source})`;
}

/** So many candidates. */
export function candidates(count: number, l10n: L10n): string {
    return count === 1 ? l10n.t("1 candidate") : l10n.t("{0} candidates", grouped(count));
}

/** What language models took: "3 calls, 4,210 tokens, 1,024 of them cached, $0.0031"; nothing when none was asked. */
export function models(
    spent: Pick<Spent, "calls" | "tokens" | "dollars"> & Partial<Pick<Spent, "cachedTokens">>,
    l10n: L10n,
): string {
    if (spent.calls === 0) return "";
    const calls = spent.calls === 1 ? l10n.t("1 call") : l10n.t("{0} calls", grouped(spent.calls));
    const tokens = l10n.t("{0} tokens", grouped(spent.tokens));
    const price = spent.dollars === null ? l10n.t("price unknown") : money(spent.dollars);
    const cached = spent.cachedTokens ? [l10n.t("{0} of them cached", grouped(spent.cachedTokens))] : [];
    return [calls, tokens, ...cached, price].join(", ");
}
