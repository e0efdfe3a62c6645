/** Opens SQLite databases with the runtime's own module. */
import { DatabaseSync } from "node:sqlite";
import { DatabaseError, ifWritable } from "../database_error.ts";
import type { Engine, OpenEngine } from "../engine.ts";
import { compile } from "../database/sql.ts";
import { countInMemory } from "../limit.ts";
import type { Sql } from "../sql.ts";
import { writesBy } from "../writes.ts";
import { attempt } from "./sqlite_errors.ts";
import { migrateSqlite } from "./migrate_sqlite.ts";
import { createReaders } from "./readers.ts";
import { createTurns, sqliteDatabase } from "./sqlite_database.ts";
import { type Statements, statementsOf } from "./statements.ts";
import { removeRunsBefore, SQLITE_WRITES, transact } from "./sqlite_writes.ts";

const BUSY_MS = 10_000;

export interface SqliteOptions {
  /** The file, or `:memory:`. */
  readonly path: string;
  /** How long a write waits for another process; it blocks the program. Default: 10,000. */
  readonly busyMs?: number;
  /** Whether to create a missing file. Default: true. */
  readonly create?: boolean;
}

/** Opens a database with the current schema; throws a DatabaseError when it can't be used. */
export async function openSqlite(options: SqliteOptions): Promise<OpenEngine> {
  return await attempt(() => open(options));
}

function open({ path, busyMs = BUSY_MS, create = true }: SqliteOptions): OpenEngine {
  const isFile = path !== ":memory:";
  if (isFile && !create) requireFile(path);
  if (isFile) makePrivate(path);
  const db = new DatabaseSync(path, { timeout: busyMs });
  // Statements may ask it whether to go on; readers answer otherwise.
  db.function("alive", () => 1);
  const statements = statementsOf(db);
  try {
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = NORMAL");
    db.exec("PRAGMA foreign_keys = ON");
    // 64 MiB. With the default of 2, writing a row of a large table reads the file for each index.
    db.exec("PRAGMA cache_size = -65536");
    migrateSqlite(db);
  } catch (error) {
    db.close();
    throw error;
  }
  const isStale = isFile ? watchFile(path) : () => false;
  const readers = isFile ? createReaders(path) : null;
  const inTurn = createTurns(BUSY_MS);
  const attemptInTurn = <T>(work: () => T | Promise<T>) => attempt(() => inTurn(work));
  const transactSteps: Engine["transact"] = (steps) =>
    attemptInTurn(() => transact(db, statements, steps));
  const writeIfFree = (sql: Sql) =>
    ifWritable(() => attemptInTurn(() => writeAtOnce(db, statements, sql, busyMs)));
  const close = () =>
    attempt(async () => {
      await readers?.close();
      if (isStale()) emptyLog(db);
      db.close();
    });
  return {
    database: {
      ...sqliteDatabase(db, statements, attemptInTurn),
      writeIfFree: (statement) => writeIfFree(compile(statement, "sqlite")),
      close,
    },
    rows: (text, values = []) => attemptInTurn(() => statements.read({ text, values })),
    transact: transactSteps,
    writeIfFree,
    ...writesBy(SQLITE_WRITES, transactSteps),
    openMonths: () => Promise.resolve(),
    removeRunsBefore: (time) => removeRunsBefore(statements, time, attemptInTurn),
    isStale,
    countUse: countInMemory(),
    close,
  };
}

/** Empties the log of a replaced file; otherwise, SQLite would apply it to the new file. */
function emptyLog(db: DatabaseSync): void {
  try {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // It may be damaged as well.
  }
}

function writeAtOnce(
  db: DatabaseSync,
  statements: Statements,
  { text, values }: Sql,
  busyMs: number,
): void {
  db.exec("PRAGMA busy_timeout = 0");
  try {
    statements.prepare(text).run(...values);
  } finally {
    db.exec(`PRAGMA busy_timeout = ${busyMs}`);
  }
}

/** Returns a check whether the file was since removed or replaced, or got other permissions. */
function watchFile(path: string): () => boolean {
  const opened = identityOf(path);
  return () => identityOf(path) !== opened;
}

/** Throws if the file is missing: otherwise SQLite would create an empty one. */
function requireFile(path: string): void {
  if (identityOf(path) !== null) return;
  const advice = "put docket.sqlite back into DATA_DIR, or restart Docket to create a new one";
  throw new DatabaseError("missing", "", advice);
}

function identityOf(path: string): string | null {
  try {
    const { dev, ino, mode } = Deno.statSync(path);
    return `${dev} ${ino} ${mode}`;
  } catch {
    return null;
  }
}

/** The files that SQLite creates beside a database, with the same mode. */
const COMPANIONS = ["-wal", "-shm"];

/** Makes a file accessible to its owner only, if possible, because it contains email addresses. */
function makePrivate(path: string): void {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch {
    // It exists already, or SQLite says why it can't be created.
  }
  for (const file of [path, ...COMPANIONS.map((ending) => path + ending)]) {
    try {
      Deno.chmodSync(file, 0o600);
    } catch {
      // It does not exist, belongs to somebody else, or the platform has no such permissions.
    }
  }
}
