// Doing something soon, but not more often than eyes can follow. Pure: no editor in here.

/** Does one thing when asked to: at once after a rest, and else as soon as enough time has gone by since the last. */
export class Pace {
    private timer: NodeJS.Timeout | undefined;
    private last = Number.NEGATIVE_INFINITY;

    constructor(
        private readonly act: () => void,
        /** How long it rests between two times, in milliseconds. */
        private readonly rest: number,
        private readonly now: () => number = () => performance.now(),
    ) {}

    /** Has it done soon; asked for many times meanwhile, it is done once. */
    ask(): void {
        if (this.timer !== undefined) return;
        const wait = Math.max(0, this.last + this.rest - this.now());
        this.timer = setTimeout(() => {
            this.timer = undefined;
            this.last = this.now();
            this.act();
        }, wait);
    }

    dispose(): void {
        clearTimeout(this.timer);
    }
}
