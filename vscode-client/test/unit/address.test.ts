// Documents of a review are named so that what they are about is found again, and nobody has to read it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { addressOf, EDIT, LOOK, namesInMark, partsOf, pythonName, SERVED, threadMark } from "../../src/review/address";

const NAMES = { searchId: "5f0c2a9e", candidateId: "6a3e1a60582d" };

test("what a document is about is found again in its name, whose path is for the reader", () => {
    for (const scheme of [LOOK, EDIT]) {
        const parts = partsOf(scheme, { ...NAMES, side: "now" }, "till.py");
        assert.equal(parts.path, "/till.py");
        assert.deepEqual(addressOf(parts), { ...NAMES, side: "now" });
    }
    const other = partsOf(LOOK, { ...NAMES, side: "other" }, "shop/prices.py");
    assert.equal(other.path, "/shop/prices.py");
    assert.deepEqual(addressOf(other), { ...NAMES, side: "other" });
});

test("so it is in the names of the server's own documents, and in no others", () => {
    const path = "/5f0c2a9e/6a3e1a60582d/report/till.py.md";
    assert.deepEqual(addressOf({ scheme: SERVED, authority: "", path }), { ...NAMES, side: "made" });
    assert.equal(addressOf({ scheme: "file", authority: "", path }), undefined);
});

test("a document is called like the file, and by a name of Python's where that is none", () => {
    assert.equal(pythonName("/home/ada/shop/till.py"), "till.py");
    assert.equal(pythonName("/home/ada/shop/till.pyi"), "till.pyi");
    // The cell of a notebook has the path of that, and is told from the others by a fragment.
    assert.equal(pythonName("/home/ada/shop/till.ipynb"), "till.ipynb.py");
    assert.equal(pythonName("/home/ada/till"), "till.py");
});

test("a box for comments says what it is about", () => {
    assert.deepEqual(namesInMark(threadMark(NAMES, true)), NAMES);
    assert.equal(namesInMark("other:a:b"), undefined);
});
