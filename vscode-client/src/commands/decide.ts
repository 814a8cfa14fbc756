// Asks what a call should give on which candidates that passed differ; the answer becomes an example, and a retry.

import { l10n, window } from "vscode";
import type { QuickPickItem } from "vscode";

import { visible } from "../inert";
import { isValue, questionOf } from "../searches/groups";
import { nameOf } from "../searches/searchWords";
import type { Session } from "../session";
import { aboutWhich } from "./argument";
import { askExample } from "./retry";

interface Answer extends QuickPickItem {
    /** What the call should give; undefined where the user says so in their own words. */
    readonly result?: string;
}

/** Lets the user say which candidates are right, and searches again with that as an example. */
export async function decide(session: Session, argument: unknown): Promise<void> {
    const search = aboutWhich(session, argument)?.search;
    const question = search === undefined ? undefined : questionOf(search);
    if (search === undefined || question === undefined) {
        throw new Error(l10n.t("No two candidates are known to behave differently."));
    }
    const answers: Answer[] = question.answers
        .filter(({ result }) => isValue(result))
        .map(({ result, of }) => ({
            label: visible(result),
            description: l10n.t("as {0} gives", of.map(({ number }) => `#${number}`).join(", ")),
            result,
        }));
    const chosen = await window.showQuickPick<Answer>([...answers, { label: l10n.t("$(edit) Something Else…") }], {
        title: l10n.t("Which Is Right for {0}?", nameOf(search)),
        placeHolder: l10n.t("What should {0} give? The answer becomes an example.", visible(question.call)),
    });
    if (chosen === undefined) return;
    const { result } = chosen;
    if (result === undefined) await askExample(session, search, `${question.call} == `);
    else await session.searches.retry(search, { searchId: search.id, example: `${question.call} == ${result}` });
}
