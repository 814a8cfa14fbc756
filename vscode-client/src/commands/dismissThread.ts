// Takes the box for comments at a function away; the search stays.

import type { Session } from "../session";
import { aboutWhich } from "./argument";

/** Closes the box about a candidate. */
export function dismissThread(session: Session, argument: unknown): Promise<void> {
    const about = aboutWhich(session, argument);
    if (about !== undefined) session.threads.dismiss(about.search.id);
    return Promise.resolve();
}
