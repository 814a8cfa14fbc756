// Stops a search, and with it every process of it.

import { aboutWhich } from "./argument";
import type { Session } from "../session";

/** Stops a search; resolves when none of its processes is left. */
export async function stop(session: Session, argument: unknown): Promise<void> {
    const about = aboutWhich(session, argument);
    if (about?.search.state === "running") await session.searches.stop(about.search);
}
