/**
 * The file of a SQLite database, seen from outside: SQLite itself does not notice when the file that
 * it has open is removed or replaced, and goes on with what nobody else sees.
 */
import { DatabaseError } from "../database_error.ts";

/**
 * Tells whether another file is at the path than at the time of this call, or none, or one with
 * other permissions. Looking takes 2 µs.
 */
export function watchFile(path: string): () => boolean {
  if (path === ":memory:") return () => false;
  const opened = identityOf(path);
  return () => identityOf(path) !== opened;
}

/** Throws if the file is missing: otherwise SQLite would create an empty one. */
export function requireFile(path: string): void {
  if (path === ":memory:" || identityOf(path) !== null) return;
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
