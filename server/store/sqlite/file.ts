/**
 * Watches the file of a SQLite database: SQLite does not notice when the file that it has open is
 * removed or replaced, and goes on using it.
 */
import { DatabaseError } from "../database_error.ts";

/**
 * Returns a check whether the file at the path was removed, replaced, or got other permissions since
 * this call. The check takes 2 µs.
 */
export function watchFile(path: string): () => boolean {
  const opened = identityOf(path);
  return () => identityOf(path) !== opened;
}

/** Throws if the file is missing: otherwise SQLite would create an empty one. */
export function requireFile(path: string): void {
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

/** The files that SQLite puts beside a database, with the same mode. */
const COMPANIONS = ["-wal", "-shm"];

/**
 * Makes a database readable by its owner only, as it contains email addresses: creates a missing
 * file, and removes others' access to an existing one, if possible.
 */
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
      // It is not there, belongs to somebody else, or the platform has no such rights.
    }
  }
}
