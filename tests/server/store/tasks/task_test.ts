import { assertEquals } from "@std/assert";
import { printTable } from "../../../../server/store/tasks/task.ts";

Deno.test("printTable: columns line up below wide letters, and controls do nothing", () => {
  const lines: string[] = [];
  const context = { env: {}, print: (line: string) => lines.push(line), report() {} };
  printTable([["NAME", "STATE"], ["東京の報告", "up"], ["Oslo\n", "down"]], {
    ...context,
    now: () => new Date(0),
  });
  assertEquals(lines, ["NAME        STATE", "東京の報告  up", "Oslo\ufffd       down"]);
});
