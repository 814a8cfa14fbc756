// Messages to the user: whatever they quote is only read, and runs nothing.

import { window } from "vscode";

import { inert } from "./inert";

/** Says something that is good to know; resolves with the choice that was made, if any. */
export function inform(words: string, ...choices: string[]): Thenable<string | undefined> {
    return window.showInformationMessage(inert(words), ...choices);
}

/** Says something that is not as one would wish. */
export function warn(words: string, ...choices: string[]): Thenable<string | undefined> {
    return window.showWarningMessage(inert(words), ...choices);
}

/** Says what could not be done. */
export function regret(words: string, ...choices: string[]): Thenable<string | undefined> {
    return window.showErrorMessage(inert(words), ...choices);
}
