// Offers tests before a search that no test can judge: what the user ticks of them is what candidates are verified by.

import { commands, l10n } from "vscode";

import type { CommandAnswer, TestsArguments } from "../protocol";
import { isUntested, nameOf } from "../searches/searchWords";
import type { Search } from "../searches/state";
import type { Session } from "../session";
import { inform } from "../tell";

/** Once a search has ended because no test reaches its function, asks for tests, and searches again by them. */
export function offerTestsFirst(session: Session, started: Search): void {
    const listening = session.searches.onDidChange((changes) => {
        const mine = changes.find(({ search, kind }) => search.id === started.id && kind !== "added");
        if (mine === undefined || (mine.kind !== "removed" && mine.search.end === null)) return;
        listening.dispose();
        if (mine.kind !== "removed" && isUntested(mine.search)) {
            void ask(session, mine.search).catch((error: unknown) => {
                session.log.error(error instanceof Error ? error : String(error));
            });
        }
    });
}

async function ask(session: Session, search: Search): Promise<void> {
    const write = l10n.t("Write Tests First");
    const without = l10n.t("Search without Tests");
    const words = l10n.t(
        "No test reaches {0}, so nothing can be verified. Tick what it does rightly today first?",
        nameOf(search),
    );
    // Without an instruction or another goal there is nothing to search by.
    const others = search.goal === "repair" ? [] : [without];
    const chosen = await inform(words, write, ...others);
    if (chosen === undefined || (chosen === write && !(await wroteTests(search)))) return;
    await session.searches.retry(search, { searchId: search.id });
}

/** Whether the user has accepted any of the tests that the server offers. */
async function wroteTests(search: Search): Promise<boolean> {
    const place: TestsArguments = { uri: search.uri, qualname: search.qualname, wait: true };
    const answer = await commands.executeCommand<CommandAnswer | undefined>("certo.tests", place);
    return answer?.state === "accepted";
}
