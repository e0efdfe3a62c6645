import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { packRows, runRow, unpackRows } from "../../../components/runs/run_row.ts";
import { anyRuns } from "../../lib/runs/arbitrary.ts";

Deno.test("packRows: what is packed is unpacked, without names and addresses", () =>
  fc.assert(fc.property(anyRuns, (runs) => {
    const text = JSON.stringify(packRows(runs));
    const rows = JSON.parse(JSON.stringify(runs.map(runRow)));
    const normal = (row: (typeof rows)[number]) =>
      row.recipients === null ? { ...row, recipients: undefined } : row;
    assertEquals(unpackRows(JSON.parse(text)).map(withList), rows.map(normal).map(withList));
    assertEquals(/displayName|emailAddress|@/.test(text), false);
  })));

/** A user id that is missing and one that is null are the same to a filter. */
function withList(row: ReturnType<typeof runRow>) {
  const { recipients, ...rest } = row;
  return { ...rest, ids: recipients?.map(({ userId }) => userId ?? null) };
}

Deno.test("runRow: leaves out what the interface does not name", () => {
  const run = { id: 1, status: "success", ownerEmail: "ann@example.com", bcc: ["ben@example.com"] };
  assertEquals<unknown>(runRow(run), { id: 1, status: "success" });
});

Deno.test("packRows: runs that were sent to the same people share one list", () => {
  const recipients = [{ userId: 7, emailAddress: "a@example.com" }, { userId: 8 }];
  const runs = [1, 2, 3].map((id) => ({ id, recipients }));
  const { lists, listOf } = packRows([...runs, { id: 4 }]);
  assertEquals([lists.length, listOf], [1, [0, 0, 0, -1]]);
});
