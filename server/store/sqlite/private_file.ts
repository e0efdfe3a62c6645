/** Keeps a database to its owner: there are email addresses in it. */

/** What SQLite keeps beside a database. It makes them with the mode of the database. */
const COMPANIONS = ["-wal", "-shm"];

/** Makes a missing file, and takes the rights of others on an existing one, where it may be done. */
export function makePrivate(path: string): void {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch {
    // It is there already, or SQLite says why it can't be made.
  }
  for (const file of [path, ...COMPANIONS.map((ending) => path + ending)]) {
    try {
      Deno.chmodSync(file, 0o600);
    } catch {
      // It is not there, belongs to somebody else, or the platform has no such rights.
    }
  }
}
