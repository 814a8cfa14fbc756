// Why a candidate is right, as far as its evidence goes, in a few sentences. Pure: no editor in here.

import type { l10n } from "vscode";

import type { Hunk, KnownTest, Origin } from "../protocol";
import { sentence } from "../sentence";
import { groupsOf } from "./groups";
import type { Candidate, Search } from "./state";

type L10n = Pick<typeof l10n, "t">;

/** What pytest adds to an assertion that compares two values, which have been shown. */
const AFTERTHOUGHTS = /, (?:At index \d+ diff|Left contains|Right contains|Extra items|Omitting|Differing)\b.*/u;

/**
 * What was wrong, what a verified candidate changes, which tests show it, and what nobody checked, in sentences; none for
 * a candidate that is not verified. The server's `why_right` says the same.
 */
export function whyRight(search: Search, candidate: Candidate, l10n: L10n): string[] {
    if (!candidate.verified) return [];
    const said = [wrongBefore(search, l10n), changed(candidate, l10n), shownNow(search, candidate, l10n)];
    return said.filter((each) => each !== "");
}

/** The first test that failed before any candidate, with its two values, and how many others did; empty if none did. */
export function wrongBefore(search: Search, l10n: L10n): string {
    const failing = (search.baseline?.tests ?? []).filter(({ ruling }) => ruling !== "passed");
    const first = failing.find(({ message }) => message !== "") ?? failing[0];
    if (first === undefined) return "";
    const name = nameOf(first.id, l10n);
    const reason = reasonOf(first);
    const failed = reason === "" ? l10n.t("{0} failed", name) : l10n.t("{0} failed: {1}", name, reason);
    const others = failing.length - 1;
    if (others === 0) return closed(failed);
    return closed(
        others === 1
            ? l10n.t("{0}; so did 1 other test", failed)
            : l10n.t("{0}; so did {1} other tests", failed, others),
    );
}

/** How a test failed, the value against the expected one; empty where it does not say. */
function reasonOf({ message }: KnownTest): string {
    return oneLine(message).replace(AFTERTHOUGHTS, "").replace(/\.$/u, "");
}

/** The same in as few words as stand behind a line of code: "before: total([1]) gave 0, not 1". */
export function wrongInShort(search: Search, l10n: L10n): string {
    const failing = (search.baseline?.tests ?? []).filter(({ ruling }) => ruling !== "passed");
    const reason = failing.map((each) => reasonOf(each)).find((each) => each !== "") ?? "";
    return reason === "" ? "" : l10n.t("before: {0}", reason);
}

/** Which tests show that a candidate is right, in as few words: "now: 2 tests pass, 1 newly". */
export function rightInShort({ verdicts, verified }: Candidate, l10n: L10n): string {
    const { passed, newly } = passedTests(verdicts);
    if (!verified || passed === 0) return "";
    const pass = passed === 1 ? l10n.t("1 test passes") : l10n.t("{0} tests pass", passed);
    return newly === 0 ? l10n.t("now: {0}", pass) : l10n.t("now: {0}, {1} newly", pass, newly);
}

function passedTests(verdicts: Candidate["verdicts"]): { passed: number; newly: number } {
    const ran = verdicts.map(({ tests }) => tests).filter((tests) => tests !== null);
    const passed = ran.reduce((all, { passed: some }) => all + some, 0);
    return { passed, newly: ran.reduce((all, { newlyPassing }) => all + newlyPassing, 0) };
}

/** What a test is called in a sentence: "TestTill.test_total", "The example on line 7". */
function nameOf(id: string, l10n: L10n): string {
    const line = /^doctest:.*:(\d+)$/su.exec(id)?.[1];
    if (line !== undefined) return l10n.t("The example on line {0}", line);
    if (/^example \d+$/u.test(id)) return l10n.t("Your {0}", id);
    return id.includes("::") ? id.split("::").slice(1).join(".") : id;
}

/** The lines that a candidate changes, with their text if there are one or two, and their suspicion. */
function changed({ hunks, elsewhere, origin }: Candidate, l10n: L10n): string {
    const places = [
        ...hunks.map((hunk) => ({ hunk, line: String(hunk.line) })),
        ...elsewhere.flatMap(({ path, hunks: theirs }) =>
            theirs.map((hunk) => ({ hunk, line: l10n.t("{0} of {1}", hunk.line, oneLine(path)) })),
        ),
    ];
    const alone = places.length === 1;
    const suspicion = suspicionOf(origin, alone, l10n);
    const said = places.map(({ hunk, line }) => loneLine(hunk, alone ? `${line}${suspicion}` : line, l10n));
    if (said.length === 0 || said.length > 2 || said.includes(""))
        return closed(counted(hunks, elsewhere.length, suspicion, l10n));
    const [one = "", other = ""] = said;
    return closed(alone ? one : `${one}; ${other.charAt(0).toLowerCase()}${other.slice(1)}${suspicion}`);
}

