import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { packRuns, packTable, triggerLabel, unpackRuns } from "../../../components/runs/run_row.ts";
import { unpackRows } from "../../../components/ui/packed_rows.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { anyRuns } from "../../lib/runs/arbitrary.ts";

Deno.test("packRuns: what is packed is unpacked, without names and addresses", () =>
  fc.assert(fc.property(anyRuns, (runs) => {
    const text = JSON.stringify(packRuns(runs));
    const rows = unpackRuns(JSON.parse(text));
    for (const [index, run] of runs.entries()) {
      const { recipients, ...row } = rows[index];
      for (const [field, value] of Object.entries(row)) {
        assertEquals<unknown>(value, run[field as keyof ReportRun] ?? null, field);
      }
      assertEquals(
        recipients?.map(({ userId }) => userId),
        run.recipients?.map(({ userId }) => userId ?? null) ?? undefined,
      );
    }
    assertEquals(rows.length, runs.length);
    assertEquals(/displayName|emailAddress|@/.test(text), false);
  })));

Deno.test("packRuns: leaves out fields that the interface does not name", () => {
  const run = { id: 1, status: "success", ownerEmail: "ann@example.com", bcc: ["ben@example.com"] };
  assertEquals(/example/.test(JSON.stringify([packRuns([run]), packTable([run])])), false);
  assertEquals(unpackRuns(packRuns([run]))[0].status, "success");
});

Deno.test("packRuns: runs with the same recipients share one list", () => {
  const recipients = [{ userId: 7, emailAddress: "a@example.com" }, { userId: 8 }];
  const runs = [1, 2, 3].map((id) => ({ id, recipients }));
  const { lists, listOf } = packRuns([...runs, { id: 4 }]);
  assertEquals([lists, listOf], [[[7, 8]], [0, 0, 0, -1]]);
});

Deno.test("packTable: has what the table shows, and no more", () => {
  const run = { id: 1, recipientCount: 3, reportSubject: "Weekly", recipients: [{ userId: 7 }] };
  const [row] = unpackRows(packTable([run]));
  assertEquals([row.id, row.recipientCount, row.status], [1, 3, null as never]);
  assertEquals(["recipients" in row, "reportSubject" in row], [false, false]);
});

Deno.test("triggerLabel: automated, manual, or nothing where the service does not say", () => {
  assertEquals([true, false, null, undefined].map(triggerLabel), [
    "automated",
    "manual",
    undefined,
    undefined,
  ]);
});
