/** Makes a database readable by its owner only: it contains email addresses. */

/** The files that SQLite keeps beside a database, with the same mode. */
const COMPANIONS = ["-wal", "-shm"];

/** Creates a missing file, and removes others' access to an existing one, if possible. */
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
