/** Reseals secrets in the records after `RECORDS_KEY` was rotated. */
import type { Sealing } from "../auth/sealing.ts";
import type { Log } from "../log/log.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

/** Reseals with the first key what another key sealed. Skips what no key can open. */
export async function resealSecrets(
  { owners, service }: Pick<ObserverRecords, "owners" | "service">,
  sealing: Sealing,
  log: Pick<Log, "info">,
): Promise<void> {
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
