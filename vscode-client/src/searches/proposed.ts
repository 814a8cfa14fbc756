// A candidate as it is when it has just been proposed. Pure: no editor in here.

import type { CandidateProposed, Standing } from "../protocol";
import type { Candidate } from "./state";

/** A candidate of which no verifier has said anything yet. */
export function proposed(event: CandidateProposed): Omit<Candidate, "number"> {
    return {
        id: event.candidateId,
        parent: event.parent,
        origin: event.origin,
        edits: event.edits,
        diff: event.diff,
        hunks: event.hunks,
        elsewhere: event.elsewhere ?? [],
        verdicts: [],
        votes: [],
        proposedAt: event.at,
        scoredAt: null,
        judging: null,
        passed: null,
        left: false,
        verified: false,
        caveat: "",
        cost: null,
        place: null,
        compared: besideOthers(event),
        strength: null,
        graded: null,
    };
}

/** How a candidate acts beside others by what its generator knows of it; null where it says nothing. */
function besideOthers({ rivalOf = null, difference = null, observations = [] }: CandidateProposed): Standing | null {
    return rivalOf === null && observations.length === 0 ? null : { rivalOf, difference, observations };
}
