// Begins the review of a search: its best candidate against the document.

import type { Session } from "../session";
import { aboutCandidate } from "./argument";

/** Shows the diff of the best candidate; the others are a key away. */
export async function review(session: Session, argument: unknown): Promise<void> {
    await session.review.show(aboutCandidate(session, argument), false);
}
