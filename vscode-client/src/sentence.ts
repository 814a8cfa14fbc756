// Words of the server as a sentence of their own. Pure: no editor in here.

/** Words that begin in small letters and end without a stop, as a sentence; a path or a name at the beginning stays as it is spelled. */
export function sentence(words: string): string {
    const said = words.trim();
    if (said === "") return "";
    const begun = /^\p{L}+(?:-\p{L}+)*[,;]?(\s|$)/u.test(said) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
    return /[.!?…]$/u.test(begun) ? begun : `${begun}.`;
}