/** How suspicious the changed line is, in brackets; of several lines, the most suspicious one. */
function suspicionOf({ suspicion }: Origin, alone: boolean, l10n: L10n): string {
    if (typeof suspicion !== "number") return "";
    const shown = suspicion.toFixed(2);
    return ` ${alone ? l10n.t("(suspicion {0} of 1)", shown) : l10n.t("(suspicion up to {0} of 1)", shown)}`;
}

/** How many lines a candidate changes. */
function counted(hunks: readonly Hunk[], files: number, suspicion: string, l10n: L10n): string {
    const other = files === 1 ? l10n.t("1 other file") : l10n.t("{0} other files", files);
    if (hunks.length === 0) return files === 0 ? "" : l10n.t("The candidate changes {0}", other);
    const said = `${severalLines(hunks, l10n)}${suspicion}`;
    return files === 0 ? said : l10n.t("{0}, and {1}", said, other);
}

function severalLines(hunks: readonly Hunk[], l10n: L10n): string {
    const lines = hunks.reduce((all, each) => all + Math.max(each.removed.length, each.added.length), 0);
    const first = hunks[0]?.line ?? 1;
    const last = Math.max(...hunks.map((each) => each.line + Math.max(each.added.length, 1) - 1));
    return lines === 1
        ? l10n.t("The candidate changes line {0}", first)
        : l10n.t("The candidate changes {0} lines between line {1} and line {2}", lines, first, last);
}

/** A hunk of one line in words; empty if it has more. */
function loneLine({ removed, added }: Hunk, line: string, l10n: L10n): string {
    if (Math.max(removed.length, added.length) !== 1) return "";
    const was = oneLine(removed.join(""));
    const now = oneLine(added.join(""));
    if (removed.length === 0) return l10n.t("Line {0} is new: {1}", line, inBackticks(now));
    if (added.length === 0) return l10n.t("Line {0} was {1}, and is gone", line, inBackticks(was));
    return l10n.t("Line {0} was {1}, and is now {2}", line, inBackticks(was), inBackticks(now));
}

/** Which tests show that a candidate is right, and what nobody checked, in sentences; empty for one that is not verified. */
function shownNow(search: Search, candidate: Candidate, l10n: L10n): string {
    if (!candidate.verified) return "";
    return [shownByTests(candidate, l10n), unchecked(search, candidate, l10n)].filter((said) => said !== "").join(" ");
}

/** How many tests pass now that failed, how many still pass, and how many notice a wrong version. */
function shownByTests({ verdicts }: Candidate, l10n: L10n): string {
    const { passed, newly } = passedTests(verdicts);
    if (passed === 0) return "";
    const noticed = verdicts.find(({ dependence }) => dependence)?.dependence?.noticed ?? 0;
    const now = newly === 1 ? l10n.t("1 test that failed passes now") : l10n.t("{0} tests that failed pass now", newly);
    const before = passed - newly;
    const still = before === 1 ? l10n.t("1 test passes as before") : l10n.t("{0} tests pass as before", before);
    const notice =
        noticed === 1
            ? l10n.t("1 test notices a wrong version of it")
            : l10n.t("{0} tests notice a wrong version of it", noticed);
    const both = newly > 0 && before > 0 ? l10n.t("{0} and {1}", now, still) : newly > 0 ? now : still;
    return closed(noticed > 0 ? `${both}; ${notice}` : both);
}

/** That other calls were not checked, unless calls can be named, which is done beside this. */
function unchecked(search: Search, { strength, compared }: Candidate, l10n: L10n): string {
    const named = (strength?.tried ?? 0) > 0 || groupsOf(search).length > 1 || (compared?.rivalOf ?? null) !== null;
    return named ? "" : l10n.t("Calls that these tests do not make were not checked.");
}

function inBackticks(code: string): string {
    return code.includes("`") ? code : `\`${code}\``;
}

function oneLine(words: string): string {
    return words.replace(/\s+/gu, " ").trim();
}

/** A sentence that begins as it is, for a name may begin it. */
function closed(words: string): string {
    return words === "" || sentence(words) === words ? words : `${words}.`;
}
