// Stands in for @vscode/spdlog, a logging module that npm has without its compiled part: the same calls, plain files.
"use strict";

const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

const LEVELS = ["trace", "debug", "info", "warning", "error", "critical", "off"];
const INFO = LEVELS.indexOf("info");

class Logger {
    constructor(_kind, name, file) {
        this.name = name;
        this.file = file;
        this.level = INFO;
        this.plain = false;
        mkdirSync(dirname(file), { recursive: true });
    }

    write(level, text) {
        if (level < this.level || this.file === undefined) return;
        const time = new Date().toISOString().replace("T", " ").replace("Z", "");
        // Whoever clears the formatters writes whole lines itself.
        const line = this.plain ? text : `${time} [${LEVELS[level]}] ${text}\n`;
        try {
            appendFileSync(this.file, line);
        } catch {
            // The folder of the logs goes before the last word is said.
        }
    }

    trace(text) {
        this.write(0, text);
    }
    debug(text) {
        this.write(1, text);
    }
    info(text) {
        this.write(2, text);
    }
    warn(text) {
        this.write(3, text);
    }
    error(text) {
        this.write(4, text);
    }
    critical(text) {
        this.write(5, text);
    }
    getLevel() {
        return this.level;
    }
    setLevel(level) {
        this.level = level;
    }
    clearFormatters() {
        this.plain = true;
    }
    setPattern() {}
    flush() {}
    drop() {
        this.file = undefined;
    }
}

// VS Code imports this module by name, so each name has to be assigned by itself.
exports.version = 0;
exports.Logger = Logger;
exports.createRotatingLogger = async (name, file) => new Logger("rotating", name, file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger("rotating_async", name, file);
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.shutdown = () => {};
