// Waiting for something that no event tells of.

/** How long anything may take that a user would wait for, in milliseconds. Machines that are busy are slow. */
export const PATIENCE = 120_000;

/** How long a search may take until it has verified a candidate. */
export const SEARCH = 400_000;

/** How long a whole journey may take. */
export const JOURNEY = 900_000;

/** Waits a little. */
export function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** How many seconds have passed, in a column. */
export function seconds(begun: number): string {
    return `${((Date.now() - begun) / 1000).toFixed(1).padStart(5)} s`;
}

/** Asks again and again until the answer is a yes or a value; says what was waited for when it never is. */
export async function until<T>(
    what: string,
    ask: () => Promise<T> | T,
    patience = PATIENCE,
): Promise<Exclude<T, false | undefined>> {
    const end = Date.now() + patience;
    for (;;) {
        const answer = await ask();
        if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
        if (Date.now() > end) throw new Error(`This never came: ${what}`);
        await pause(50);
    }
}
