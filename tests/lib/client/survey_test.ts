import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { decodeFileSetPage, decodeHistory } from "../../../lib/client/decode.ts";
import { ShapeError } from "../../../lib/errors.ts";
import { surveyAnswer, surveyService } from "../../../lib/client/survey.ts";
import { createTestService, makeFileSets, makeRuns } from "../../../lib/testing/mod.ts";

const OPTIONS = { baseUrl: "https://service.example", token: "secret-token" };

Deno.test("surveyService: a service that follows the interface has nothing amiss", async () => {
  const service = createTestService({ fileSets: makeFileSets(30), runs: { 101: makeRuns(20) } });
  const surveys = await surveyService({ ...OPTIONS, fetch: service.fetch }, 101);
  assertEquals(surveys.map(({ operation, rows }) => [operation, rows]), [
    ["search file sets", 30],
    ["get report history", 20],
  ]);
  const fields = surveys.flatMap(({ fields }) => fields);
  assertEquals(fields.filter(({ isGood, missing }) => !isGood || missing > 0), []);
  assertEquals(fields.filter(({ documented, types }) => !types[documented!]), []);
  assertEquals(surveys[0].fields.length, 18);
  assertEquals(surveys[1].fields.length, 24);
});

Deno.test("surveyAnswer: lists what is missing, of another type, or not in the interface", () => {
  const { fields, rows } = surveyAnswer("search file sets", {
    fileSets: [
      { id: "a", fileCount: "7", tags: ["x"] },
      { id: "b", fileCount: 7, owner: null },
      { fileCount: 1.5 },
    ],
    pageContext: { total: "3" },
    took: 5,
  });
  const field = (path: string) => fields.find((field) => field.path === path);
  assertEquals(rows, 3);
  assertEquals(field("fileSets[].id"), {
    path: "fileSets[].id",
    documented: "string",
    types: { string: 2 },
    missing: 1,
    isGood: false,
  });
  assertEquals(field("fileSets[].fileCount")?.types, { string: 1, integer: 1, number: 1 });
  assertEquals(field("fileSets[].fileCount")?.isGood, false);
  assertEquals(field("fileSets[].owner")?.isGood, true);
  assertEquals([field("fileSets[].owner")?.missing, field("fileSets[].name")?.missing], [2, 3]);
  assertEquals(field("pageContext.total")?.isGood, false);
  assertEquals(field("fileSets[].tags"), {
    path: "fileSets[].tags",
    types: { array: 1 },
    missing: 2,
    isGood: true,
  });
  assertEquals(field("took")?.documented, undefined);
});

Deno.test("surveyAnswer: finds something amiss exactly where the client refuses", () => {
  const value = fc.constantFrom<unknown>(
    "a",
    1,
    1.5,
    2 ** 53,
    true,
    null,
    [],
    {},
    [2 ** 53],
    undefined,
  );
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
  fc.assert(
    fc.property(envelope, (answer) => {
      for (const [operation, decode] of checks) {
        let isRefused = false;
        try {
          decode(answer);
        } catch (error) {
          if (!(error instanceof ShapeError)) throw error;
          isRefused = true;
        }
        const isAmiss = surveyAnswer(operation, answer).fields.some(({ isGood }) => !isGood);
        assertEquals(isAmiss, isRefused, operation);
      }
    }),
    { numRuns: 300 },
  );
});
