/**
 * What keeps a database from its work, the same for all engines.
 *
 * @module
 */

import { ProblemError } from "../http/problem.ts";

/** What who asked is told, and whether waiting may mend it. */
const FAULTS = {
  away: { detail: "The database cannot be reached", mayPass: true },
  crowded: { detail: "The database has no connection free", mayPass: true },
  slow: { detail: "The database did not answer in time", mayPass: true },
  locked: { detail: "The database is locked", mayPass: true },
  opening: { detail: "The database is being opened", mayPass: true },
  full: { detail: "The database is full", mayPass: false },
  readOnly: { detail: "The database cannot be written to", mayPass: false },
  damaged: { detail: "The database is damaged", mayPass: false },
  gone: { detail: "The database is no longer there", mayPass: false },
  refused: { detail: "The database does not let Docket in", mayPass: false },
  unfit: { detail: "The database cannot be used", mayPass: false },
} as const;

/** What is wrong with a database. */
export type FaultKind = keyof typeof FAULTS;

/** After how many seconds another attempt makes sense, where waiting may mend a fault. */
export const RETRY_SECONDS = 5;

/**
 * Thrown when the database can't do its work: a 503 for who asked. The message is for who keeps the
 * database: the engine's code, and what to do. It never holds a URL or values of rows.
 */
export class DatabaseFault extends ProblemError {
  readonly kind: FaultKind;

  /** Throws that fault; `code` is the engine's name for it. */
  constructor(kind: FaultKind, code: string, advice: string) {
    const { detail, mayPass } = FAULTS[kind];
    super(503, detail, mayPass ? { retryAfterSeconds: RETRY_SECONDS } : {});
    this.kind = kind;
    this.message = `${detail}${code && ` (${code})`}: ${advice}`;
  }

  /** Whether it keeps the program from starting: a person has to act, and then starts it again. */
  get endsStart(): boolean {
    return ENDING_START.has(this.kind);
  }
}

/** The fault of a database whose schema has steps that this Docket does not know. */
export function newerSchema(found: number, known: number): DatabaseFault {
  const advice = `it has schema ${found}, made by a newer Docket; this one knows ${known}`;
  return new DatabaseFault("unfit", "", advice);
}

const ENDING_START = new Set<FaultKind>(["damaged", "gone", "refused", "unfit"]);
const UNWRITTEN = new Set<FaultKind>(["locked", "full", "readOnly"]);

/** Does a write that may be left out, and leaves it out where the database can't take it now. */
export async function ifWritable(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof DatabaseFault && UNWRITTEN.has(error.kind))) throw error;
  }
}
