// How each row of the Certo view looks: its words, its icon, and what a click on it opens.

import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, l10n } from "vscode";
import type { Command } from "vscode";

import { visible } from "../inert";
import { plain } from "../searches/amounts";
import { foldedChecks } from "../searches/checks";
import { lastLine } from "../searches/draftText";
import { named } from "../searches/findings";
import type { OfTest } from "../searches/findings";
import {
    baselineLine,
    endInShort,
    fateOf,
    isResumable,
    refused,
    nameOf,
    spentLine,
    stateLine,
} from "../searches/searchWords";
import type { Fate } from "../searches/searchWords";
import { givenBy, groupInShort, groupsOf, ungrouped } from "../searches/groups";
import type { Candidate, Search } from "../searches/state";
import {
    candidateOf,
    draftOf,
    findingOf,
    gapOf,
    ideaOf,
    ofIdeas,
    standingTest,
    testOfRow,
    verdictOf,
} from "../searches/tree";
import type { Kind, Row } from "../searches/tree";
import { isWeak, levelInWords } from "../searches/evidenceLevel";
import { speedInWords } from "../searches/speedWords";
import { gapInShort, shownGaps, strengthInWords, uncountedInWords, witnessInWords } from "../searches/strengthWords";
import { wrongBefore } from "../searches/whyRight";
import { besideInWords, candidateInWords, scoreInRow, standingOf, verdictInShort } from "../searches/words";
import type { Standing } from "../searches/words";
import type { Verdict } from "../protocol";
import { testPlace } from "../review/testPlaces";
import { draftUri } from "./drafts";

/** The colour of what passed. */
export const PASSED = new ThemeColor("testing.iconPassed");
/** The colour of what failed. */
export const FAILED = new ThemeColor("testing.iconFailed");
/** The colour of what is to be looked at. */
export const WARNING = new ThemeColor("list.warningForeground");
/** The colour of what needs no attention. */
export const DIM = new ThemeColor("descriptionForeground");

const OF_STANDING: Readonly<Record<Standing, ThemeIcon>> = {
    judging: new ThemeIcon("loading~spin"),
    verified: new ThemeIcon("pass", PASSED),
    notApart: new ThemeIcon("pass", WARNING),
    unverified: new ThemeIcon("question", WARNING),
    undecided: new ThemeIcon("question", WARNING),
    failed: new ThemeIcon("error", FAILED),
};

const OF_RULING: Readonly<Record<Verdict["ruling"], ThemeIcon>> = {
    passed: new ThemeIcon("check", PASSED),
    undecided: new ThemeIcon("question", WARNING),
    failed: new ThemeIcon("close", FAILED),
};

const OF_FATE: Readonly<Record<Fate, ThemeIcon>> = {
    running: new ThemeIcon("loading~spin"),
    accepted: new ThemeIcon("check-all", PASSED),
    verified: new ThemeIcon("pass-filled", PASSED),
    unverified: new ThemeIcon("question", WARNING),
    needless: new ThemeIcon("pass", DIM),
    empty: new ThemeIcon("circle-slash", DIM),
    cancelled: new ThemeIcon("debug-stop", DIM),
    broken: new ThemeIcon("error", FAILED),
};

const OF_KIND: Readonly<Record<Kind, (search: Search, row: Row) => TreeItem | undefined>> = {
    search: ofSearch,
    outcome: ofOutcome,
    group: ofGroup,
    candidate: ofCandidate,
    before: ofBefore,
    level: ofLevel,
    others: ofOthers,
    checks: ofChecks,
    verdict: ofVerdict,
    finding: ofFinding,
    strength: ofStrength,
    gap: ofGap,
    draft: ofDraft,
    ideas: ofIdeasBranch,
    idea: ofIdea,
    passed: ofBranch,
    refused: ofBranch,
    baseline: ofBaseline,
    test: ofTest,
    problem: ofProblem,
    spent: ofSpent,
};

