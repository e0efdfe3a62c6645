/** The data folder, and the secrets that are generated once and stored there. */
import { howToMakeAKey, isInMemory, SEALING_KEY_LENGTH, type Settings } from "./settings.ts";

export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

/** Creates the data folder, for its owner only. It is not needed if the variables `insteadOf` are set. */
export function makeDataFolder(dataDir: string, insteadOf: readonly string[]): void {
  try {
    Deno.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    Deno.removeSync(Deno.makeTempFileSync({ dir: dataDir, suffix: ".tmp" }));
  } catch (error) {
    const makesKeys = insteadOf.some((variable) => variable !== "DATABASE_URL");
    const howTo = makesKeys ? ` (a key or a token: ${howToMakeAKey})` : "";
    throw new DataFolderError(
      `The data folder ${dataDir} can't be created or written: ${(error as Error).message}. ` +
        `Set DATA_DIR to another folder, or set the following and do without one: ${
          insteadOf.join(", ")
        }${howTo}`,
      { cause: error },
    );
  }
}

/**
 * The secret stored under `name` in the data folder, generated on the first call: 32 random bytes in
 * hexadecimal. Processes that call this at once get the same secret. A secret that somebody put there
 * must have at least `minLength` characters.
 */
export function storedSecret(dataDir: string, name: string, minLength = 1): string {
  const path = `${dataDir}/${name}`;
  try {
    return readSecret(path, minLength) ?? makeSecret(path);
  } catch (error) {
    throw new DataFolderError(
      `The secret ${path} can't be read or created: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

/** The keys that were read for each settings: every poll that stores runs may ask for them. */
const keys = new WeakMap<Settings, readonly string[]>();

/**
 * The keys that seal secrets in Docket's records, from `RECORDS_KEY` or else the data folder, which is
 * read once. Records in memory have a new one.
 */
export function recordsKeys(settings: Settings): readonly string[] {
  const known = keys.get(settings) ?? findRecordsKeys(settings);
  keys.set(settings, known);
  return known;
}

function findRecordsKeys(settings: Settings): readonly string[] {
  const { recordsKeys, dataDir } = settings;
  if (recordsKeys.length > 0) return recordsKeys;
  if (isInMemory(settings)) return [randomSecret()];
  makeDataFolder(dataDir, ["RECORDS_KEY"]);
  return [storedSecret(dataDir, "records-key", SEALING_KEY_LENGTH)];
}

function readSecret(path: string, minLength: number): string | null {
  try {
    const secret = Deno.readTextFileSync(path).trim();
    if (secret.length >= minLength) return secret;
    const problem = secret === "" ? "empty" : `shorter than ${minLength} characters`;
    throw new Error(`it is ${problem}; delete it, and Docket creates a new one`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Writes a temporary file and links it: readers see the whole secret or none, and the first wins. */
function makeSecret(path: string): string {
  const secret = randomSecret();
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

function randomSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}
