// What became of each test of the baseline on a candidate: never more than what was really run. Pure.

import type { KnownTest, Verdict } from "../protocol";

/** One test on one candidate. */
export interface TestResult {
    readonly id: string;
    readonly outcome: "passed" | "failed" | "skipped";
    /** Why it failed, as its verifier says it, with the line of the candidate where that is known. */
    readonly reasons: readonly { readonly text: string; readonly line: number | null }[];
}

/** The results of the tests that verifiers have run on a candidate; tests that none has run are not among them. */
export function resultsOf(tests: readonly KnownTest[], verdicts: readonly Verdict[]): TestResult[] {
    return verdicts.flatMap((verdict) => {
        const kind = KINDS[verdict.verifier];
        return kind === undefined ? [] : ofVerdict(tests.filter(kind), verdict);
    });
}

/** The verifiers that run tests of the baseline, and which ones each of them runs. */
const KINDS: Readonly<Record<string, (test: KnownTest) => boolean>> = {
    tests: (test) => !isExample(test.id),
    doctests: (test) => isExample(test.id),
};

/** Whether a test is an example in a docstring, or one that the user gave. */
function isExample(id: string): boolean {
    return id.startsWith("doctest:") || /^example \d+$/u.test(id);
}

function ofVerdict(owed: readonly KnownTest[], verdict: Verdict): TestResult[] {
    const { tests: evidence } = verdict;
    if (evidence === null) return [];
    const failing = new Set(evidence.failing);
    const unrun = new Set(evidence.unrun);
    // A run that is refused although its tests are green is not trusted, and its tests have not passed. Neither have
    // those of evidence from before there were names in it, of which only the numbers are known.
    const trusted =
        (verdict.ruling === "passed" || failing.size + unrun.size > 0) &&
        owed.length - failing.size - unrun.size === evidence.passed;
    return owed.map(({ id }) => {
        if (failing.has(id)) return { id, outcome: "failed", reasons: reasonsFor(id, owed, verdict) };
        return { id, outcome: trusted && !unrun.has(id) ? "passed" : "skipped", reasons: [] };
    });
}

/** The findings that begin with the name of a test. One name may be the beginning of another; the longest counts. */
function reasonsFor(id: string, owed: readonly KnownTest[], verdict: Verdict): TestResult["reasons"] {
    return verdict.findings
        .filter(({ message }) => longestName(message, owed) === id)
        .map(({ message, line }) => ({ text: message.slice(id.length).replace(/^:?\s+/u, ""), line }));
}

function longestName(message: string, owed: readonly KnownTest[]): string | undefined {
    return owed
        .map((each) => each.id)
        .filter((id) => message.startsWith(`${id}: `) || message.startsWith(`${id} `))
        .sort((one, other) => other.length - one.length)[0];
}