/** What a row shows; undefined for one whose subject is gone. */
export function itemOf(search: Search, row: Row): TreeItem | undefined {
    const item = OF_KIND[row.kind](search, row);
    if (typeof item?.label === "string") item.label = visible(item.label);
    if (typeof item?.description === "string") item.description = visible(item.description);
    return item;
}

function ofSearch(search: Search): TreeItem {
    const fate = fateOf(search);
    const open = search.mine || search.state === "running";
    const states = TreeItemCollapsibleState;
    const item = new TreeItem(nameOf(search), open ? states.Expanded : states.Collapsed);
    item.iconPath = OF_FATE[fate];
    item.description = stateLine(search, l10n);
    const more = [search.candidates.size > 0 ? ".candidates" : "", isResumable(search) ? ".resumable" : ""];
    item.contextValue = `search.${fate}${more.join("")}`;
    return item;
}

function ofGroup(search: Search, row: Row): TreeItem | undefined {
    const groups = groupsOf(search);
    const group = groups[row.at ?? 0];
    if (group === undefined) return undefined;
    const given = givenBy(search, group);
    const said = groupInShort(group, l10n);
    const item = new TreeItem(given === "" ? said : given, TreeItemCollapsibleState.Expanded);
    item.iconPath = new ThemeIcon("group-by-ref-type", row.at === 0 ? undefined : DIM);
    if (given !== "") item.description = said;
    item.contextValue = "group";
    return item;
}

function ofCandidate(search: Search, row: Row): TreeItem | undefined {
    const candidate = candidateOf(search, row);
    if (candidate === undefined) return undefined;
    const standing = standingOf(candidate);
    const grouped = groupsOf(search).some((group) => group.includes(candidate));
    const parts = scoreInRow(candidate, grouped, l10n);
    const parent = candidate.parent === null ? undefined : search.candidates.get(candidate.parent);
    if (parent !== undefined) parts.push(l10n.t("from #{0}", parent.number));
    const below = candidate.verdicts.length > 0 || candidate.judging !== null;
    const states = TreeItemCollapsibleState;
    const item = new TreeItem(`#${candidate.number}`, below ? states.Collapsed : states.None);
    item.iconPath = isWeak(candidate) ? OF_STANDING.notApart : OF_STANDING[standing];
    item.description = parts.join(" · ");
    item.contextValue = contextOf(candidate, standing);
    item.command = { title: l10n.t("Show Diff"), command: "certo.candidate.diff", arguments: [row] };
    const said = candidateInWords(candidate, l10n);
    const label = l10n.t("Candidate {0}, {1}, {2}", candidate.number, said, parts.join(", "));
    item.accessibilityInformation = { label };
    return item;
}

function contextOf(candidate: Candidate, standing: Standing): string {
    const passed = candidate.passed === true ? "candidate.passed" : "candidate";
    return `${passed}.${standing}`;
}

function ofBefore(search: Search): TreeItem {
    const item = new TreeItem(l10n.t("before"));
    item.iconPath = new ThemeIcon("beaker");
    item.description = wrongBefore(search, l10n);
    item.contextValue = "evidence";
    return item;
}

function ofLevel(search: Search, row: Row): TreeItem | undefined {
    const candidate = candidateOf(search, row);
    if (candidate === undefined) return undefined;
    const item = new TreeItem(l10n.t("evidence"));
    item.iconPath = isWeak(candidate) ? new ThemeIcon("warning", WARNING) : new ThemeIcon("law");
    item.description = levelInWords(candidate, l10n);
    item.contextValue = "evidence";
    return item;
}

function ofOthers(search: Search, row: Row): TreeItem | undefined {
    const candidate = candidateOf(search, row);
    if (candidate === undefined) return undefined;
    const item = new TreeItem(l10n.t("others"));
    item.iconPath = new ThemeIcon("group-by-ref-type");
    item.description = besideInWords(search, candidate, l10n);
    item.contextValue = "evidence";
    return item;
}

