// Words of others that only are to be read. Pure: no editor in here.

/** What a link or an icon has at its bracket: VS Code makes one of `[words](command:…)` in a message, and of `$(name)`. */
const BEGINS = /(?<=[\]$])\(/gu;

/**
 * Words as they are, in which VS Code finds neither links nor icons.
 *
 * A link in a message runs any command when it is clicked, and what a test or a candidate says may look like one.
 */
export function inert(words: string): string {
    // A blank without width is not seen and not heard.
    return words.replace(BEGINS, "\u200b(");
}
