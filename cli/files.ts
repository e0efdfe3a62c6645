/** Errors of files that options name. */
import { UsageError } from "./command.ts";
import type { Io } from "./io.ts";

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
