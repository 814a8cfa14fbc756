// Words of others that only are to be read. Pure: no editor in here.

/** What a link or an icon has at its bracket: VS Code makes one of `[words](command:…)` in a message, and of `$(name)`. */
const BEGINS = /(?<=[\]$])\(/gu;

/** What nobody sees, or what changes how the rest looks: controls, marks of direction, fillers, what hides in emoji. */
const UNSEEN =
    /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/gu;

/** Words with what is not seen in them written out; line breaks and tabs stay. */
export function visible(words: string): string {
    return words.replace(/\r\n?/gu, "\n").replace(UNSEEN, (one) => {
        if (one === "\n" || one === "\t") return one;
        const point = (one.codePointAt(0) ?? 0).toString(16);
        if (point.length <= 2) return `\\x${point.padStart(2, "0")}`;
        return point.length > 4 ? `\\U${point.padStart(8, "0")}` : `\\u${point.padStart(4, "0")}`;
    });
}

/** The same of every text in plain data. */
export function visibleIn<T>(data: T): T {
    const told: unknown = JSON.parse(JSON.stringify(data), (_, value: unknown) =>
        typeof value === "string" ? visible(value) : value,
    );
    return told as T;
}

/**
 * Words as they are, in which VS Code finds neither links nor icons.
 *
 * A link in a message runs any command when it is clicked, and what a test or a candidate says may look like one.
 */
export function inert(words: string): string {
    // A blank without width is not seen and not heard.
    return visible(words).replace(BEGINS, "\u200b(");
}
