// How documents of a review are named: whose they are, and which side of it they show. Pure.

/** The scheme of texts to look at. */
export const LOOK = "certo-review";

/** The scheme of texts to edit. */
export const EDIT = "certo-edit";

/** The scheme of the server's own documents about candidates. */
export const SERVED = "certo";

/**
 * What a text of a review is: what accepting gives on the text as it is (`now`), what the candidate makes of the text
 * its search began with (`made`), that text itself (`base`), or where both have changed the same (`conflict`); or what it
 * makes of another file (`other`), and what that was (`otherBase`).
 */
export type Side = "now" | "made" | "base" | "conflict" | "other" | "otherBase";

const SIDES: readonly Side[] = ["now", "made", "base", "conflict", "other", "otherBase"];

/** What a document of a review shows. */
export interface Address {
    readonly searchId: string;
    readonly candidateId: string;
    readonly side: Side;
}

/** The parts of a URI that say what a document of ours is about. */
export interface UriParts {
    readonly scheme: string;
    readonly authority: string;
    readonly path: string;
}

/** The name of a document of ours. What only we read is in its authority, which the editor does not show. */
export function partsOf(scheme: string, { searchId, candidateId, side }: Address, name: string): UriParts {
    return { scheme, authority: `${searchId}.${candidateId}.${side}`, path: `/${name}` };
}

/** What a document about a file is called, from the path of that: it is Python, whatever the file holds besides. */
export function pythonName(path: string): string {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return /\.pyi?$/iu.test(name) ? name : `${name}.py`;
}

/** What a document of one of our schemes is about; undefined where it is none of them. */
export function addressOf({ scheme, authority, path }: UriParts): Address | undefined {
    if (scheme !== LOOK && scheme !== EDIT && scheme !== SERVED) return undefined;
    const [searchId, candidateId, part] = scheme === SERVED ? path.split("/").slice(1) : authority.split(".");
    if (searchId === undefined || candidateId === undefined) return undefined;
    return { searchId, candidateId, side: SIDES.find((each) => each === part) ?? "made" };
}

/** What a search and a candidate of it are called by. */
export type Names = Pick<Address, "searchId" | "candidateId">;

/** How a thread of comments says what it is about, and whether that may be accepted, for the conditions of its menus. */
export function threadMark({ searchId, candidateId }: Names, acceptable: boolean): string {
    return `certo:${searchId}:${candidateId}:${acceptable ? "acceptable" : "refused"}`;
}

/** What a thread of comments is about; undefined where it is none of ours. */
export function namesInMark(mark: string): Names | undefined {
    const [certo, searchId, candidateId] = mark.split(":");
    return certo === "certo" && searchId !== undefined && candidateId !== undefined
        ? { searchId, candidateId }
        : undefined;
}
