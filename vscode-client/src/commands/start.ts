// Starts a search at the cursor, or where the server's code action says.

import type { GenerateArguments } from "../protocol";
import type { Session } from "../session";
import { here } from "./here";
import { rewrite } from "./rewrite";
import { startAndTell } from "./startAndTell";

/** Starts a search for the function at the cursor, or for what the test at the cursor tests. */
export async function start(session: Session): Promise<void> {
    await startAndTell(session, here(undefined));
}

/** Starts the search that a code action of the server offers, once the user has said what it wants to be told. */
export async function generateAt(session: Session, argument: unknown): Promise<void> {
    const wish = argument as GenerateArguments;
    if (wish.ask === "instruction") await rewrite(session, wish);
    else await startAndTell(session, wish);
}
