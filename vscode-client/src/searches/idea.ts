// What a strategy has told that there is to try.

/** Something to try, in words; `dropped` says why nothing more is to come of it, if so. */
export interface Idea {
    readonly text: string;
    readonly parent: number | null;
    dropped: string;
}
