/** What seals secrets in Docket's records, such as those of channels. */
import { makeDataFolder, storedSecret } from "../config/data_folder.ts";
import { SEALING_KEY_LENGTH, type Settings } from "../config/settings.ts";

/**
 * The keys for {@linkcode createSealing}: those in `RECORDS_KEY`, or the one in the data folder, made
 * on the first call.
 *
 * @throws {DataFolderError} If the data folder can't be used.
 */
export function recordsKeys({ recordsKeys, dataDir }: Settings): readonly string[] {
  if (recordsKeys.length > 0) return recordsKeys;
  makeDataFolder(dataDir, ["RECORDS_KEY"]);
  return [storedSecret(dataDir, "records-key", SEALING_KEY_LENGTH)];
}
