// A search as the score history's page draws it. Pure: no editor in here.

import type { l10n } from "vscode";

import { candidates, explained, duration, grouped, models, money, plain, priced } from "../searches/amounts";
import { secondsOf, why } from "../searches/searchWords";
import { bestOf, ranked } from "../searches/state";
import type { Candidate, Search } from "../searches/state";
import { candidateInWords, objection, RULINGS, scoreParts, standingInWords, standingOf } from "../searches/words";
import type { Standing } from "../searches/words";
import type { Spent, Verdict } from "../protocol";
import type { Drawn, Named, Picture, Spending, Step } from "../webview/messages";
import { pictureWords } from "./pictureWords";

type L10n = Pick<typeof l10n, "t">;

/** What a cost that could not be found has for a value, at least. */
const UNKNOWN = 1e12;

/** The search without its candidates. `live` says whether it can still be acted upon. */
export function pictureOf(search: Search, l10n: L10n, language: string, live: boolean): Picture {
    const best = bestOf(search);
    const spending = spendingOf(search);
    const all = [...search.candidates.values()];
    const slots = Math.max(0, ...all.map((each) => each.origin.slot + 1));
    return {
        language,
        heading: search.qualname,
        outcome: outcome(search, l10n),
        facts: facts(search, l10n),
        best: best?.id ?? null,
        improvements: search.improvements
            .filter((each) => each.cost < UNKNOWN)
            .map(({ at, candidateId, cost }) => ({ at, value: cost, id: candidateId })),
        seconds: secondsOf(search),
        costAxis: costAxis(best, l10n),
        spendAxis: spendAxis(spending, l10n),
        spending,
        verifiers: verifiersOf(search),
        lines: Array.from({ length: slots }, (_, slot) => l10n.t("Lane {0}", slot + 1)),
        summaries: {
            tree: ofTree(search, l10n),
            scores: ofScores(search, l10n),
            spending: ofSpending(search, l10n),
            times: ofTimes(search, l10n),
        },
        news: news(search, l10n),
        live,
        words: pictureWords(l10n),
    };
}

/** A candidate of the search. */
export function drawnOf(search: Search, candidate: Candidate, l10n: L10n): Drawn {
    const standing = standingOf(candidate);
    const word = candidateInWords(candidate, l10n);
    const parts = scoreParts(candidate, l10n).filter((each) => each !== word);
    const why = candidate.passed === false ? objection(candidate) : "";
    const title = l10n.t("Candidate #{0}", candidate.number);
    const best = candidate.id === bestOf(search)?.id ? [l10n.t("the best so far")] : [];
    const says = [capital(word), ...parts].join(" · ");
    return {
        id: candidate.id,
        number: candidate.number,
        parent: candidate.parent,
        slot: candidate.origin.slot,
        standing,
        cost: candidate.cost === null || candidate.cost.value >= UNKNOWN ? null : candidate.cost.value,
        at: candidate.scoredAt ?? candidate.proposedAt,
        times: verifiersOf(search).map((name) => timeOf(candidate, name)),
        title,
        label: [title, word, ...best, ...(why === "" ? parts : [shortened(why)])].join(", "),
        says,
        facts: factsOf(search, candidate, l10n),
        verdicts: candidate.verdicts.map((verdict) => ({
            sign: RULINGS[verdict.ruling],
            verifier: verdict.verifier,
            says: saidBy(verdict, l10n),
            time: took(verdict, l10n),
        })),
        canBeAccepted: candidate.passed === true && search.accepted === null,
    };
}

function outcome(search: Search, l10n: L10n): string {
    if (search.accepted !== null) {
        const accepted = search.candidates.get(search.accepted);
        return accepted === undefined
            ? l10n.t("Accepted.")
            : l10n.t("Candidate #{0} has been accepted.", accepted.number);
    }
    if (search.state === "stopped") return why(search, l10n);
    return search.message === "" ? l10n.t("The search runs.") : l10n.t("The search runs: {0}.", search.message);
}

