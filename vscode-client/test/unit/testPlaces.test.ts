// Tests are found by the names that pytest and doctest know them by.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lineOf, testPlace } from "../../src/review/testPlaces";

const TEXT = "import a\n\n\ndef test_b():\n    pass\n\n\nclass TestA:\n    async def test_b(self):\n        pass\n";

function at(id: string): number | undefined {
    const place = testPlace(id);
    return place === undefined ? undefined : lineOf(place, TEXT);
}

test("a test function is found by its file, its class and its name", () => {
    const place = testPlace("tests/test_a.py::TestA::test_b[x::y-[1]]");
    assert.deepEqual(place, { path: "tests/test_a.py", names: ["TestA", "test_b"], line: null });
    assert.equal(at("tests/test_a.py::TestA::test_b"), 9);
    assert.equal(at("test_a.py::test_b"), 4);
});

test("an example stands in the document itself", () => {
    assert.deepEqual(testPlace("doctest:Till.total:31"), { path: null, names: [], line: 31 });
});

test("an example that was given is in no file", () => {
    assert.equal(testPlace("example 1"), undefined);
});

test("a doctest stands where its function is defined", () => {
    assert.equal(at("till.py::till.test_b"), 4);
});

test("a test that is not there leads to what is", () => {
    assert.equal(at("test_a.py::TestA::test_gone"), 8);
    assert.equal(lineOf({ path: "a.py", names: ["gone"], line: null }, TEXT), 1);
});
