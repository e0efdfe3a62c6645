import type { EvidenceQuestion } from "../lib/evidence/mod.ts";
import type { Plan, SearchBody } from "../lib/mod.ts";

export type Format = "table" | "csv" | "ndjson" | "json";

export interface ConnectionArguments {
  /** Time for one attempt, in milliseconds. */
  readonly timeoutMs?: number;
  /** The most attempts for one request. */
  readonly attempts?: number;
  /** Whether to report each attempt. */
  readonly debug: boolean;
  readonly tokenFile?: string;
  readonly profile?: string;
  readonly json: boolean;
}

export interface ListOptions extends ConnectionArguments {
  readonly format: Format;
  /** Whether every row is read, and not one page. */
  readonly all: boolean;
  readonly max?: number;
  readonly limit?: number;
  readonly resume?: string;
  readonly prefetch: number;
  /** Whether pages overlap by a row. */
  readonly verify: boolean;
  /** Whether the request is written instead of sent. */
  readonly curl: boolean;
}

/** What is listed, and which of its columns. */
export type ListSubject =
  & {
    readonly columns: readonly string[];
    /** Whether the person chose them; otherwise JSON has every field. */
    readonly isChosen: boolean;
    readonly skipped?: number;
  }
  & (
    | { readonly name: "filesets"; readonly body: SearchBody }
    | { readonly name: "history"; readonly scheduleId: number; readonly recipients: boolean }
  );

export type ListCommand = ListOptions & ListSubject;

export interface RecipientsCommand extends ConnectionArguments {
  readonly name: "recipients" | "who";
  readonly scheduleIds: readonly number[];
  /** The user id or address of one person; everybody if missing. */
  readonly person?: string;
  readonly format: Format;
}

export interface JudgeCommand extends ConnectionArguments {
  readonly name: "judge";
  readonly scheduleIds: readonly number[];
  /** The plan of all of them; without one, each is inferred. */
  readonly plan?: Plan;
  /** A file with days without runs. */
  readonly calendar?: string;
  /** The columns of the table. */
  readonly columns: readonly string[];
  /** IANA name of the zone of times without one. */
  readonly serviceZone: string;
}

export type EvidenceCommand =
  & ConnectionArguments
  & { readonly name: "evidence" }
  & (
    | { readonly question: EvidenceQuestion; readonly out: string; readonly key?: string }
    | { readonly newKey: string }
  );

export interface VerifyCommand extends ConnectionArguments {
  readonly name: "verify";
  readonly pack: string;
  /** Files with public keys. */
  readonly keys: readonly string[];
}

export type CommandLine =
  | { readonly name: "help"; readonly topic?: string }
  | { readonly name: "version" }
  | { readonly name: "completion"; readonly shell: string }
  | { readonly name: "schema"; readonly topic: string }
  | ConnectionArguments & { readonly name: "check"; readonly scheduleId?: number }
  | JudgeCommand
  | RecipientsCommand
  | EvidenceCommand
  | VerifyCommand
  | ConnectionArguments & {
    readonly name: "assert";
    readonly body: SearchBody;
    readonly max: number;
  }
  | ListCommand;

export class UsageError extends Error {
  override readonly name = "UsageError";
}
