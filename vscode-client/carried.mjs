// Which packages of others the extension carries in its bundle. Only what package-lock.json lists with a hash may be there.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const ours = /^(?:src|test)\//;
const theirs = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** The folders of the packages that these inputs of esbuild come from, in order. */
export function carried(inputs) {
    const foreign = inputs.filter((path) => !ours.test(path));
    const stray = foreign.filter((path) => !theirs.test(path));
    if (stray.length > 0) throw new Error(`Code of unknown origin would be bundled: ${stray.join(", ")}`);
    return [...new Set(foreign.map((path) => theirs.exec(path)[1]))].sort();
}

/** What package-lock.json does not list as it is installed, each with the reason. */
export function unlocked(folders, packages, versionOf = installedVersion) {
    return folders.flatMap((folder) => {
        const listed = packages[folder];
        if (!listed?.integrity) return [`${folder}: package-lock.json has no hash of it`];
        const version = versionOf(folder);
        return version === listed.version ? [] : [`${folder}: ${version} is installed, not ${listed.version}`];
    });
}

/** The name, version and licence of each package, with the text of its licence. */
export function licences(folders) {
    return folders
        .map((folder) => {
            const { name, version, license } = manifest(folder);
            const file = readdirSync(folder).find((each) => /^licen[cs]e(?:\.\w+)?$/i.test(each));
            return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}\n`;
        })
        .join(`\n${"-".repeat(80)}\n\n`);
}

/** What package-lock.json says of each package by its folder. */
export function lockedPackages() {
    return JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
}

function installedVersion(folder) {
    return existsSync(folder) ? manifest(folder).version : "nothing";
}

function manifest(folder) {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
