/** The files of a SQLite database. */
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
  if (readIdentity(path) !== null) return;
  const advice = "put it back into DATA_DIR, or restart Docket to create a new one";
  throw new DatabaseError("missing", "", advice);
}

/** Returns a check whether the file was since removed or replaced, or got other permissions. */
export function watchFile(path: string): () => boolean {
  const opened = readIdentity(path);
  return () => readIdentity(path) !== opened;
}

function readIdentity(path: string): string | null {
  try {
    const { dev, ino, mode } = Deno.statSync(path);
    return `${dev} ${ino} ${mode}`;
  } catch {
    return null;
  }
}
