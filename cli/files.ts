/** Files that options name. */
import { UsageError } from "./command.ts";
import type { Io } from "./io.ts";

/** Returns a function that turns an error of reading or writing a file into a usage error. */
export function fileFailure(message: string): (error: { readonly code?: unknown }) => never {
  return (error) => {
    if (typeof error.code !== "string") throw error;
    throw new UsageError(`${message} (${error.code})`);
  };
}

export async function readNamedFile(option: string, path: string, io: Io): Promise<string> {
  const failure = fileFailure(`${option}: ${path} can't be read`);
  const file = await io.openFile(path).catch(failure);
  if (!file) throw new UsageError(`${option}: there is no file ${path}`);
  const bytes = file.slice(0, file.size).arrayBuffer();
  return new TextDecoder().decode(await bytes.catch(failure).finally(() => file.close()));
}
