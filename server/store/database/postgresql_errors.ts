/** What PostgreSQL's errors mean, and what to do about them. */

// @ts-types="@types/pg"
import pg from "pg";
import { DatabaseError, type DatabaseErrorKind } from "./database_error.ts";

const NOT_FOUND = "check that PostgreSQL is running and that DATABASE_URL points to it";
const MAKE_ROOM = "free space on PostgreSQL's disk";
const REPLICA = "PostgreSQL is read-only, like a replica; DATABASE_URL must point to a primary";
const TLS = "check that the sslmode in DATABASE_URL matches PostgreSQL's configuration";
const USER =
  "correct the user and password in DATABASE_URL, and check that pg_hba.conf allows them";

/** The driver's message if a pool had no connection in time. */
const POOL_IN_USE = /^timeout exceeded when trying to connect/;

/** Matched against PostgreSQL's or the connection's code, or else against the driver's message. */
const ERRORS: readonly (readonly [pattern: RegExp, kind: DatabaseErrorKind, advice: string])[] = [
  [
    /^53300$/,
    "noConnection",
    "raise max_connections of PostgreSQL, or run fewer programs against it",
  ],
  [/^53/, "full", MAKE_ROOM],
  [/^ENOSPC$/, "full", MAKE_ROOM],
  [/^25006$/, "readOnly", REPLICA],
  [/^(55P03|40P01|40001)$/, "locked", "another program holds a lock on its tables"],
  [/^57014$|^Query read timeout$/, "timeout", "check what PostgreSQL is busy with"],
  [/^28|^SASL/, "accessDenied", USER],
  [
    /^42501$/,
    "accessDenied",
    "the user in DATABASE_URL needs permission to create and use tables",
  ],
  [/^3D000$/, "unusable", "the database in DATABASE_URL does not exist; create it with createdb"],
  [/^(0A000|58P01)$/, "unusable", "install the extension pg_trgm, which comes with PostgreSQL"],
  [/^(XX|58)/, "damaged", "check PostgreSQL's log, and restore the database from a backup"],
  [/does not support SSL|CERT|certificate|LEAF_SIGNATURE/i, "unreachable", TLS],
  // Errors of the operating system. Those of Node itself begin with ERR_ and are bugs in Docket.
  [/^(08|57P)|^E(?!RR_)[A-Z_]+$/, "unreachable", NOT_FOUND],
  [/^Connection terminated|^Client (was|has)|timeout (exceeded|expired)/, "unreachable", NOT_FOUND],
];

export function isPoolInUse(error: unknown): boolean {
  return error instanceof Error && POOL_IN_USE.test(error.message);
}

/** The error to throw instead. Of unexpected errors it has only the code: messages may quote values. */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  for (const [pattern, kind, advice] of ERRORS) {
    if (pattern.test(code || error.message)) return new DatabaseError(kind, code, advice);
  }
  if (!(error instanceof pg.DatabaseError)) return error;
  const table = error.table ? ` on ${error.table}` : "";
  return new Error(`PostgreSQL rejected a query${table} with code ${code}`);
}
