/** The store at a million file sets on SQLite: import, first page, deep page, and `LIKE`. */
import { DatabaseSync } from "node:sqlite";
import type { SearchBody } from "../lib/types.ts";
import { FILE_SET_INDEXES } from "../server/store/indexes.ts";
import { FILE_SET_COLUMNS, fileSetValues } from "../server/store/stored_rows.ts";
import { sampleFileSets } from "../server/store/sample/file_sets.ts";
import { openStore } from "../server/store/open.ts";
import { migrate } from "../server/store/sqlite/migrate_sqlite.ts";
import { dropIndexes } from "../server/store/sqlite/sqlite_indexes.ts";
import { type Figure, figureOf, median, withFolder } from "./bench.ts";
import { importSeconds } from "./import_seconds.ts";
import { inPairs, ratesOf } from "./pairs.ts";
import { type LoadRequest, requestsPerSecond, startApp, startServing, TOKEN } from "./load.ts";

const ROWS = 1_000_000;
const MS = (ms: number) => `${ms.toFixed(1)} ms`;
const SEARCH = "/api/files/v1/filesets/search";

export default function storeAtAMillion(): Promise<Figure[]> {
  return withFolder(async (folder) => [
    await importing(folder),
    ...await serving(folder),
    await likeOf(folder),
    await memoryUnderLoad(folder),
  ]);
}

/** `deno task import` as its own process, compared with only inserting and indexing. */
async function importing(folder: string): Promise<Figure> {
  const file = `${folder}/rows.ndjson`;
  await writeRows(file);
  const hand = await insertByHand(`${folder}/by_hand.sqlite`);
  for (const end of ["", "-wal", "-shm"]) {
    await Deno.remove(`${folder}/by_hand.sqlite${end}`).catch(() => {});
  }
  const ours = await importSeconds(file, { DATA_DIR: folder, DATABASE_URL: "" });
  await Deno.remove(file);
  return figureOf(
    "import of 1,000,000 file sets from NDJSON, against a prepared insert loop in one " +
      "transaction over rows in memory, then building the same indexes",
    { measured: ours, baseline: hand },
    (seconds) => `${seconds.toFixed(1)} s`,
    "≤ 2",
  );
}

async function writeRows(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  let text = "";
  for (const row of sampleFileSets(ROWS, 0)) {
    text += `${JSON.stringify(row)}\n`;
    if (text.length < 1_000_000) continue;
    file.writeSync(new TextEncoder().encode(text));
    text = "";
  }
  file.writeSync(new TextEncoder().encode(text));
}

/** Seconds for inserting and indexing; making the rows is not counted. */
async function insertByHand(path: string): Promise<number> {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536");
  await migrate(db);
  dropIndexes(db);
  const insert = db.prepare(
    `INSERT INTO file_sets (${FILE_SET_COLUMNS.join(", ")}) ` +
      `VALUES (${FILE_SET_COLUMNS.map(() => "?").join(", ")})`,
  );
  let ms = 0;
  db.exec("BEGIN");
  const rows = sampleFileSets(ROWS, 0);
  for (let done = 0; done < ROWS; done += 10_000) {
    const batch = Array.from({ length: 10_000 }, () => fileSetValues(rows.next().value!));
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
    `INSERT INTO file_set_pieces (rowid, ${pieces}) SELECT key, ${pieces} FROM file_sets;` +
      "INSERT INTO file_set_pieces (file_set_pieces) VALUES ('optimize')",
  );
  ms += performance.now() - started;
  db.close();
  return ms / 1000;
}

function searching(body: SearchBody) {
  return {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      "X-SERVICE-Developer-Token": TOKEN,
      "content-type": "application/json",
      // Both answer uncompressed: the statements are compared, not the compression.
      "accept-encoding": "identity",
    },
  };
}

/** The app over HTTP, compared with hand-written statements behind a bare `Deno.serve`. */
async function serving(folder: string): Promise<Figure[]> {
  const app = await startApp(folder, { DATABASE_URL: "" });
  const bare = await startServing(["bench/bare_store.ts", `${folder}/docket.sqlite`, "name"]);
  const init = searching({ fieldSort: [{ field: "name" }] });
  const at = (origin: string, query = ""): LoadRequest => ({ url: origin + SEARCH + query, init });
  // More pages than answers are cached, so each one is read again.
  const early = (origin: string) =>
    Array.from({ length: 1500 }, (_, n) => at(origin, `?offset=${n + 1}`));
  try {
    const first = await ratesOf(
      "an early page by name over HTTP, each another one, against a hand-written statement " +
        "behind a bare Deno.serve",
      [early(app.origin), early(bare.origin)],
      "≥ 0.7",
      { ms: 3000 },
    );
    const query = "?offset=900000";
    const deep = await inPairs(
      async () => 1000 / await requestsPerSecond(at(app.origin, query), { connections: 1 }),
      async () => 1000 / await requestsPerSecond(at(bare.origin, query), { connections: 1 }),
    );
    const late = "page at offset 900,000 by name over HTTP, against a hand-written late lookup " +
      "behind a bare Deno.serve";
    return [first, figureOf(late, deep, MS, "≤ 1.5")];
  } finally {
    await app.stop();
    await bare.stop();
  }
}

