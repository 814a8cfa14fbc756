// Restarts the server.

import { l10n } from "vscode";

import type { Session } from "../session";
import { inform } from "../tell";

/** Starts the server anew, and says when it runs; what it knew of is found again in its journal. */
export async function restart(session: Session): Promise<void> {
    await session.daemon.restart();
    // When it does not run, that is said with the reason.
    if (session.daemon.state.kind === "running") void inform(l10n.t("The Certo server has restarted."));
}
