import { openPostgres } from "../../../../server/store/postgres/engine.ts";
import { openSqlite } from "../../../../server/store/sqlite/engine.ts";
import { server } from "../postgres/shared.ts";
import { testRecordsContract } from "./records_contract.ts";

testRecordsContract("SQLite", async (work) => {
  const engine = await openSqlite({ path: ":memory:" });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
});

/** To make a database takes longer than most of these tests, so they empty one of theirs. */
let url: string | undefined;

const EMPTY = `
  DO $$
  DECLARE name text;
  BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
      AND tablename NOT IN ('schema_steps', 'data_state')
    LOOP
      EXECUTE format('DELETE FROM %I', name);
    END LOOP;
  END $$`;

testRecordsContract("PostgreSQL", async (work) => {
  url ??= await server.createSchemaDatabase();
  const engine = await openPostgres({ url });
  try {
    await work(engine);
  } finally {
    await engine.close();
    await server.asOwner(url, EMPTY);
  }
});