function ofChecks(search: Search, row: Row): TreeItem | undefined {
    const candidate = candidateOf(search, row);
    if (candidate === undefined) return undefined;
    const item = new TreeItem(l10n.t("passed"), TreeItemCollapsibleState.Collapsed);
    item.iconPath = OF_RULING.passed;
    item.description = foldedChecks(candidate, l10n);
    item.contextValue = "evidence";
    return item;
}

function ofVerdict(search: Search, row: Row): TreeItem {
    const verdict = verdictOf(search, row);
    const item = new TreeItem(row.name ?? "");
    if (verdict === undefined) {
        item.iconPath = OF_STANDING.judging;
        item.description = l10n.t("being checked");
    } else {
        item.iconPath = OF_RULING[verdict.ruling];
        item.description = verdictInShort(verdict, l10n);
        if (verdict.speed) item.tooltip = speedInWords(verdict.speed, l10n).join("\n");
        if (verdict.findings.length > 0) {
            // What a candidate failed at is what people open it for.
            const states = TreeItemCollapsibleState;
            item.collapsibleState = verdict.ruling === "passed" ? states.Collapsed : states.Expanded;
        }
        const ruling = { passed: l10n.t("passed"), failed: l10n.t("failed"), undecided: l10n.t("undecided") };
        item.accessibilityInformation = {
            label: l10n.t("{0} {1}, {2}", verdict.verifier, ruling[verdict.ruling], item.description),
        };
    }
    item.contextValue = "verdict";
    return item;
}

function ofFinding(search: Search, row: Row): TreeItem | undefined {
    const finding = findingOf(search, row);
    if (finding === undefined) return undefined;
    const test = testOfRow(search, row);
    const item = new TreeItem(test === undefined ? finding.message : labelOf(test));
    item.iconPath = new ThemeIcon(test === undefined ? "circle-small" : "beaker");
    const line = finding.line === null ? "" : l10n.t("line {0}", finding.line);
    item.description = test?.said ?? line;
    item.contextValue = test === undefined ? "finding" : "finding.test";
    return item;
}

function ofStrength(search: Search, row: Row): TreeItem | undefined {
    const strength = candidateOf(search, row)?.strength ?? null;
    if (strength === null) return undefined;
    const missed = shownGaps(strength).length > 0;
    const states = TreeItemCollapsibleState;
    const item = new TreeItem(l10n.t("strength"), missed ? states.Collapsed : states.None);
    item.iconPath = new ThemeIcon(missed ? "question" : "check", missed ? WARNING : PASSED);
    item.description = strengthInWords(strength, l10n);
    item.tooltip = uncountedInWords(strength, l10n);
    item.contextValue = "strength";
    return item;
}

function ofGap(search: Search, row: Row): TreeItem | undefined {
    const gap = gapOf(search, row);
    if (gap === undefined) return undefined;
    const item = new TreeItem(gapInShort(gap, l10n));
    item.iconPath = new ThemeIcon("circle-small");
    item.description = witnessInWords(gap, l10n);
    item.contextValue = "gap";
    return item;
}

/** What a test is called in a narrow row. */
function labelOf({ id, name }: OfTest): string {
    const place = testPlace(id);
    return place?.path === null ? l10n.t("example on line {0}", place.line ?? 1) : name;
}

function ofDraft(search: Search, row: Row): TreeItem | undefined {
    const draft = draftOf(search, row);
    if (draft === undefined) return undefined;
    const item = new TreeItem(l10n.t("Writing"));
    item.iconPath = new ThemeIcon("edit");
    item.description = lastLine(draft.text) || draft.model;
    item.contextValue = "draft";
    item.command = open(draftUri(search.id, draft.slot, search.qualname));
    item.accessibilityInformation = { label: l10n.t("{0} is writing a candidate", draft.model) };
    return item;
}

