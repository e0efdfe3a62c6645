import { assertEquals } from "@std/assert";
import { openStore } from "../../../../server/store/open.ts";
import { sampleFileSets } from "../../../../server/store/sample/file_sets.ts";
import { importFile } from "../../../../server/store/tasks/import_task.ts";
import { server } from "../postgres/shared.ts";
import { withTasks } from "./task_context.ts";

Deno.test("importFile: a full disk ends it, and the next adds the rest", async () => {
  const url = await server.createDatabase();
  await (await openStore({ dataDir: "", databaseUrl: url })).close();
  await server.asOwner(
    url,
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF (SELECT count(*) >= 10000 FROM file_sets) THEN
           RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full';
         END IF;
         RETURN NULL;
       END $$`,
    "CREATE TRIGGER full_disk BEFORE INSERT ON file_sets EXECUTE FUNCTION full_disk()",
  );
  await withTasks(async ({ dataDir, run }) => {
    const file = `${dataDir}/rows.ndjson`;
    const rows = [...sampleFileSets(11_000, 0)].map((row) => `${JSON.stringify(row)}\n`);
    await Deno.writeTextFile(file, rows.join(""));
    const ended = await run(importFile, file);
    assertEquals([ended.code, ended.printed], [1, ""]);
    assertEquals(ended.reported.split("\n").slice(1), [
      "10000 read: 10000 new, 0 changed, 0 unchanged, 0 rejected",
      "The database is full (53100): free space on PostgreSQL's disk",
    ]);
    await server.asOwner(url, "DROP TRIGGER full_disk ON file_sets");
    const rest = await run(importFile, file);
    assertEquals(rest.printed, "11000 read: 1000 new, 0 changed, 10000 unchanged, 0 rejected");
  }, { DATABASE_URL: url });
});
