// Something that several wait for, and that goes on for as long as one of them does. Pure: no editor in here.

/** Work that was begun once, for all that want what comes of it. */
export class Shared<T> {
    private readonly ending = new AbortController();
    private readonly made: Promise<T>;
    private waiting = 0;
    private done = false;

    /** Begins the work; its signal says when nobody waits for it any more. */
    constructor(begin: (signal: AbortSignal) => Promise<T>) {
        this.made = begin(this.ending.signal).finally(() => {
            this.done = true;
        });
        // Those who wait are told; that nobody did is no error.
        this.made.catch(() => undefined);
    }

    /** Whether it is of no use to wait for it any more. */
    get isOver(): boolean {
        return this.done || this.ending.signal.aborted;
    }

    /** Waits for what comes of it; undefined as soon as the signal says that this one waits no more. */
    async wait(leaving: AbortSignal): Promise<T | undefined> {
        this.waiting++;
        let left = (): void => undefined;
        const gone = new Promise<undefined>((resolve) => {
            left = (): void => {
                resolve(undefined);
            };
            if (leaving.aborted) left();
            else leaving.addEventListener("abort", left);
        });
        try {
            return await Promise.race([this.made, gone]);
        } finally {
            leaving.removeEventListener("abort", left);
            this.waiting--;
            if (this.waiting === 0 && !this.done) this.ending.abort();
        }
    }
}
