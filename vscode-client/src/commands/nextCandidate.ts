// Shows the next candidate of the search that is reviewed, around the end of the list.

import type { Session } from "../session";
import { aboutCandidate } from "./argument";

/** Shows the candidate after the one in front. */
export async function nextCandidate(session: Session, argument: unknown): Promise<void> {
    const about = aboutCandidate(session, argument);
    if (session.review.front === undefined) await session.review.show(about, false);
    else await session.review.step(about, 1);
}
