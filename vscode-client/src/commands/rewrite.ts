// Rewrites a function as the user says, and verifies what comes of it.

import { l10n, Uri, workspace } from "vscode";

import type { Session } from "../session";
import { askAndSend } from "./askAndSend";
import { chooseModel } from "./chooseModel";
import { here } from "./here";
import { functionAt, givenFor, withGiven } from "./instructions";
import type { Given } from "./instructions";
import { startAndTell } from "./startAndTell";
import { inform } from "../tell";

/** Where the instructions of this workspace are remembered. */
const REMEMBERED = "certo.instructions";

/** Asks for an instruction, and starts a search for the function of the argument or at the cursor. */
export async function rewrite(session: Session, argument: unknown): Promise<void> {
    const place = here(argument);
    if (!(await hasModel(session, place.uri)) && !(await chose(session, place.uri))) return;
    const document = await workspace.openTextDocument(Uri.parse(place.uri));
    const name = functionAt(document.getText().split("\n"), place.position.line);
    const about = `${place.uri}#${name ?? ""}`;
    const memory = session.context.workspaceState;
    const past = givenFor(memory.get<readonly Given[]>(REMEMBERED, []), about);
    await askAndSend({
        title: name === undefined ? l10n.t("Rewrite with Verification") : l10n.t("Rewrite {0} with Verification", name),
        prompt: l10n.t("What should change? Its tests and the other checks must still pass."),
        placeholder: l10n.t("For example: without the nested loops"),
        value: past[0] ?? "",
        past,
        send: async (instruction) => {
            // What was typed is kept even if the server refuses.
            const before = memory.get<readonly Given[]>(REMEMBERED, []);
            await memory.update(REMEMBERED, withGiven(before, { about, text: instruction }));
            await startAndTell(session, { ...place, instruction });
        },
    });
}

/** Whether a language model writes candidates for a document, which alone reads instructions. */
async function hasModel(session: Session, uri: string): Promise<boolean> {
    const { settings } = await session.daemon.ask("certo/environment", { uri });
    const { search } = settings as { search?: { generator?: string } };
    return search?.generator !== undefined && search.generator !== "builtin";
}

/** Says that a model is needed, and lets the user choose one; whether there is one now. */
async function chose(session: Session, uri: string): Promise<boolean> {
    const choose = l10n.t("Choose Model…");
    const answer = await inform(
        l10n.t("Rewriting needs a language model: Certo's built-in generator cannot read what you want."),
        choose,
    );
    if (answer !== choose) return false;
    await chooseModel(session);
    return await hasModel(session, uri);
}
