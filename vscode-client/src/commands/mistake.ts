// What a user has asked for in the wrong place: said with what helps, and without the log, which knows no more.

import { commands } from "vscode";

import { warn } from "../tell";

/** What helps: what a button says, and the command that it runs. */
export interface Way {
    readonly label: string;
    readonly command: string;
}

/** A wish that cannot be met where it was made, in a sentence for the user. */
export class Mistake extends Error {
    constructor(
        sentence: string,
        private readonly way?: Way,
    ) {
        super(sentence);
    }

    /** Says it, and does what helps if the user wants that. */
    async tell(): Promise<void> {
        const { way } = this;
        const chosen = await warn(this.message, ...(way === undefined ? [] : [way.label]));
        if (way !== undefined && chosen === way.label) await commands.executeCommand(way.command);
    }
}
