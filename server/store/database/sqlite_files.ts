/** The files of a SQLite database. */
import { existsSync } from "node:fs";
import { DatabaseError } from "./database_error.ts";

/** The files that SQLite creates beside a database, with the same mode. */
const COMPANIONS = ["-wal", "-shm"];

/** Makes a file accessible to its owner only, if possible, because it contains email addresses. */
export function makePrivate(path: string): void {
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

/** Throws if the file is missing: otherwise SQLite would create an empty one. */
export function requireFile(path: string): void {
  if (existsSync(path)) return;
  const advice = "put it back into DATA_DIR, or restart Docket to create a new one";
  throw new DatabaseError("missing", "", advice);
}
