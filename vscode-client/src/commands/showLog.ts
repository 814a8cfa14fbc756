// Shows the output channel.

import type { Session } from "../session";

/** Shows what the extension and the server have logged. */
export function showLog(session: Session): Promise<void> {
    session.log.show();
    return Promise.resolve();
}
