/** What the command line should do. */
import type { Plan, SearchBody } from "../lib/mod.ts";

/** How rows are written. */
export type Format = "table" | "csv" | "ndjson" | "json";

/** How to reach the service, as given on the command line. */
export interface ConnectionArguments {
  /** Time for one attempt, in milliseconds. */
  readonly timeoutMs?: number;
  /** The most attempts for one request. */
  readonly attempts?: number;
  /** Whether to report each attempt. */
  readonly debug: boolean;
  /** File of the token. */
  readonly tokenFile?: string;
  /** Name of the profile. */
  readonly profile?: string;
  /** Whether the result is JSON. */
  readonly json: boolean;
}

/** How rows are listed. */
export interface ListOptions extends ConnectionArguments {
  /** How rows are written. */
  readonly format: Format;
  /** Whether every row is read, and not one page. */
  readonly all: boolean;
  /** The most rows of all pages. */
  readonly max?: number;
  /** The most rows on a page. */
  readonly limit?: number;
  /** File of the checkpoint. */
  readonly resume?: string;
  /** How many pages are in flight. */
  readonly prefetch: number;
  /** Whether pages overlap by a row. */
  readonly verify: boolean;
  /** Whether the request is written instead of sent. */
  readonly curl: boolean;
}

/** What is listed, and which of its columns. */
export type ListSubject =
  & {
    /** Names of the fields to write. */
    readonly columns: readonly string[];
    /** Whether the person chose them; otherwise JSON has every field. */
    readonly isChosen: boolean;
    /** Number of rows to skip. */
    readonly skipped?: number;
  }
  & (
    | { readonly name: "filesets"; readonly body: SearchBody }
    | { readonly name: "history"; readonly scheduleId: number; readonly recipients: boolean }
  );

/** A command that lists rows. */
export type ListCommand = ListOptions & ListSubject;

/** The command that judges schedules. */
export interface JudgeCommand extends ConnectionArguments {
  readonly name: "judge";
  /** Ids of the report schedules. */
  readonly scheduleIds: readonly number[];
  /** The plan of all of them; without one, each is inferred. */
  readonly plan?: Plan;
  /** IANA name of the zone of times without one. */
  readonly serviceZone: string;
}

/** What the command line should do. */
export type Command =
  | { readonly name: "help"; readonly topic?: string }
  | { readonly name: "version" }
  | { readonly name: "completion"; readonly shell: string }
  | { readonly name: "schema"; readonly topic: string }
  | ConnectionArguments & { readonly name: "check"; readonly scheduleId?: number }
  | JudgeCommand
  | ConnectionArguments & {
    readonly name: "assert";
    readonly body: SearchBody;
    readonly max: number;
  }
  | ListCommand;

/** The command line is not valid; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
