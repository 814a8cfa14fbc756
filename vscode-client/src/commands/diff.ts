// Shows what a candidate would change, against the document as it is.

import type { Session } from "../session";
import { aboutCandidate } from "./argument";

/** Opens the diff of a candidate; from a list, the focus stays there. */
export async function diff(session: Session, argument: unknown): Promise<void> {
    await session.review.show(aboutCandidate(session, argument), false);
}