/** From many matches to none; the fastest way to the page differs between them. */
const WORDS = ["inv", "lyo", "por", "ber", "sur", "123", "399", "größ", "xyz"];

/** Page and total of each word, nothing counted before, against the better of two plans by hand. */
async function likeOf(dataDir: string): Promise<Figure> {
  const db = new DatabaseSync(`${dataDir}/docket.sqlite`, { readOnly: true });
  const columns = "id, name, description, created, created_by, updated, updated_by, owner, " +
    "permission, file_count";
  const total = db.prepare(
    "SELECT count(*) AS total FROM file_set_pieces WHERE file_set_pieces MATCH ?",
  );
  const walk = db.prepare(
    `SELECT ${columns} FROM file_sets WHERE instr(name_folded, ?) > 0 ` +
      "ORDER BY created, id LIMIT 100",
  );
  const seek = db.prepare(
    `SELECT ${columns} FROM file_sets WHERE key IN (SELECT rowid FROM file_set_pieces ` +
      "WHERE file_set_pieces MATCH ?) ORDER BY +created, id LIMIT 100",
  );
  const timed = (work: () => unknown) => {
    const started = performance.now();
    work();
    return performance.now() - started;
  };
  let ours = 0;
  let theirs = 0;
  for (const word of WORDS) {
    const folded = word.replace("ß", "ss");
    const match = `{name_folded} : "${folded}"`;
    const mine: number[] = [];
    const best: number[] = [];
    for (let round = 0; round < 5; round++) {
      const store = await openStore({ dataDir, databaseUrl: null });
      // Any server that answered once knows the number of all file sets.
      await store.fileSets.search({}, { limit: 1 });
      const started = performance.now();
      await store.fileSets.search({
        filters: [{ field: "name", operator: "LIKE", value: [word] }],
        fieldSort: [{ field: "created" }],
      });
      mine.push(performance.now() - started);
      await store.close();
      const count = timed(() => total.get(match));
      best.push(count + Math.min(timed(() => walk.all(folded)), timed(() => seek.all(match))));
    }
    ours += median(mine);
    theirs += median(best);
  }
  db.close();
  return figureOf(
    `LIKE with ${WORDS.length} short words, page by date and total, against the better of ` +
      "two plans by hand for each word",
    { measured: ours, baseline: theirs },
    MS,
    "≤ 1.5",
  );
}

const MINUTE = 60_000;

/** The server's memory under 64 connections of different searches for five minutes. */
async function memoryUnderLoad(folder: string): Promise<Figure> {
  const app = await startApp(folder, { DATABASE_URL: "" });
  const minutes: number[][] = [[], [], [], [], []];
  const until = performance.now() + minutes.length * MINUTE;
  const work = async (connection: number) => {
    for (let turn = 0; performance.now() < until; turn++) {
      const word = WORDS[(connection + turn) % WORDS.length];
      const body: SearchBody = turn % 3 === 0
        ? { filters: [{ field: "name", operator: "LIKE", value: [word] }] }
        : { fieldSort: [{ field: turn % 2 === 0 ? "created" : "owner", order: "DESC" }] };
      const offset = (connection * 997 + turn * 31) % 5000;
      const response = await fetch(`${app.origin}${SEARCH}?offset=${offset}`, searching(body));
      if (!response.ok) throw new Error(`The search was answered with ${response.status}`);
      await response.arrayBuffer();
    }
  };
  const watch = async () => {
    for (let left; (left = until - performance.now()) > 0;) {
      const status = await Deno.readTextFile(`/proc/${app.pid}/status`);
      const megabytes = Number(/VmRSS:\s*(\d+)/.exec(status)![1]) / 1024;
      minutes[minutes.length - Math.ceil(left / MINUTE)].push(megabytes);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  };
  try {
    await Promise.all([watch(), ...Array.from({ length: 64 }, (_, index) => work(index))]);
  } finally {
    await app.stop();
  }
  // The maximum of a minute: any lower figure depends on when garbage happens to be collected.
  const [second, last] = [Math.max(...minutes[1]), Math.max(...minutes[4])];
  return figureOf(
    "server memory under 64 connections of searches for five minutes, the last minute's " +
      "most against the second's",
    { measured: last, baseline: second },
    (mib) => `${mib.toFixed(0)} MiB`,
    "≤ 1.1",
  );
}
