// What menus and keys are told of the searches, by context keys: whether there are any, and whether one runs.

import { commands } from "vscode";
import type { Disposable } from "vscode";

import type { Session } from "../session";

/** Keeps the context keys true; nothing is sent while they stay as they are. */
export function registerContexts(session: Session): Disposable {
    const told = new Map<string, boolean>();
    const tell = (key: string, value: boolean): void => {
        if (told.get(key) === value) return;
        told.set(key, value);
        void commands.executeCommand("setContext", key, value);
    };
    return session.searches.onDidChange((changes) => {
        if (changes.every((each) => each.kind === "changed")) return;
        const all = session.searches.all();
        tell("certo.searching", all.length > 0);
        tell(
            "certo.running",
            all.some((each) => each.state === "running"),
        );
    });
}