function news(search: Search, l10n: L10n): string {
    if (search.state === "stopped") return outcome(search, l10n);
    const best = bestOf(search);
    if (best === undefined) return "";
    const cost = best.cost === null ? "" : `, ${priced(best.cost, l10n)}`;
    return l10n.t("New best: candidate #{0}, {1}{2}.", best.number, candidateInWords(best, l10n), cost);
}

function facts(search: Search, l10n: L10n): Named[] {
    const { spent, budget } = search;
    const of = (value: string, most: string | undefined): string =>
        most === undefined ? value : l10n.t("{0} of {1}", value, most);
    const known: Named[] = [
        {
            name: l10n.t("Candidates"),
            value: of(grouped(search.candidates.size), budget === null ? undefined : grouped(budget.candidates)),
        },
        { name: l10n.t("Verified"), value: grouped(count(search, "verified")) },
        {
            name: l10n.t("Time"),
            value: of(duration(secondsOf(search), l10n), budget === null ? undefined : duration(budget.seconds, l10n)),
        },
    ];
    if (spent === null || spent.calls === 0) return known;
    return [
        ...known,
        { name: l10n.t("Model calls"), value: of(grouped(spent.calls), limit(budget?.calls, grouped)) },
        { name: l10n.t("Tokens"), value: of(grouped(spent.tokens), limit(budget?.tokens, grouped)) },
        {
            name: l10n.t("Price"),
            value: spent.dollars === null ? l10n.t("unknown") : of(money(spent.dollars), limit(budget?.dollars, money)),
        },
    ];
}

function limit(most: number | null | undefined, said: (value: number) => string): string | undefined {
    return most === null || most === undefined ? undefined : said(most);
}

function factsOf(search: Search, candidate: Candidate, l10n: L10n): Named[] {
    const { origin, cost, place, parent } = candidate;
    const from = parent === null ? undefined : search.candidates.get(parent);
    const by = [origin.generator, origin.note].filter((each) => each !== "").join(": ");
    const known: (Named | undefined)[] = [
        { name: l10n.t("Lane"), value: l10n.t("{0}, attempt {1}", origin.slot + 1, origin.attempt + 1) },
        from && { name: l10n.t("Made from"), value: `#${from.number}` },
        { name: l10n.t("Proposed by"), value: by },
        { name: l10n.t("After"), value: duration(candidate.scoredAt ?? candidate.proposedAt, l10n) },
        cost === null ? undefined : { name: l10n.t("Cost"), value: explained(cost, l10n) },
        place === null
            ? undefined
            : { name: l10n.t("Rank"), value: l10n.t("{0} of {1}", place, ranked(search).length) },
    ];
    return known.filter((each) => each !== undefined);
}

function took({ remembered, seconds }: Verdict, l10n: L10n): string {
    if (remembered === true) return l10n.t("cached");
    return seconds < 0.05 ? l10n.t("under 0.1 s") : duration(seconds, l10n);
}

function saidBy(verdict: Verdict, l10n: L10n): string {
    const { tests, votes, findings } = verdict;
    const first = findings[0]?.message;
    const parts = [
        tests === null || tests.collected === 0 ? "" : l10n.t("{0}/{1} passed", tests.passed, tests.collected),
        votes === null ? "" : l10n.t("{0} of {1} in favour", votes.passed, votes.valid),
        first === undefined ? "" : shortened(first),
        findings.length > 1 ? l10n.t("and {0} more", findings.length - 1) : "",
    ];
    return parts.filter((each) => each !== "").join("; ");
}

/** What is spent, in the unit that says most: dollars where they are known, else tokens, else calls. */
function spendingOf(search: Search): Spending | null {
    const { spent, budget } = search;
    if (spent === null || spent.calls === 0) return null;
    const unit = unitOf(spent);
    const steps: Step[] = [];
    for (const { at, spent: then } of search.spending) {
        const value = then[unit] ?? 0;
        if (value !== (steps.at(-1)?.value ?? 0)) steps.push({ at, value });
    }
    return { steps, budget: budget?.[unit] ?? null, unit };
}