function ofIdeasBranch(search: Search): TreeItem {
    const all = [...search.ideas.values()];
    const dropped = all.filter((each) => each.dropped !== "").length;
    const item = new TreeItem(l10n.t("Ideas"), TreeItemCollapsibleState.Collapsed);
    item.iconPath = new ThemeIcon("lightbulb");
    item.description = dropped === 0 ? plain(all.length) : l10n.t("{0}, {1} dropped", all.length, dropped);
    item.contextValue = "branch";
    return item;
}

function ofIdea(search: Search, row: Row): TreeItem | undefined {
    const idea = ideaOf(search, row);
    if (idea === undefined) return undefined;
    const states = TreeItemCollapsibleState;
    const item = new TreeItem(idea.text, ofIdeas(search, row.at ?? 0).length > 0 ? states.Expanded : states.None);
    item.iconPath = idea.dropped === "" ? new ThemeIcon("lightbulb") : new ThemeIcon("circle-slash", DIM);
    item.description = idea.dropped;
    item.contextValue = "idea";
    return item;
}

/** Opens a document beside the tree, which keeps the focus. */
function open(uri: unknown, options: object = {}): Command {
    return {
        title: l10n.t("Open"),
        command: "vscode.open",
        arguments: [uri, { preview: true, preserveFocus: true, ...options }],
    };
}

function ofBranch(search: Search, row: Row): TreeItem {
    const all = row.kind === "passed" ? ungrouped(search) : refused(search);
    const count = all.length - (row.at ?? 0);
    const states = TreeItemCollapsibleState;
    const further = row.at !== undefined;
    const label = further ? l10n.t("{0} more", count) : l10n.t("Failed");
    const item = new TreeItem(label, further ? states.Collapsed : states.Expanded);
    // Where one row that opens has no icon, VS Code moves those of all its leaves.
    item.iconPath = further ? new ThemeIcon("ellipsis") : new ThemeIcon("error", DIM);
    if (!further) item.description = plain(count);
    item.contextValue = "branch";
    return item;
}

function ofBaseline(search: Search): TreeItem | undefined {
    if (search.baseline === null) return undefined;
    const { tests, setAside, problems } = search.baseline;
    const shows = problems.length + setAside.length + tests.filter((each) => each.ruling !== "passed").length > 0;
    const states = TreeItemCollapsibleState;
    const item = new TreeItem(l10n.t("Tests"), shows ? states.Collapsed : states.None);
    item.iconPath = new ThemeIcon("beaker");
    item.description = baselineLine(search, l10n);
    item.contextValue = "baseline";
    return item;
}

function ofTest(search: Search, row: Row): TreeItem | undefined {
    const known = standingTest(search, row);
    if (known === undefined) return undefined;
    const item = new TreeItem(labelOf(named(known.test.id, "")));
    item.iconPath = known.aside ? new ThemeIcon("circle-slash", DIM) : new ThemeIcon("error", FAILED);
    const said = known.test.message;
    item.description = known.aside ? l10n.t("set aside: {0}", said) : said;
    item.contextValue = "finding.test";
    return item;
}

function ofProblem(search: Search, row: Row): TreeItem {
    const item = new TreeItem(search.baseline?.problems[row.at ?? 0] ?? "");
    item.iconPath = new ThemeIcon("warning", WARNING);
    return item;
}

function ofSpent(search: Search): TreeItem {
    const item = new TreeItem(l10n.t("Spent"));
    item.iconPath = new ThemeIcon("credit-card");
    item.description = spentLine(search, l10n);
    return item;
}

function ofOutcome(search: Search): TreeItem {
    const words = endInShort(search, l10n);
    const item = new TreeItem(words.charAt(0).toUpperCase() + words.slice(1));
    item.iconPath = new ThemeIcon("info");
    const { reason = "", advice = "" } = search.end ?? {};
    item.description = reason === "" ? advice : reason;
    return item;
}
