// The level of the evidence for a verified candidate in words. Pure: no editor in here.

import type { l10n } from "vscode";

import type { GradedEvidence } from "../protocol";
import type { Candidate } from "./state";

type L10n = Pick<typeof l10n, "t">;

/** Characters of a call that are shown at most. */
const MAX_CALL = 120;

/** The level in a word beside the number of tests; empty for a candidate without one. */
export function levelInShort({ verified, graded }: Candidate, l10n: L10n): string {
    return verified && graded !== null ? levelWord(graded, l10n) : "";
}

/** The level, why, and the call that would settle it; empty for a candidate without one. */
export function levelInWords(candidate: Candidate, l10n: L10n): string {
    const { graded } = candidate;
    const level = levelInShort(candidate, l10n);
    if (level === "" || graded === null) return "";
    const { reasons = [], call = "" } = graded;
    const said = reasons.length === 0 ? level : `${level}: ${reasons.join("; ")}`;
    if (call === "") return said;
    const shown = call.length <= MAX_CALL ? call : `${call.slice(0, MAX_CALL - 1)}…`;
    return l10n.t("{0}; the right result of {1} would settle it", said, shown);
}

/** Whether a candidate is verified by tests that are known to be weak. */
export function isWeak({ verified, graded }: Candidate): boolean {
    return verified && graded?.level === "weak";
}

function levelWord({ level }: GradedEvidence, l10n: L10n): string {
    switch (level) {
        case "strong":
            return l10n.t("strong");
        case "fair":
            return l10n.t("fair");
        case "weak":
            return l10n.t("weak");
    }
}
