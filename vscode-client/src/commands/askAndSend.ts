// Asks for a line of text and sends it; what the server refuses stays in the box, with the reason, to be mended.

import { InputBoxValidationSeverity, l10n, ThemeIcon, window } from "vscode";
import type { InputBox } from "vscode";

import { inert } from "../inert";
import { said } from "../log";

/** What is asked. */
export interface Question {
    readonly title: string;
    readonly prompt: string;
    readonly placeholder?: string;
    readonly value?: string;
    /** What was answered before, the last first. */
    readonly past?: readonly string[];
    /** What is wrong with an answer that need not be sent to know it. */
    readonly flaw?: (text: string) => string | undefined;
    readonly send: (text: string) => Promise<unknown>;
}

/**
 * Asks until an answer was sent and taken, or the user wants nothing of it any more.
 *
 * @throws what sending threw, when the box was closed meanwhile.
 */
export async function askAndSend(question: Question): Promise<void> {
    const box = window.createInputBox();
    box.title = question.title;
    box.prompt = question.prompt;
    box.placeholder = question.placeholder;
    box.value = question.value ?? "";
    box.ignoreFocusOut = true;
    offerPast(box, question.past ?? []);
    try {
        await new Promise<void>((resolve, reject) => {
            let open = true;
            box.onDidChangeValue(() => {
                box.validationMessage = undefined;
            });
            box.onDidHide(() => {
                open = false;
                if (!box.busy) resolve();
            });
            box.onDidAccept(() => {
                if (box.busy) return;
                send(box, question).then(
                    (sent) => {
                        if (sent) resolve();
                    },
                    (error: unknown) => {
                        if (open) box.validationMessage = refusal(said(error));
                        else reject(error instanceof Error ? error : new Error(said(error)));
                    },
                );
            });
            box.show();
        });
    } finally {
        box.dispose();
    }
}

/** Sends what the box has; false when that is no answer. */
async function send(box: InputBox, question: Question): Promise<boolean> {
    const text = box.value.trim();
    const flaw = text === "" ? l10n.t("Type something, or press Escape.") : question.flaw?.(text);
    if (flaw !== undefined) {
        box.validationMessage = refusal(flaw);
        return false;
    }
    box.busy = true;
    try {
        await question.send(text);
        return true;
    } finally {
        box.busy = false;
    }
}

function refusal(message: string): InputBox["validationMessage"] {
    return { message: inert(message), severity: InputBoxValidationSeverity.Error };
}

/** A button that goes through what was answered before. */
function offerPast(box: InputBox, past: readonly string[]): void {
    if (past.length === 0) return;
    let next = past[0] === box.value ? 1 : 0;
    box.buttons = [{ iconPath: new ThemeIcon("history"), tooltip: l10n.t("Earlier instructions") }];
    box.onDidTriggerButton(() => {
        box.value = past[next % past.length] ?? "";
        next++;
    });
}
