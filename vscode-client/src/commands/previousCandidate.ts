// Shows the previous candidate of the search that is reviewed, around the beginning of the list.

import type { Session } from "../session";
import { aboutCandidate } from "./argument";

/** Shows the candidate before the one in front. */
export async function previousCandidate(session: Session, argument: unknown): Promise<void> {
    const about = aboutCandidate(session, argument);
    if (session.review.front === undefined) await session.review.show(about, false);
    else await session.review.step(about, -1);
}
