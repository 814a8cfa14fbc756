// What the Python extension offers to others, as far as certo asks for it, and a way for a test to choose an interpreter.
"use strict";

const { EventEmitter, Uri } = require("vscode");

exports.activate = () => {
    const changed = new EventEmitter();
    let chosen = "";
    return {
        choose: (path) => {
            chosen = path;
            changed.fire({ path });
        },
        environments: {
            getActiveEnvironmentPath: () => ({ path: chosen }),
            resolveEnvironment: ({ path }) =>
                Promise.resolve(path === "" ? undefined : { executable: { uri: Uri.file(path) }, environment: {} }),
            onDidChangeActiveEnvironmentPath: changed.event,
        },
    };
};
