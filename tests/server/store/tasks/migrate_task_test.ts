import { assertEquals, assertMatch } from "@std/assert";
import { migrate } from "../../../../server/store/tasks/migrate_task.ts";
import { server } from "../postgres/shared.ts";
import { withTasks } from "./task_context.ts";

Deno.test("migrate: makes PostgreSQL's schema, also beside an upstream, and nothing the second time", async () => {
  const DATABASE_URL = await server.createDatabase();
  for (const SERVICE_BASE_URL of ["https://service.example.com", ""]) {
    await withTasks(async ({ run }) => {
      const { code, printed } = await run(migrate);
      assertEquals([code, printed], [0, "The schema in PostgreSQL is up to date"]);
    }, { DATABASE_URL, SERVICE_BASE_URL });
    const tables = ["file_sets", "runs", "watches", "incidents"];
    await server.asOwner(DATABASE_URL, ...tables.map((name) => `SELECT FROM ${name}`));
  }
});

Deno.test("migrate: touches nothing without PostgreSQL, and says which one can't be used", async () => {
  const unreachable = "postgres://docket:docket@127.0.0.1:1/docket";
  const cases = [
    ["", 0, /^Nothing to do: the data is not in PostgreSQL$/],
    [unreachable, 1, /The database cannot be reached/],
    ["mysql://db", 2, /^DATABASE_URL must be a URL of the form/],
  ] as const;
  for (const [DATABASE_URL, expected, words] of cases) {
    await withTasks(async ({ dataDir, run }) => {
      const { code, printed, reported } = await run(migrate);
      assertEquals(code, expected, reported);
      assertMatch(printed + reported, words);
      assertEquals([...Deno.readDirSync(dataDir)], []);
    }, { DATABASE_URL });
  }
});
