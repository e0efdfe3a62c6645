/** What a command is. Parsing, help and errors come from this one description. */
import { wholeNumber } from "../lib/format.ts";
import type { ClientOptions } from "../lib/mod.ts";
import type { Io } from "./io.ts";

export interface Option<Value = unknown> {
  /** The placeholder for its value in the help; missing for a flag. */
  readonly value?: string;
  /** Whether it may be used several times; its value is then a list. */
  readonly multiple?: true;
  readonly needed?: true;
  readonly use: string;
  /** Reads its value. @throws {Error} With what it must be, such as "must be a day" */
  readonly read: (text: string) => Value;
}

export type Options = Readonly<Record<string, Option>>;

type ValueOf<Described extends Option> = Described extends { readonly multiple: true }
  ? readonly ReturnType<Described["read"]>[]
  : ReturnType<Described["read"]>;

type Needed<Of extends Options> = {
  [Name in keyof Of]: Of[Name] extends { readonly needed: true } ? Name : never;
}[keyof Of];

export type Values<Of extends Options> =
  & { readonly [Name in Needed<Of>]: ValueOf<Of[Name]> }
  & { readonly [Name in Exclude<keyof Of, Needed<Of>>]?: ValueOf<Of[Name]> };

export function flag(use: string): Option<true> {
  return { use, read: () => true };
}

export function text(value: string, use: string): Option<string> {
  return { value, use, read: (text) => text };
}

export function needed<Of extends Option>(option: Of): Of & { readonly needed: true } {
  return { ...option, needed: true };
}

export function count(use: string, least: number): Option<number> {
  return {
    value: "N",
    use,
    read(text) {
      const number = wholeNumber(text);
      if (number !== null && number >= least) return number;
      throw new RangeError(`must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}`);
    },
  };
}

export const COMMON = {
  json: flag("write JSON"),
  debug: flag("report each attempt, answer and wait on standard error, without secrets"),
  help: flag("print this help"),
};

export interface Invocation<Of extends Options = Options> {
  readonly values: Values<Of & typeof COMMON>;
  readonly words: readonly string[];
  readonly io: Io;
  /** Reads where the service is, and the token. */
  connect(): ClientOptions;
}

export interface Command<Of extends Options = Options> {
  /** Its words: empty for none, such as `ID` for one, or `IDS…` for any number. */
  readonly arguments: string;
  readonly use: string;
  readonly options: Of;
  readonly notes?: string;
  /** Whether its words are a query, in which a hyphen negates. */
  readonly takesQuery?: true;
  run(call: Invocation<Of>): Promise<number>;
}

/** Infers the types of a command's values from its options. */
export function command<const Of extends Options>(described: Command<Of>): Command {
  return described as unknown as Command;
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The exit codes of the command line, for scripts. */
export const ExitCode = {
  /** Everything was done, and nothing is wrong. */
  done: 0,
  /** The service failed or refused, a schedule is down or critical, or a pack is not intact. */
  failed: 1,
  /** An argument or the environment is wrong. */
  usage: 2,
  /** Not everything is known: rows changed, a schedule is missing, or a status is unknown. */
  incomplete: 3,
  /** Interrupted, as by Ctrl+C. */
  interrupted: 130,
  /** The program that read the output has ended. */
  brokenPipe: 141,
} as const;
