import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { decodeFileSetPage, decodeHistory, parseJson } from "../../../lib/client/decode.ts";
import { ShapeError } from "../../../lib/errors.ts";
import { makeFileSets, makeRuns } from "../../../lib/testing/mod.ts";

function page(row: unknown, pageContext: unknown = {}) {
  return { fileSets: [{ id: "a" }, { id: "b" }, { id: "c" }, row], pageContext };
}

function path(work: () => unknown): string {
  return (assertThrows(work, ShapeError) as ShapeError).path;
}

Deno.test("decodeFileSetPage, decodeHistory: an answer comes back as it is, unknown fields included", () => {
  const rows = makeFileSets(3).map((row) => ({ ...row, tags: ["new"] }));
  const pageContext = { next: "3", offset: 0, limit: 3, total: 9 };
  const answer = { fileSets: rows, pageContext, x: 1 };
  assertEquals(decodeFileSetPage(structuredClone(answer)) as unknown, answer);
  const runs = makeRuns(3).map((run) => ({ ...run, retries: 2 }));
  assertEquals(decodeHistory(structuredClone(runs)) as unknown, runs);
  assertEquals(decodeHistory([]), []);
});

Deno.test("decodeFileSetPage, decodeHistory: times may be milliseconds from 1990 to 2100", () => {
  const [first, last] = [Date.UTC(1990), Date.UTC(2101) - 1];
  const { fileSets } = decodeFileSetPage(page({ id: "d", created: first, updated: last }));
  const { created, updated } = fileSets[3];
  assertEquals([created, updated], ["1990-01-01T00:00:00.000Z", "2100-12-31T23:59:59.999Z"]);
  assertEquals(decodeHistory([{ id: 1, startTime: first }])[0].startTime, created);
  for (const created of [first - 1, last + 1, 1_769_817_600, NaN]) {
    const error = assertThrows(() => decodeFileSetPage(page({ id: "d", created })), ShapeError);
    assertStringIncludes(error.message, "fileSets[3].created of the answer must be a date-time");
    assertEquals(path(() => decodeHistory([{ id: 1, endTime: created }])), "[0].endTime");
  }
});

Deno.test("decodeFileSetPage: totalCount is read where total is missing", () => {
  const total = (context: object) =>
    decodeFileSetPage(page({ id: "d" }, context)).pageContext.total;
  assertEquals(total({ totalCount: 0 }), 0);
  assertEquals(total({ totalCount: 4, total: null }), 4);
  assertEquals(total({ totalCount: 4, total: 5 }), 5);
  assertEquals(path(() => total({ totalCount: "4" })), "pageContext.totalCount");
});

Deno.test("decodeFileSetPage: a file set needs an id or a name", () => {
  const { fileSets } = decodeFileSetPage(page({ id: null, name: "Payroll", owner: null }));
  assertEquals(fileSets[3], { id: "Payroll", name: "Payroll", owner: null });
  for (const row of [{}, { id: "", name: "" }, { name: null }, { name: 7 }]) {
    assertEquals(path(() => decodeFileSetPage(page(row))), "fileSets[3].id");
  }
});

Deno.test("decodeFileSetPage: a wrong envelope is an error and never an empty list", () => {
  for (const fileSets of [{}, null, undefined]) {
    assertEquals(path(() => decodeFileSetPage({ fileSets, pageContext: {} })), "fileSets");
  }
  for (const answer of [[], null]) assertEquals(path(() => decodeFileSetPage(answer)), "");
  assertEquals(path(() => decodeFileSetPage({ fileSets: [] })), "pageContext");
  for (const answer of [{ history: [] }, {}, null, "[]"]) {
    assertEquals(path(() => decodeHistory(answer)), "");
  }
  const many = Object.fromEntries([..."abcdefghijkl"].map((name) => [name, 0]));
  const { message } = assertThrows(() => decodeFileSetPage(many), ShapeError);
  assert(message.endsWith("its members are a, b, c, d, e, f, g, h, i, j"), message);
});

