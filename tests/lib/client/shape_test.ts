import { assertEquals } from "@std/assert";
import { makeFileSets } from "../../../lib/testing/mod.ts";
import { failure, setUp } from "./client_setup.ts";

/** File sets; some have their number of files as text. */
const fileSets = makeFileSets(250).map((row, index) =>
  index % 100 === 7 ? { ...row, fileCount: "25" as unknown as number } : row
);

Deno.test("shape: report, a field is left out, and counted by its path", async () => {
  const { client } = setUp({ fileSets, quirks: { total: String } }, { shape: "report" });
  const walk = client.fileSets.search().walk();
  const rows = await Array.fromAsync(walk);
  const { fileCount: _, ...rest } = fileSets[7];
  assertEquals(rows.length, 250);
  assertEquals([rows[7], rows[8]] as unknown[], [rest, fileSets[8]]);
  assertEquals(walk.report.unexpectedAnswers, [
    { path: "fileSets[].fileCount", expected: "an integer", count: 3 },
    { path: "pageContext.total", expected: "an integer", count: 4 },
  ]);
  assertEquals(walk.report.complete, true);
});

Deno.test("shape: report, an integer beyond 2^53 is left out as well, never a near one", async () => {
  const text = `[{"id":1,"ownerId":9007199254740993,"extra":[9007199254740993],"recipients":[
    {"userId":"7","displayName":"Ann"}]}]`;
  const { client } = setUp({ faults: [{ kind: "text", text }] }, { shape: "report" });
  assertEquals(await client.reportSchedules.history(101), [
    { id: 1, recipients: [{ displayName: "Ann" }] },
  ]);
});

Deno.test("shape: report, an id or an envelope that can't be used stays an error", async () => {
  for (const text of [`[{"id":"1"}]`, `[{"id":9007199254740993}]`, `[null]`, `{"runs":[]}`]) {
    const { client } = setUp({ faults: [{ kind: "text", text }] }, { shape: "report" });
    await failure("shape", client.reportSchedules.history(101));
  }
});
