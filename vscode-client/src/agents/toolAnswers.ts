// What a language model reads of a tool's result, as Markdown. Pure: no editor in here.

import type { l10n } from "vscode";

import type { BehaviourDiff, CurrentReport, CurrentTestsReport, StrengthResult } from "../protocol";
import type { Outcome } from "../searches/calls";
import { reportOn, verdictOn } from "../searches/currentReport";
import { inMarkdown } from "../searches/markdown";
import { fateOf, nameOf, shortName, why } from "../searches/searchWords";
import { shown } from "../searches/state";
import type { Candidate, Search } from "../searches/state";
import { levelInWords } from "../searches/evidenceLevel";
import { gapInShort, shownGaps, strengthInWords, uncountedInWords, witnessInWords } from "../searches/strengthWords";
import { candidateInWords, objection, scoreLine } from "../searches/words";

type L10n = Pick<typeof l10n, "t">;

/** How many candidates and differences are told at most. */
const TOLD = 5;

/** What came of judging a function as it stands. */
export function verifyAnswer(report: CurrentReport, l10n: L10n): Outcome {
    const digest = report.digest ?? "";
    const vouched = digest === "" ? "" : `\n${l10n.t("Digest for certo check: {0}", digest)}\n`;
    return {
        state: report.verified ? "passed" : "failed",
        said: verdictOn(report, l10n),
        report: reportOn(report, l10n) + vouched,
    };
}

/** What came of counting the small changes that the tests of a function notice. */
export function strengthAnswer({ qualname, strength }: StrengthResult, l10n: L10n): Outcome {
    const said = `${shortName(qualname)}: ${strengthInWords(strength, l10n)}`;
    const gaps = shownGaps(strength).map((gap) => `${gapInShort(gap, l10n)}: ${witnessInWords(gap, l10n)}`);
    const more = [uncountedInWords(strength, l10n), strength.reason ?? ""].filter((each) => each !== "");
    return { state: strength.noticed === strength.of ? "passed" : "failed", said, report: page(said, gaps, more) };
}

/** What came of comparing a function with an older version. */
export function diffAnswer(diff: BehaviourDiff, l10n: L10n): Outcome {
    const name = shortName(diff.qualname);
    const found = diff.differences ?? [];
    const calls = found.slice(0, TOLD).map((each) => {
        const made = (each.where ?? "") === "" ? each.call : l10n.t("{0} in {1}", each.call, each.where ?? "");
        return l10n.t("{0} gave {1} and gives {2} now", made, each.before, each.now);
    });
    const said = {
        different: l10n.t("{0} acts otherwise than in {1}: {2} calls were compared", name, diff.older, diff.compared),
        "no-difference-found": l10n.t("{0} acted as in {1} on {2} calls", name, diff.older, diff.compared),
        "not-compared": l10n.t("{0} could not be compared with {1}", name, diff.older),
    }[diff.result];
    const notes = [diff.reason ?? "", diff.isWeak === true ? l10n.t("the calls notice few changes") : ""];
    const state = { different: "failed", "no-difference-found": "passed", "not-compared": "refused" } as const;
    return { state: state[diff.result], said, report: page(said, calls, notes) };
}

/** What came of writing tests; nothing of them is in a file. */
export function testsAnswer({ qualname, written }: CurrentTestsReport, l10n: L10n): Outcome {
    const { tests = [], suspicious = [], reason = "", mutants = 0, noticedBefore = 0, noticedAfter = 0 } = written;
    const name = shortName(qualname);
    const said =
        tests.length === 0
            ? l10n.t("{0}: no tests were written", name)
            : l10n.t(
                  "{0}: {1} tests were written; of {2} small changes, {3} were noticed before and {4} with them",
                  name,
                  tests.length,
                  mutants,
                  noticedBefore,
                  noticedAfter,
              );
    const doubts = suspicious.map(({ call, result, why }) =>
        l10n.t("suspicious: {0} gives {1}: {2}", call, result, why),
    );
    const source = tests.map((each) => fenced("python", each.source));
    const nowhere = l10n.t("They state what the function does today, and are in no file yet.");
    const notes = [reason, tests.length === 0 ? "" : nowhere];
    return { state: tests.length > 0 ? "passed" : "refused", said, report: page(said, doubts, [...notes, ...source]) };
}

/** What came of a search: the reason, and its candidates with their diffs, those that passed first. */
export function searchAnswer(search: Search, l10n: L10n): string {
    const name = nameOf(search);
    const said = `${name}: ${why(search, l10n)}`;
    const candidates = shown(search).slice(0, TOLD);
    const told = candidates.map((each) => candidateAnswer(each, l10n));
    const next =
        fateOf(search) === "verified"
            ? l10n.t("Nothing is written yet. The user reviews and accepts a candidate in the Certo view.")
            : l10n.t("No candidate is verified, so do not call this a repair.");
    return page(said, [], [...told, next]);
}

function candidateAnswer(candidate: Candidate, l10n: L10n): string {
    const head = `#${candidate.number}: ${candidateInWords(candidate, l10n)} (${scoreLine(candidate, l10n)})`;
    const objected = candidate.passed === true ? candidate.caveat : objection(candidate);
    const parts = [
        `## ${inMarkdown(head)}`,
        inMarkdown(objected),
        inMarkdown(levelOf(candidate, l10n)),
        fenced("diff", candidate.diff),
    ];
    return parts.filter((part) => part !== "").join("\n\n");
}

/** The level of the evidence for a candidate, so that an agent tells its user of weak tests. */
function levelOf(candidate: Candidate, l10n: L10n): string {
    const level = levelInWords(candidate, l10n);
    return level === "" ? "" : l10n.t("Evidence: {0}.", level);
}

/** A title, a list of plain words, and parts that are Markdown already. */
function page(title: string, list: readonly string[], parts: readonly string[]): string {
    const listed = list.map((each) => `- ${inMarkdown(each)}`).join("\n");
    return `${[`# ${inMarkdown(title)}`, listed, ...parts].filter((part) => part !== "").join("\n\n")}\n`;
}

function fenced(language: string, text: string): string {
    // A fence that is longer than any in the text cannot be closed by it.
    const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length + 1)));
    return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