function unitOf({ dollars, tokens }: Spent): Spending["unit"] {
    if (dollars !== null && dollars > 0) return "dollars";
    return tokens > 0 ? "tokens" : "calls";
}

function spendAxis(spending: Spending | null, l10n: L10n): string {
    switch (spending?.unit) {
        case "dollars":
            return l10n.t("Price (US dollars)");
        case "tokens":
            return l10n.t("Tokens read and written");
        default:
            return l10n.t("Calls of language models");
    }
}

function costAxis(best: Candidate | undefined, l10n: L10n): string {
    const unit = best?.cost?.unit ?? "";
    if (unit === "tokens") return l10n.t("Tokens changed, fewer is better");
    return unit === "" ? l10n.t("Cost, lower is better") : l10n.t("Cost ({0}), lower is better", unit);
}

function ofTree(search: Search, l10n: L10n): string {
    const standings: readonly Standing[] = ["verified", "notApart", "unverified", "failed", "undecided", "judging"];
    const counts = standings
        .map((each) => ({ each, number: count(search, each) }))
        .filter(({ number }) => number > 0)
        .map(({ each, number }) => `${grouped(number)} ${standingInWords(each, l10n)}`);
    if (counts.length === 0) return l10n.t("There is no candidate yet.");
    return l10n.t("Of {0}: {1}.", candidates(search.candidates.size, l10n), counts.join(", "));
}

function ofScores(search: Search, l10n: L10n): string {
    const first = search.improvements[0];
    const last = search.improvements.at(-1);
    if (first === undefined || last === undefined) return l10n.t("No candidate has passed yet.");
    const when = duration(last.at, l10n);
    if (last.cost >= UNKNOWN) return l10n.t("The best candidate, which has no price, came after {0}.", when);
    if (first === last || first.cost >= UNKNOWN) {
        return l10n.t("The best candidate costs {0}; it came after {1}.", plain(last.cost), when);
    }
    return l10n.t(
        "The best candidate costs {0}; it came after {1}. The first that passed cost {2}.",
        plain(last.cost),
        when,
        plain(first.cost),
    );
}

function ofSpending(search: Search, l10n: L10n): string {
    const took = search.spent === null ? "" : models(search.spent, l10n);
    return took === "" ? l10n.t("No language model was asked.") : l10n.t("Language models took {0}.", took);
}

function ofTimes(search: Search, l10n: L10n): string {
    const totals = verifiersOf(search).map((name) => ({
        name,
        seconds: [...search.candidates.values()].reduce((sum, each) => sum + (timeOf(each, name) ?? 0), 0),
    }));
    const all = totals.reduce((sum, each) => sum + each.seconds, 0);
    const [longest] = [...totals].sort((one, other) => other.seconds - one.seconds);
    if (longest === undefined || all === 0) return l10n.t("Nothing has been verified yet.");
    return l10n.t(
        "Verifying took {0}, of which “{1}” took {2}.",
        duration(all, l10n),
        longest.name,
        duration(longest.seconds, l10n),
    );
}

function verifiersOf(search: Search): readonly string[] {
    return search.verifiers;
}

/** How long a verifier took over a candidate; null when it was not asked. */
function timeOf(candidate: Candidate, verifier: string): number | null {
    const verdict = candidate.verdicts.find((each) => each.verifier === verifier);
    return verdict === undefined ? null : verdict.seconds;
}

function count(search: Search, standing: Standing): number {
    return [...search.candidates.values()].filter((each) => standingOf(each) === standing).length;
}

function shortened(words: string): string {
    const line = words.replace(/\s+/gu, " ").trim();
    return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

function capital(words: string): string {
    return words.charAt(0).toUpperCase() + words.slice(1);
}
