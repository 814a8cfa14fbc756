// Repairs what a traceback is about: the selected text, or else what was copied.

import { commands, env, l10n, window } from "vscode";

import type { TracebackArguments } from "../protocol";
import type { Session } from "../session";
import { Mistake } from "./mistake";

/** Has the server read a traceback, and follows the search that it begins. */
export async function repairTraceback(session: Session): Promise<void> {
    const editor = window.activeTextEditor;
    const selected = editor === undefined ? "" : editor.document.getText(editor.selection);
    const traceback = selected.trim() === "" ? await env.clipboard.readText() : selected;
    if (traceback.trim() === "") {
        throw new Mistake(l10n.t("Copy a traceback, or select one, then run this command again."));
    }
    const wish: TracebackArguments = { v: 1, traceback };
    await commands.executeCommand("certo.traceback", wish);
    await session.searches.recover();
}
