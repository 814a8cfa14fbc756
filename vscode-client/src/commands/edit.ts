// Edits a candidate before it is accepted: what is saved is verified.

import { Uri } from "vscode";

import { EDIT } from "../review/address";
import { frontTab, reviewed } from "../review/tabs";
import type { Session } from "../session";
import { aboutCandidate } from "./argument";

/** Opens a candidate's text where it can be changed; saving it has it verified. */
export async function edit(session: Session, argument: unknown): Promise<void> {
    await session.editing.open(aboutCandidate(session, argument));
}

/** The document of an edited candidate that a command is about; undefined when it is about something else. */
export function editedIn(argument: unknown): Uri | undefined {
    if (argument !== undefined && !(argument instanceof Uri)) return undefined;
    const uri = argument ?? reviewed(frontTab())?.uri;
    return uri?.scheme === EDIT ? uri : undefined;
}