Deno.test("decodeFileSetPage, decodeHistory: each field of another type is named by its path", () => {
  const fileSetPath = (row: unknown) => path(() => decodeFileSetPage(page(row)));
  const runPath = (run: unknown) => path(() => decodeHistory([{ id: 1 }, run]));
  const recipientPath = (recipient: unknown) => runPath({ id: 2, recipients: [{}, recipient] });
  const kinds = [
    ["fileSets[3]", fileSetPath, { ...makeFileSets(1)[0], id: "d" }],
    ["[1]", runPath, { ...makeRuns(1)[0], id: 2 }],
    ["[1].recipients[1]", recipientPath, { userId: 7, displayName: "x", emailAddress: "x" }],
  ] as const;
  for (const [place, pathOf, row] of kinds) {
    for (const [name, value] of Object.entries(row)) {
      const wrong = typeof value === "string" ? 7 : "7";
      assertEquals(pathOf({ ...row, [name]: wrong }), `${place}.${name}`);
    }
    for (const other of [null, [], "x"]) assertEquals(pathOf(other), place);
  }
  assertEquals(fileSetPath({ id: "d", fileCount: 1.5 }), "fileSets[3].fileCount");
  for (const id of [undefined, null, "", 7]) assertEquals(fileSetPath({ id }), "fileSets[3].id");
});

Deno.test("decodeFileSetPage, decodeHistory: an integer beyond 2^53 is an error, never a near one", () => {
  const cases: [pattern: string, path: string][] = [
    [`{"fileSets":[{"id":"a","fileCount":BIG}],"pageContext":{}}`, "fileSets[0].fileCount"],
    [`{"fileSets":[],"pageContext":{"total":BIG}}`, "pageContext.total"],
    [`{"fileSets":[{"id":"a","x":{"y":[-BIG]}}],"pageContext":{}}`, "fileSets[0].x.y[0]"],
    [`{"fileSets":[],"pageContext":{},"took":BIG}`, "took"],
    [`{"fileSets":[],"pageContext":{},"took":1e400}`, "took"],
    [`[{"id":1},{"id":BIG}]`, "[1].id"],
    [`[{"id":1,"recipients":[{"userId":BIG}]}]`, "[0].recipients[0].userId"],
  ];
  for (const [pattern, expected] of cases) {
    const text = pattern.replace("BIG", "9007199254740993");
    const decode = text.startsWith("[") ? decodeHistory : decodeFileSetPage;
    assertEquals(path(() => decode(parseJson(text))), expected);
    assertThrows(() => decode(parseJson(text)), ShapeError, "too large to be exact");
  }
  decodeHistory(parseJson(`[{"id":9007199254740991,"x":-9007199254740991}]`));
});

Deno.test("parseJson: tells apart what is empty, cut off or no JSON; takes byte order marks", () => {
  assertEquals(parseJson(`\uFEFF{"a":1}`), { a: 1 });
  const cases: [string, string][] = [
    ["", "is empty"],
    ["\uFEFF \n", "is empty"],
    ["<!doctype html>", "is not JSON"],
    [`{"fileSets":[{"id`, "cut off"],
    [`\uFEFF [1, 2`, "cut off"],
  ];
  for (const [text, message] of cases) {
    assertStringIncludes(assertThrows(() => parseJson(text), ShapeError).message, message);
  }
});

Deno.test("decodeFileSetPage, decodeHistory: any JSON is decoded or a shape error", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    for (const decode of [decodeFileSetPage, decodeHistory]) {
      try {
        assertEquals(decode(value) as unknown, value);
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error;
      }
    }
  }));
});

Deno.test("decodeFileSetPage, decodeHistory: any field but an id may be missing or null", () => {
  const nulls = (row: object) =>
    Object.fromEntries(Object.keys(row).map((name) => [name, name === "id" ? "d" : null]));
  const pageContext = { next: null, offset: null, limit: null, total: null };
  const { fileSets } = decodeFileSetPage(page(nulls(makeFileSets(1)[0]), pageContext));
  assertEquals(fileSets[3].owner, null);
  const recipients = [{ userId: null, displayName: null, emailAddress: null }];
  const run = { ...nulls(makeRuns(1)[0]), id: 1 };
  assertEquals(decodeHistory([run, { ...run, recipients }, { id: 2 }]).length, 3);
});
