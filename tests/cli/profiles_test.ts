/** The command line against services that differ where the interface is open. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { makeRuns, type Profile } from "../../lib/testing/mod.ts";
import { importFile } from "../../server/store/tasks/import_task.ts";
import { inStore, withTasks } from "../server/store/tasks/task_context.ts";
import { world } from "./world.ts";

const NOTE = "The service does not know LIKE, so Docket filtered all 250 file sets itself\n";

for (const profile of ["documented", "vendor", "minimal", "strict"] satisfies Profile[]) {
  const note = profile === "minimal" ? NOTE : "";

  Deno.test(`docket filesets: finds by name, some or all, of a ${profile} service`, async () => {
    const { docket } = world({ profile });
    const page = await docket("filesets", '"SET 12"', "--limit", "5", "--columns", "name");
    assertEquals([page.code, page.out.trim().split("\n").length], [0, 6]);
    assertEquals(page.err, `${note}5 of 11 file sets; --all writes every one\n`);
    const all = await docket(
      "filesets",
      '"SET 12"',
      "--all",
      "--format",
      "csv",
      "--columns",
      "name",
    );
    assertEquals([all.code, all.err, all.out.trim().split("\r\n").length], [0, note, 12]);
    const total = await docket("filesets", "--limit", "1", "--json", "--offset", "249");
    assertEquals([total.code, JSON.parse(total.out).length, total.err], [0, 1, ""]);
  });

  Deno.test(`docket history: of a ${profile} service, all of it can be imported`, () =>
    withTasks(async ({ dataDir, run }) => {
      const runs = makeRuns(250);
      const { docket } = world({ profile, runs: { 101: runs } });
      const { code, out, err } = await docket("history", "101", "--all", "--format", "ndjson");
      assertEquals([code, err], [0, ""]);
      await Deno.writeTextFile(`${dataDir}/runs.ndjson`, out);
      const { printed } = await run(importFile, `${dataDir}/runs.ndjson`);
      assertEquals(printed, "250 read: 250 new, 0 changed, 0 unchanged, 0 rejected");
      const stored = await inStore(dataDir, (store) => store.reportSchedules.history(101));
      assertEquals(stored.map(({ id }) => id), runs.slice(0, 100).map(({ id }) => id));
    }));

  Deno.test(`docket judge: what the token may not read of a ${profile} service is named`, async () => {
    const runs = { 101: makeRuns(125) };
    const mayRead = (_: string, subject: unknown) => subject === 101;
    const { docket } = world({ profile, runs, mayRead }, {
      now: () => Date.parse(runs[101][0].endTime!),
    });
    const { code, out, err } = await docket("judge", "101", "102", "--json");
    assertEquals([code, JSON.parse(out).length], [1, 1]);
    assertStringIncludes(err, "Schedule 102 could not be judged. ");
    assertStringIncludes(err, "status 403");
  });
}
