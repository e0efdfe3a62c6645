/** Checks the keys of the records when Docket starts. */
import { formatCountOf } from "../../lib/format.ts";
import type { Sealing } from "../auth/sealing.ts";
import type { Log } from "../log/log.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

/**
 * Warns if a key is missing with which people were forgotten. Reseals with the first key what another key
 * sealed, and skips what no key can open.
 */
export async function checkKeys(
  { owners, service, countUnknownForgotten }: ObserverRecords,
  keys: readonly string[],
  sealing: Sealing,
  log: Pick<Log, "info" | "warn">,
): Promise<void> {
  const unknown = await countUnknownForgotten(keys);
  if (unknown > 0) {
    const people = formatCountOf(unknown, "person was", "people were");
    log.warn(
      `${people} forgotten with another RECORDS_KEY, and will be stored again when a run lists them: ` +
        "add that key after the new one",
    );
  }
  const resealed = async (sealed: string) => {
    const secret = sealing.isByFirstKey(sealed) ? undefined : await sealing.open(sealed);
    return secret === undefined ? null : await sealing.seal(secret);
  };
  let secrets = 0;
  for (const channel of await owners.sealedChannels()) {
    const next = await resealed(channel.sealed);
    if (!next) continue;
    await owners.reseal(channel, next);
    secrets++;
  }
  const { evidenceKey } = await service.get();
  const key = JSON.parse(evidenceKey ?? "null");
  const next = key && await resealed(key.sealed);
  if (next) {
    await service.store({ evidenceKey: JSON.stringify({ ...key, sealed: next }) });
    secrets++;
  }
  if (secrets > 0) log.info("Resealed secrets with the first RECORDS_KEY", { secrets });
}
