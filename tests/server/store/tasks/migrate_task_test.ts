import { assertEquals, assertMatch } from "@std/assert";
import { migrate } from "../../../../server/store/tasks/migrate_task.ts";
import { server } from "../postgres/shared.ts";
import { withTasks } from "./task_context.ts";

Deno.test("migrate: makes PostgreSQL's schema, also beside an upstream, and nothing the second time", async () => {
  for (const SERVICE_BASE_URL of ["", "https://service.example.com"]) {
    const DATABASE_URL = await server.createDatabase();
    await withTasks(async ({ run }) => {
      for (const _ of ["first", "second"]) {
        const { code, printed } = await run(migrate);
        assertEquals([code, printed], [0, "The schema in PostgreSQL is up to date"]);
      }
    }, { DATABASE_URL, SERVICE_BASE_URL });
    const tables = ["file_sets", "runs", "watches", "incidents"];
    await server.asOwner(DATABASE_URL, ...tables.map((name) => `SELECT FROM ${name}`));
  }
});

Deno.test("migrate: without PostgreSQL it touches nothing", async () => {
  for (const SERVICE_BASE_URL of ["", "https://service.example.com"]) {
    await withTasks(async ({ dataDir, run }) => {
      const { code, printed } = await run(migrate);
      assertEquals([code, printed], [0, "Nothing to do: the data is not in PostgreSQL"]);
      assertEquals([...Deno.readDirSync(dataDir)], []);
    }, { SERVICE_BASE_URL });
  }
});

Deno.test("migrate: a database that can't be reached, wrong settings and arguments are reported", async () => {
  await withTasks(async ({ run }) => {
    const { code, reported } = await run(migrate);
    assertMatch(reported, /database/i);
    assertEquals(code === 0, false);
    assertMatch((await run(migrate, "now")).reported, /Too many arguments/);
    assertMatch((await run(migrate, "--help")).printed, /^Brings the schema in PostgreSQL/);
  }, { DATABASE_URL: "postgres://docket:docket@127.0.0.1:1/docket" });
  await withTasks(async ({ run }) => {
    const { code, reported } = await run(migrate);
    assertEquals(code, 2);
    assertMatch(reported, /^DATABASE_URL must be a URL of the form/);
  }, { DATABASE_URL: "mysql://db" });
});
