import { assertEquals } from "@std/assert";
import { readEntry } from "../../../../server/store/import/entries.ts";
import { fileSet, run } from "../rows.ts";

function faultsOf(json: unknown, scheduleId?: number): readonly string[] {
  const entry = readEntry(json, scheduleId);
  return "issues" in entry ? entry.issues : [];
}

Deno.test("readEntry: reads a file set as the interface answers it", () => {
  assertEquals(readEntry(fileSet(1)), { fileSet: fileSet(1), unknown: [] });
  const { description: _, ...bare } = fileSet(1);
  assertEquals(readEntry(bare), { fileSet: bare, unknown: [] });
  assertEquals(readEntry({ ...bare, description: null }), { fileSet: bare, unknown: [] });
});

Deno.test("readEntry: reads a run with its own schedule, or the given one", () => {
  const expected = { scheduleId: 5, run: run(1), unknown: [] };
  assertEquals(readEntry(run(1), 5), expected);
  assertEquals(readEntry({ ...run(1), scheduleId: 5 }), expected);
  assertEquals(readEntry({ scheduleId: 5, ...run(1) }, 5), expected);
  const { endTime: _, ...open } = run(1);
  assertEquals(readEntry({ ...open, endTime: null }, 5), { ...expected, run: open });
});

Deno.test("readEntry: writes times in one form", () => {
  const entry = readEntry(fileSet(1, { created: "2025-01-01T02:00:00.1239+02:00" }));
  assertEquals(entry, {
    fileSet: fileSet(1, { created: "2025-01-01T00:00:00.123Z" }),
    unknown: [],
  });
});

Deno.test("readEntry: names members that are not stored", () => {
  const entry = readEntry({ ...fileSet(1), colour: "red" });
  assertEquals(entry, { fileSet: fileSet(1), unknown: ["colour"] });
});

Deno.test("readEntry: names everything that is wrong", () => {
  assertEquals(
    faultsOf({
      ...fileSet(1),
      id: "1",
      name: null,
      description: "a\0",
      created: "2025-02-30T00:00:00Z",
      createdBy: 1.5,
      updated: 5,
      updatedBy: "7",
      owner: "\ud800",
      permission: undefined,
      fileCount: 2 ** 53,
    }),
    [
      "id of a file set must be a UUID",
      "name is missing",
      "description must not contain the NUL character",
      "created is a date or a time that does not exist",
      "createdBy must be a whole number within 2^53",
      "updated must be a date-time",
      "updatedBy must be a whole number within 2^53",
      "owner must not contain half of a surrogate pair",
      "permission is missing",
      "fileCount must be a whole number within 2^53",
    ],
  );
  assertEquals(
    faultsOf({
      ...run(1),
      automated: "yes",
      startTime: "9999-12-31T23:59:59-01:00",
      recipients: [{ userId: 1, displayName: null, emailAddress: 3 }, "ada"],
    }),
    [
      "scheduleId is missing, and there is no --schedule",
      "startTime must be within the years 0 to 9999",
      "automated must be true or false",
      "recipients[0].displayName is missing",
      "recipients[0].emailAddress must be a text",
      "recipients[1] must be an object",
      "recipients[1].userId is missing",
      "recipients[1].displayName is missing",
      "recipients[1].emailAddress is missing",
    ],
  );
});

Deno.test("readEntry: refuses a run of another schedule than the given one", () => {
  assertEquals(faultsOf({ ...run(1), scheduleId: 5 }, 6), ["scheduleId is 5, but --schedule is 6"]);
});

Deno.test("readEntry: refuses what is neither a file set nor a run", () => {
  for (const json of [null, 1, "x", [], [fileSet(1)]]) {
    assertEquals(faultsOf(json), ["is not an object"]);
  }
  assertEquals(faultsOf({ ...fileSet(1), id: 5 })[0], "id of a file set must be a UUID");
  assertEquals(faultsOf({ id: 5, name: "x" })[0], "id of a file set must be a UUID");
  assertEquals(faultsOf({ ...run(1), id: "x" }, 5), ["id must be a whole number within 2^53"]);
  assertEquals(faultsOf({}), ["id must be a UUID (of a file set) or a whole number (of a run)"]);
});
