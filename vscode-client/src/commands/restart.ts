// Restarts the server.

import type { Session } from "../session";

/** Starts the server anew; what it knew of is found again in its journal. */
export async function restart(session: Session): Promise<void> {
    await session.daemon.restart();
}
