// Dismisses a search: it is gone from every view, and from the server's journal.

import { aboutWhich } from "./argument";
import type { Session } from "../session";

/** Forgets a search, ending it if it runs. */
export async function forget(session: Session, argument: unknown): Promise<void> {
    const about = aboutWhich(session, argument);
    if (about !== undefined) await session.searches.forget(about.search);
}
