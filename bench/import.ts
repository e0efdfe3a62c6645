/** `deno task import` of 1,000,000 file sets, compared with only inserting and indexing them. */
import { DatabaseSync } from "node:sqlite";
import { FILE_SET_INDEXES } from "../server/store/fields.ts";
import { FILE_SET_COLUMNS, fileSetValues } from "../server/store/stored_rows.ts";
import { sampleFileSets } from "../server/store/sample/file_sets.ts";
import { dropIndexes } from "../server/store/sqlite/sqlite_indexes.ts";
import { migrateSqlite } from "../server/store/sqlite/migrate_sqlite.ts";
import { withFolder } from "../tests/with_folder.ts";
import { atMost, type Bench, seconds } from "./bench.ts";

const ROWS = 1_000_000;
const BATCH = 10_000;
const BUDGET = 2;

const bench: Bench = (share) =>
  withFolder(async (folder) => {
    const rows = Math.ceil(ROWS * share / BATCH) * BATCH;
    const file = `${folder}/rows.ndjson`;
    await writeRows(file, rows);
    const byHand = await insertByHand(`${folder}/by_hand.sqlite`, rows);
    const measured = await importSeconds(file, folder);
    return [atMost(
      `import of ${rows} file sets from NDJSON, against a prepared insert loop over rows in ` +
        "memory, and the same indexes",
      measured / byHand,
      BUDGET,
      (times) => `${times.toFixed(2)} times`,
      `${seconds(measured)} and ${seconds(byHand)}`,
    )];
  });

export default bench;

async function writeRows(path: string, count: number): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  let text = "";
  for (const row of sampleFileSets(count, 0)) {
    text += `${JSON.stringify(row)}\n`;
    if (text.length < 1_000_000) continue;
    file.writeSync(new TextEncoder().encode(text));
    text = "";
  }
  file.writeSync(new TextEncoder().encode(text));
}

/** The seconds for inserting and indexing, without those for making the rows. */
function insertByHand(path: string, count: number): number {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536");
  migrateSqlite(db);
  dropIndexes(db);
  const insert = db.prepare(
    `INSERT INTO file_sets (${FILE_SET_COLUMNS.map(({ name }) => name).join(", ")}) ` +
      `VALUES (${FILE_SET_COLUMNS.map(() => "?").join(", ")})`,
  );
  let ms = 0;
  db.exec("BEGIN");
  const rows = sampleFileSets(count, 0);
  for (let done = 0; done < count; done += BATCH) {
    const batch = Array.from({ length: BATCH }, () => fileSetValues(rows.next().value!));
    const started = performance.now();
    for (const values of batch) insert.run(...values);
    ms += performance.now() - started;
  }
  const started = performance.now();
  db.exec("COMMIT");
  for (const { name, field, descending } of FILE_SET_INDEXES) {
    const direction = descending ? " DESC" : "";
    db.exec(`CREATE INDEX ${name} ON file_sets (${field.column}${direction}, id)`);
  }
  const pieces = "name_folded, description_folded, owner_folded, permission_folded";
  db.exec(
    `INSERT INTO file_set_trigrams (rowid, ${pieces}) SELECT key, ${pieces} FROM file_sets;` +
      "INSERT INTO file_set_trigrams (file_set_trigrams) VALUES ('optimize')",
  );
  ms += performance.now() - started;
  db.close();
  return ms / 1000;
}

/** The time of the task in its own process. */
async function importSeconds(file: string, dataDir: string): Promise<number> {
  const started = performance.now();
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "server/store/tasks/import_task.ts", file],
    env: { DATA_DIR: dataDir, DATABASE_URL: "" },
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new Error("The import failed");
  return (performance.now() - started) / 1000;
}
