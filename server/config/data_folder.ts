/** The data folder, and the secrets that are made there once and kept. */
import { howToMakeAKey } from "./settings.ts";

/** Thrown when the data folder can't be used, with what to do about it. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

/**
 * Makes the data folder where it is missing; only its owner may look into it.
 *
 * @param insteadOf The variables that, when all are set, make the folder unnecessary.
 */
export function makeDataFolder(dataDir: string, insteadOf: readonly string[]): void {
  try {
    Deno.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    Deno.removeSync(Deno.makeTempFileSync({ dir: dataDir, suffix: ".tmp" }));
  } catch (error) {
    const makesKeys = insteadOf.some((variable) => variable !== "DATABASE_URL");
    const howTo = makesKeys ? ` (a key or a token: ${howToMakeAKey})` : "";
    throw new DataFolderError(
      `The data folder ${dataDir} can't be made or written: ${reason(error)}. ` +
        `Set DATA_DIR to another folder, or to need none: ${insteadOf.join(", ")}${howTo}`,
      { cause: error },
    );
  }
}

/**
 * The secret kept under `name` in the data folder: 32 random bytes in hexadecimal, made at the first
 * call. Several processes may ask at once; all get the same. One that somebody put there must have
 * at least so many characters.
 */
export function storedSecret(dataDir: string, name: string, least = 1): string {
  const path = `${dataDir}/${name}`;
  try {
    return readSecret(path, least) ?? makeSecret(path);
  } catch (error) {
    throw new DataFolderError(`The secret ${path} can't be read or made: ${reason(error)}`, {
      cause: error,
    });
  }
}

function readSecret(path: string, least: number): string | null {
  try {
    const secret = Deno.readTextFileSync(path).trim();
    if (secret.length >= least) return secret;
    const fault = secret === "" ? "empty" : `shorter than ${least} characters`;
    throw new Error(`it is ${fault}; delete it to have a new one made`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Writes beside the name and links: a reader sees the whole secret or none, and the first wins. */
function makeSecret(path: string): string {
  const secret = crypto.getRandomValues(new Uint8Array(32)).toHex();
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  Deno.writeTextFileSync(temporary, secret, { createNew: true, mode: 0o600 });
  try {
    Deno.linkSync(temporary, path);
    return secret;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    return Deno.readTextFileSync(path).trim();
  } finally {
    Deno.removeSync(temporary);
  }
}

function reason(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return "the program was started without permission for it; " +
      "add --allow-read and --allow-write for this folder to the start command";
  }
  return error instanceof Error ? error.message : String(error);
}
