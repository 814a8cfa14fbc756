// Whether a server that has crashed is started once more: a few times, and then no more until the user asks for it.

/** So many crashes are forgiven within `WINDOW`. */
const FORGIVEN = 4;

/** Crashes longer ago than this count no more, in milliseconds. */
const WINDOW = 3 * 60 * 1000;

/** The crashes of one server, as they are counted to tell an accident from a habit. */
export class Crashes {
    private times: number[] = [];

    /** Whether the last crash was forgiven; true when there was none. */
    get forgiving(): boolean {
        return this.times.length <= FORGIVEN;
    }

    /** Takes note of a crash at this time, and says whether the server is to be started once more. */
    forgives(now: number): boolean {
        this.times = [...this.times.filter((time) => now - time < WINDOW), now];
        return this.forgiving;
    }
}
