import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { decodeFileSetPage, decodeHistory } from "../../../lib/client/decode.ts";
import { ShapeError } from "../../../lib/errors.ts";
import { surveyService } from "../../../lib/client/survey.ts";
import { createTestService, makeFileSets, makeRuns } from "../../../lib/testing/mod.ts";

/** The survey of an answer to one of the operations. */
async function surveyOf(operation: "search file sets" | "get report history", answer: unknown) {
  const isSearch = operation === "search file sets";
  const fetch = (url: string) => {
    const isAsked = url.includes("filesets") === isSearch;
    return Promise.resolve(Response.json(isAsked ? answer : {}));
  };
  return (await surveyService({ ...OPTIONS, fetch }, 101))[isSearch ? 0 : 1];
}

const OPTIONS = { baseUrl: "https://service.example", token: "secret-token" };

Deno.test("surveyService: a service that follows the interface has nothing amiss", async () => {
  const service = createTestService({ fileSets: makeFileSets(30), runs: { 101: makeRuns(20) } });
  const surveys = await surveyService({ ...OPTIONS, fetch: service.fetch }, 101);
  const rows = surveys.map(({ operation, rows }) => `${operation}: ${rows}`);
  assertEquals(rows, ["search file sets: 30", "get report history: 20"]);
  const fields = surveys.flatMap(({ fields }) => fields);
  assertEquals(fields.filter(({ isGood, missing }) => !isGood || missing > 0), []);
  assertEquals(fields.filter(({ documented, types }) => !types[documented!]), []);
  assertEquals(surveys[0].fields.length, 18);
  assertEquals(surveys[1].fields.length, 24);
});

Deno.test("surveyService: lists what is missing, of another type, or not in the interface", async () => {
  const { fields, rows } = await surveyOf("search file sets", {
    fileSets: [
      { id: "a", fileCount: "7", tags: ["x"] },
      { id: "b", fileCount: 7, owner: null, updated: 1_760_000_000_000 },
      { fileCount: 1.5 },
    ],
    pageContext: { total: "3" },
    took: 5,
  });
  const field = (path: string) => fields.find((field) => field.path === path);
  assertEquals(rows, 3);
  const id = { path: "fileSets[].id", documented: "string", types: { string: 2 }, missing: 1 };
  assertEquals(field("fileSets[].id"), { ...id, isGood: false });
  assertEquals(field("fileSets[].fileCount")?.types, { string: 1, integer: 1, number: 1 });
  assertEquals([field("fileSets[].owner")?.missing, field("fileSets[].name")?.missing], [2, 3]);
  assertEquals(field("fileSets[].updated")?.isGood, true);
  const tags = { path: "fileSets[].tags", types: { array: 1 }, missing: 2, isGood: true };
  assertEquals(field("fileSets[].tags"), tags);
  const named = { fileSets: [{ id: null, name: "a" }, { name: "b" }], pageContext: {} };
  const { fields: ofNamed } = await surveyOf("search file sets", named);
  assertEquals(ofNamed.filter(({ isGood }) => !isGood), []);
});

Deno.test("surveyService: finds something amiss exactly where the client refuses", async () => {
  const values = ["a", 1, 1.5, 2 ** 53, true, null, [], {}, [2 ** 53], undefined];
  const value = fc.constantFrom<unknown>(...values);
  const row = fc.dictionary(fc.constantFrom("id", "name", "fileCount", "other"), value);
  const envelope = fc.oneof(
    fc.record({ fileSets: fc.array(fc.oneof(row, value)), pageContext: row }),
    fc.record({ fileSets: value, pageContext: fc.constant({}) }, { requiredKeys: [] }),
    fc.array(
      fc.oneof(row, fc.record({ id: fc.nat(), recipients: fc.array(fc.oneof(row, value)) })),
    ),
    value,
  ).map((answer) => JSON.parse(JSON.stringify(answer) ?? "null"));
  const checks = [
    ["search file sets", decodeFileSetPage],
    ["get report history", decodeHistory],
  ] as const;
  await fc.assert(
    fc.asyncProperty(envelope, async (answer) => {
      for (const [operation, decode] of checks) {
        let isRefused = false;
        try {
          decode(answer);
        } catch (error) {
          if (!(error instanceof ShapeError)) throw error;
          isRefused = true;
        }
        const isAmiss = (await surveyOf(operation, answer)).fields.some(({ isGood }) => !isGood);
        assertEquals(isAmiss, isRefused, operation);
      }
    }),
    { numRuns: 150 },
  );
});
