// What is under way is not begun a second time: a second click on a button is the same wish as the first. Pure.

/** Knows what is under way, by its names. */
export class Underway {
    private readonly names = new Set<string>();

    /** Does something under a name; undefined, at once, where something is being done under it already. */
    async once<T>(name: string, act: () => Promise<T>): Promise<T | undefined> {
        if (this.names.has(name)) return undefined;
        this.names.add(name);
        try {
            return await act();
        } finally {
            this.names.delete(name);
        }
    }
}
