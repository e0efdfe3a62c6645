import { formatCountOf } from "../../lib/format.ts";
import type { Log } from "../log/log.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

/** Warns if a key is missing with which people were forgotten. */
export async function warnOfMissingKeys(
  recordsKeys: readonly string[],
  { countUnknownForgotten }: Pick<ObserverRecords, "countUnknownForgotten">,
  log: Pick<Log, "warn">,
): Promise<void> {
  const unknown = await countUnknownForgotten(recordsKeys);
  if (unknown === 0) return;
  const people = formatCountOf(unknown, "person was", "people were");
  log.warn(
    `${people} forgotten with another RECORDS_KEY, and will be stored again when a run lists them: ` +
      "add that key after the new one",
  );
}
