/** What SQLite's errors mean, and what to do about them. */
import { DatabaseError, type DatabaseErrorKind } from "./database_error.ts";

const OWNER = "the user that runs Docket must be able to write to DATA_DIR and its files";
const RESTORE =
  "move it and its -wal file out of DATA_DIR, and restore a backup or start with a new one";

/** Matched against SQLite's messages, which never change; not every error has a number. */
const ERRORS:
  readonly (readonly [pattern: RegExp, kind: DatabaseErrorKind, code: string, advice: string])[] = [
    [/database (table )?is locked/, "locked", "SQLITE_BUSY", "another process is writing to it"],
    [/database or disk is full/, "full", "SQLITE_FULL", "free space on the disk of DATA_DIR"],
    [/readonly database/, "readOnly", "SQLITE_READONLY", OWNER],
    // Also said where a full disk has no room for the files beside the database.
    [/disk I\/O error/, "disk", "SQLITE_IOERR", "free space on DATA_DIR's disk, or replace it"],
    [/is malformed/, "damaged", "SQLITE_CORRUPT", RESTORE],
    [/is not a database/, "damaged", "SQLITE_NOTADB", RESTORE],
    [/unable to open database/, "accessDenied", "SQLITE_CANTOPEN", OWNER],
  ];

/** What to throw for an error of `node:sqlite`. */
export function toDatabaseError(
  { message, code }: { readonly message: string; readonly code?: string },
): Error {
  if (code === "ERR_SQLITE_ERROR") {
    for (const [pattern, kind, name, advice] of ERRORS) {
      if (pattern.test(message)) return new DatabaseError(kind, name, advice);
    }
  }
  return Object.assign(new Error(message), { code });
}
