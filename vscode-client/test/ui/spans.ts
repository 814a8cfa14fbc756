// A project with one function, whose examples verify it, and three candidates for it.

import type { Project } from "./project";
import { scripted } from "./script";

/** The file of the function. */
export const FILE = "spans.py";

const BASE = `"""Distances."""


def span(values):
    """The distance from the least to the greatest.

    >>> span([1, 5, 3])
    4
    >>> span([2])
    0
    """
    low = 0
    # what is least comes first
    # and then the greatest
    high = 0
    return high - low


def middle(values):
    return sum(values) / len(values)
`;

/** A project whose function \`span\` fails its first example. */
export const SPANS: Project = {
    name: "spans",
    files: { [FILE]: BASE, "pyproject.toml": '[project]\nname = "spans"\nversion = "1"\n' },
};

const FUNCTION = BASE.slice(BASE.indexOf("def span"), BASE.indexOf("\n\n\ndef middle"));

/** The function with these lines in the place of its two assignments. */
export function made(low: string, high: string): string {
    return FUNCTION.replace("low = 0", low).replace("high = 0", high);
}

/** What its file is when the second candidate has been accepted. */
export const DONE = BASE.replace(FUNCTION, made("low = min(values)", "high = max(values)"));

/** A candidate that fails, one that passes with two hunks, and one that passes and changes more. */
export const THREE = scripted(
    { source: made("low = 1", "high = 5"), note: "guessed" },
    { source: made("low = min(values)", "high = max(values)"), note: "min and max" },
    { source: made("values = sorted(values)\n    low = values[0]", "high = values[-1]"), note: "sorted first" },
);
