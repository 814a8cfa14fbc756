// Starts a search, and tells which function it is about where the user pointed at a test and not at that.

import { commands, l10n } from "vscode";

import type { Wish } from "../searches/searches";
import type { Session } from "../session";
import { offerTestsFirst } from "./testsFirst";
import { waitIfLong } from "./waiting";
import { inform } from "../tell";

/** Starts a search; for a test that fails, once the server knows which function is to blame. */
export async function startAndTell(session: Session, wish: Wish): Promise<void> {
    const started = await waitIfLong(l10n.t("Finding the function"), (token) =>
        session.searches.start({ ...wish, testsFirst: true }, token),
    );
    if (started === undefined) return;
    offerTestsFirst(session, started.search);
    if (started.sentence === "") return;
    const go = l10n.t("Go to Function");
    void inform(started.sentence, go).then(async (chosen) => {
        if (chosen === go) await commands.executeCommand("certo.search.reveal", { searchId: started.search.id });
    });
}
