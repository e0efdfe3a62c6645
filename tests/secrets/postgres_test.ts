import { assert, assertEquals } from "@std/assert";
// @ts-types="@types/pg"
import pg from "pg";
import { withProgram } from "../program.ts";
import { server } from "../server/store/postgres/shared.ts";
import { type Planted, plantedRuns, plantSecrets } from "./planted.ts";
import { signIn, sweep, visit } from "./sweep.ts";
import { runTask } from "./task.ts";
import { withWatchedProgram } from "./watched_program.ts";

/** Does something to a database as its owner does. */
async function administer(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

/** All rows of all tables, as a dump has them. */
async function rowsOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    const dumped: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`SELECT row_to_json(r)::text AS text FROM "${name}" r`);
      dumped.push(name, ...rows.map(({ text }) => text));
    }
    return dumped.join("\n");
  } finally {
    await client.end();
  }
}

/** Has every reading of file sets and runs fail, with words that repeat what is in a row. */
function faultyViews({ addresses, words }: Planted): string {
  const said = `cannot read '${addresses[0]}' of ${addresses[1]}`;
  return `
    CREATE FUNCTION fault() RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '${said.replaceAll("'", "''")}' USING DETAIL = 'Row (${words}, ${said[0]})';
    END $$;
    ALTER TABLE file_sets RENAME TO a;
    CREATE VIEW file_sets AS SELECT * FROM a WHERE fault();
    ALTER TABLE runs RENAME TO b;
    CREATE VIEW runs AS SELECT * FROM b WHERE fault();
    GRANT ALL ON file_sets, runs TO planted;`;
}

Deno.test("[e2e] secrets: Docket and its tasks leak none with PostgreSQL, even when it fails", async () => {
  const planted = plantSecrets();
  const { watch, token, databasePassword } = planted;
  const owner = await server.createDatabase();
  await administer(
    owner,
    `CREATE ROLE planted LOGIN SUPERUSER PASSWORD '${databasePassword}'`,
  );
  const asPlanted = (password: string, database: string) =>
    owner.replace("docket:docket@", `planted:${password}@`).replace(/[^/]+$/, database);
  const database = owner.split("/").at(-1)!;
  const env = {
    DATABASE_URL: asPlanted(databasePassword, database),
    SERVICE_TOKEN: token,
    RATE_LIMIT: "100000",
  };
  await runTask(planted, "import", ["--schedule", "901"], env, {
    input: plantedRuns(planted).map((run) => JSON.stringify(run)).join("\n"),
  });
  await withWatchedProgram(planted, env, async ({ origin, printed }) => {
    const cookie = await signIn(origin, planted);
    await sweep(origin, planted, cookie);
    const rows = await rowsOf(owner);
    assert(
      rows.includes("runs") && rows.includes(planted.addresses[0]),
      "rows are missing",
    );
    watch.saw("the rows in PostgreSQL", rows, ["address"]);
    await administer(owner, faultyViews(planted));
    await visit(origin, planted, cookie);
    await runTask(planted, "seed", [], env);
    await administer(owner, "DROP SCHEMA public CASCADE");
    await visit(origin, planted, cookie);
    assert(printed().includes('"status":500'), "nothing failed");
  });

  // What can't be opened: a wrong password, a database that is not there, one that is gone.
  const wrong = [
    asPlanted(`${databasePassword}x`, database),
    asPlanted(databasePassword, "nowhere"),
    `postgres://planted:${databasePassword}@127.0.0.1:1/docket`,
  ];
  await Promise.all(wrong.map(async (DATABASE_URL) => {
    const { code } = await runTask(planted, "token", ["list"], { ...env, DATABASE_URL });
    assert(code !== 0);
    const { promise: told, resolve: tell } = Promise.withResolvers<string>();
    // It may end, or wait for the database: it has told of the fault when it answers.
    await withProgram({ ...env, DATABASE_URL }, async ({ origin, printed }) => {
      await fetch(`${origin}/filesets`).then((response) => response.body?.cancel());
      tell(printed());
    }).catch((error) => tell(String(error)));
    watch.saw(`the start with ${DATABASE_URL.split("@")[1]}`, await told);
  }));
  assertEquals(watch.search(), { leaks: [], belonging: ["address", "session cookie", "words"] });
});
