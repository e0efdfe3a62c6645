import type { ClientOptions, SearchBody } from "../lib/mod.ts";
import type { Io } from "./io.ts";

/** The parts of a command's request, so that errors can name the option of each part. */
export interface RequestedParts {
  readonly body?: SearchBody;
  readonly limit?: number;
  readonly skipped?: number;
  readonly resume?: string;
}

export interface CommandLine {
  readonly requested?: RequestedParts;
  /** Runs it, and returns the exit code. `connect` reads the URL and the token of the service. */
  run(io: Io, connect: () => Promise<ClientOptions>): Promise<number>;
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Returns a function that turns an error of reading or writing a file into a usage error. */
export function fileFailure(message: string): (error: { readonly code?: unknown }) => never {
  return (error) => {
    if (typeof error.code !== "string") throw error;
    throw new UsageError(`${message} (${error.code === "EISDIR" ? "a folder" : error.code})`);
  };
}

export async function readNamedFile(option: string, path: string, io: Io): Promise<string> {
  const text = await io.readFile(path).catch(fileFailure(`${option}: ${path} can't be read`));
  if (text === undefined) throw new UsageError(`${option}: there is no file ${path}`);
  return text;
}

/** Runs work, and aborts it on Ctrl+C. */
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

/** The exit codes of the command line, for scripts. */
export const ExitCode = {
  /** All requested rows were read. */
  done: 0,
  /** The service failed, a schedule is down or critical, or an assertion does not hold. */
  failed: 1,
  /** An argument or the environment is wrong. */
  usage: 2,
  /** Every page was read, but rows changed or contradict the service, or have unknown statuses. */
  changed: 3,
  /** The service rejected the token. */
  rejected: 4,
  /** The service lacks a schedule, and nothing else is wrong. */
  missing: 5,
  /** Interrupted, as by Ctrl+C. */
  interrupted: 130,
  /** The program that read the output has ended. */
  brokenPipe: 141,
} as const;
