import type { ClientOptions, SearchBody } from "../lib/mod.ts";
import type { Io } from "./io.ts";

/** What a command requests, so that errors can name the option behind each part of it. */
export interface RequestedParts {
  readonly body?: SearchBody;
  readonly limit?: number;
  readonly skipped?: number;
  readonly resume?: string;
}

export interface CommandLine {
  readonly asked?: RequestedParts;
  /** Runs it, and returns the exit code. `connect` reads where the service is. */
  run(io: Io, connect: () => Promise<ClientOptions>): Promise<number>;
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Turns the error of reading a file into a usage error. */
export function refused(what: string): (error: { readonly code?: unknown }) => never {
  return (error) => {
    if (typeof error.code !== "string") throw error;
    throw new UsageError(`${what} (${error.code === "EISDIR" ? "a folder" : error.code})`);
  };
}

export async function readNamedFile(option: string, path: string, io: Io): Promise<string> {
  const text = await io.readFile(path).catch(refused(`${option}: ${path} can't be read`));
  if (text === undefined) throw new UsageError(`${option}: there is no file ${path}`);
  return text;
}

/** Does work that Ctrl+C aborts. */
export async function interruptible<T>(
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupt = new AbortController();
  const release = io.onInterrupt(() => interrupt.abort());
  try {
    return await work(interrupt.signal);
  } finally {
    release();
  }
}

/** How the command line ended, for scripts. */
export const ExitCode = {
  /** All requested rows were read. */
  done: 0,
  /** The service failed, a schedule is down or critical, or an assertion does not hold. */
  failed: 1,
  /** An argument or the environment is wrong. */
  usage: 2,
  /** Every page was read, but rows changed meanwhile, or contradict the service. */
  changed: 3,
  /** The service rejected the token. */
  rejected: 4,
  /** The service has no such schedule; nothing is wrong with the others, which were judged. */
  missing: 5,
  /** Interrupted, as by Ctrl+C. */
  interrupted: 130,
  /** The program that read the output has ended. */
  brokenPipe: 141,
} as const;
