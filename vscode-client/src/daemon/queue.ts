// Work that must not overlap: it is done one after the other, and what waits already is not asked for twice.

/** What waits for its turn. */
interface Waiting {
    readonly kind: string;
    readonly done: Promise<void>;
}

/** Lets work of several kinds have its turn. Two wishes of one kind that wait one behind the other are one wish. */
export class Queue {
    private last: Promise<unknown> = Promise.resolve();
    private waiting: Waiting | undefined;

    /** Does the work when its turn has come; resolves, or rejects, when it is done. */
    take(kind: string, work: () => Promise<void>): Promise<void> {
        if (this.waiting?.kind === kind) return this.waiting.done;
        const done = this.last.then(() => {
            if (this.waiting === mine) this.waiting = undefined;
            return work();
        });
        const mine: Waiting = { kind, done };
        this.waiting = mine;
        this.last = done.catch(() => undefined);
        return done;
    }
}
