// Which of two candidates is recommended, and why. Pure: no editor in here.

import type { l10n } from "vscode";

import type { Cost } from "../protocol";
import { priced } from "./amounts";
import type { Candidate } from "./state";

type L10n = Pick<typeof l10n, "t">;

/** How a candidate stands that was compared with no other. */
const ALONE = { agreeing: 0, compared: 0, group: 0 };

/** The better one of two candidates as the server ranks them; undefined where it ranks neither. */
export function preferred(one: Candidate, other: Candidate): Candidate | undefined {
    if (one.place === null && other.place === null) return undefined;
    return (one.place ?? Infinity) < (other.place ?? Infinity) ? one : other;
}

/** Which of two is recommended, and what decides it, in a sentence; empty where neither is. */
export function preferenceInWords(one: Candidate, other: Candidate, l10n: L10n): string {
    const better = preferred(one, other);
    if (better === undefined) return "";
    const worse = better === one ? other : one;
    const why = whyBetter(better, worse, l10n);
    return why === ""
        ? l10n.t("Recommended is #{0}.", better.number)
        : l10n.t("Recommended is #{0}: {1}.", better.number, why);
}

/** The first of the grounds by which the server ranks that tells two candidates apart. */
function whyBetter(better: Candidate, worse: Candidate, l10n: L10n): string {
    if (worse.passed !== true) return l10n.t("#{0} did not pass", worse.number);
    if (better.verified && !worse.verified) return l10n.t("#{0} is not verified", worse.number);
    const ours = { ...ALONE, ...better.compared };
    const theirs = { ...ALONE, ...worse.compared };
    if (ours.compared > 1 && ours.agreeing > theirs.agreeing) {
        const { agreeing, compared } = ours;
        return l10n.t(
            "{0} of {1} candidates agree with it, {2} with #{3}",
            agreeing,
            compared,
            theirs.agreeing,
            worse.number,
        );
    }
    if (ours.group !== theirs.group) return l10n.t("its results are the likelier ones");
    return cheaper(better.cost, worse.cost, l10n);
}

/** What the better one costs against the other; empty where it does not cost less. */
function cheaper(better: Cost | null, worse: Cost | null, l10n: L10n): string {
    const costsLess = better !== null && worse?.unit === better.unit && better.value < worse.value;
    return costsLess ? l10n.t("{0}, against {1}", priced(better, l10n), priced(worse, l10n)) : "";
}
