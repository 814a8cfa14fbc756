// Searches once more for the same function, in one of the ways in which it may go better.

import { l10n, window } from "vscode";
import type { QuickPickItem } from "vscode";

import { callOf } from "../searches/searchWords";
import type { OtherWish } from "../searches/searches";
import type { Search } from "../searches/state";
import type { Session } from "../session";
import { aboutWhich } from "./argument";
import { askAndSend } from "./askAndSend";
import { askModel } from "./askModel";
import { askFeedback, titleFor } from "./candidateRetry";
import { settingsForOnce } from "./modelChoice";
import { strategiesFor } from "./strategies";

/** How many candidates are compared when the user wants more, unless they say another number. */
const MORE = "8";

interface Way extends QuickPickItem {
    readonly go: () => Promise<unknown>;
}

/** Lets the user say what is to be otherwise, and searches again. */
export async function retry(session: Session, argument: unknown): Promise<void> {
    const about = aboutWhich(session, argument);
    if (about === undefined) throw new Error(l10n.t("There is no search to retry."));
    const chosen = await window.showQuickPick(waysOf(session, about.search), {
        title: titleFor(about.search),
        placeHolder: l10n.t("What should change?"),
    });
    await chosen?.go();
}

function waysOf(session: Session, search: Search): Way[] {
    const again = (wish: Omit<OtherWish, "searchId">): Promise<unknown> =>
        session.searches.retry(search, { searchId: search.id, ...wish });
    return [
        {
            label: l10n.t("$(comment) With feedback…"),
            description: l10n.t("in your own words"),
            go: () => askFeedback(session, search, undefined),
        },
        {
            label: l10n.t("$(beaker) With an added example…"),
            description: l10n.t("which must then hold, like a test"),
            go: () => askExample(session, search),
        },
        {
            label: l10n.t("$(list-ordered) With more candidates…"),
            description: l10n.t("to compare, and take the best"),
            go: () => askNumber(search, again),
        },
        {
            label: l10n.t("$(sparkle) With another model…"),
            description: l10n.t("for this search only"),
            go: () => retryWithModel(session, search, again),
        },
        {
            label: l10n.t("$(settings) With another strategy…"),
            description: l10n.t("for this search only"),
            go: () => retryWithStrategy(search, again),
        },
        {
            label: l10n.t("$(refresh) The same again"),
            description: l10n.t("on the current text"),
            go: () => again({}),
        },
    ];
}

type Again = (wish: Omit<OtherWish, "searchId">) => Promise<unknown>;

/** Asks for an example, and searches again with it; the box begins with this text. */
export async function askExample(session: Session, search: Search, value = ""): Promise<void> {
    await askAndSend({
        title: titleFor(search),
        prompt: l10n.t("An example, such as `total([1, 2]) == 3`, or a doctest with \\n between its lines"),
        placeholder: `${callOf(search.qualname)} == …`,
        value,
        send: (text) => session.searches.retry(search, { searchId: search.id, example: exampleIn(text) }),
    });
}

/** A doctest has several lines, and the box has one. */
function exampleIn(text: string): string {
    return text.startsWith(">>>") ? text.replaceAll("\\n", "\n") : text;
}

async function askNumber(search: Search, again: Again): Promise<void> {
    await askAndSend({
        title: titleFor(search),
        prompt: l10n.t("How many candidates do you want to compare?"),
        value: MORE,
        flaw: (text) => (/^[1-9]\d*$/u.test(text) ? undefined : l10n.t("Give a whole number.")),
        send: (text) => {
            const judged = Math.max(Number(text), search.budget?.candidates ?? 0);
            return again({
                settings: {
                    "retry.numCandidates": Number(text),
                    "retry.select": "cheapest",
                    "search.candidates": judged,
                },
            });
        },
    });
}

async function retryWithModel(session: Session, search: Search, again: Again): Promise<void> {
    const used = search.generator === "model" ? l10n.t("a language model") : l10n.t("the built-in generator");
    const choice = await askModel(session, titleFor(search), used);
    if (choice !== undefined) await again({ settings: settingsForOnce(choice) });
}

async function retryWithStrategy(search: Search, again: Again): Promise<void> {
    const chosen = await window.showQuickPick(strategiesFor(search, l10n), {
        title: titleFor(search),
        matchOnDescription: true,
    });
    if (chosen !== undefined) await again({ settings: chosen.settings });
}
