import { ProblemError } from "../../http/problem.ts";

const KINDS = {
  unreachable: { detail: "The database cannot be reached", mayPass: true },
  noConnection: { detail: "The database has no connection free", mayPass: true },
  busy: { detail: "Too many searches are running at once", mayPass: true },
  timeout: {
    detail: "The database did not answer in time; add filters, sort by fewer fields, or " +
      "start at a smaller offset",
    mayPass: true,
  },
  locked: { detail: "The database is locked", mayPass: true },
  full: { detail: "The database is full", mayPass: false },
  disk: { detail: "The disk of the database is full or fails", mayPass: false },
  readOnly: { detail: "The database cannot be written to", mayPass: false },
  damaged: { detail: "The database is damaged", mayPass: false },
  missing: { detail: "The database is no longer there", mayPass: false },
  accessDenied: { detail: "The database denies Docket access", mayPass: false },
  unusable: { detail: "The database cannot be used", mayPass: false },
} as const;

export type DatabaseErrorKind = keyof typeof KINDS;

/** Seconds until a retry makes sense, for errors that may pass. */
const RETRY_SECONDS = 5;

/** A 503 whose message is for the operator; it never contains a URL or values of rows. */
export class DatabaseError extends ProblemError {
  /** `code` is the database's own name for the error. */
  constructor(readonly kind: DatabaseErrorKind, readonly code: string, advice: string) {
    const { detail, mayPass } = KINDS[kind];
    super(503, detail, mayPass ? { retryAfterSeconds: RETRY_SECONDS } : {});
    this.message = `${detail}${code && ` (${code})`}: ${advice}`;
  }

  /** Whether the program should not start: somebody has to act first. */
  get endsStart(): boolean {
    return ENDING_START.has(this.kind);
  }
}

const ENDING_START = new Set<DatabaseErrorKind>(["damaged", "missing", "accessDenied", "unusable"]);
