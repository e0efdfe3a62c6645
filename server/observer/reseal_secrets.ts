/** Seals secrets in the records again after `RECORDS_KEY` was rotated. */
import type { Sealing } from "../auth/sealing.ts";
import { EVIDENCE_KEY } from "../backend/evidence_keys.ts";
import type { Log } from "../log/log.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";

/** Seals them with the first key if another one did. What no key opens stays as it is. */
export async function resealSecrets(
  { owners, values, commit }: Pick<ObserverRecords, "owners" | "values" | "commit">,
  sealing: Sealing,
  log: Pick<Log, "info">,
): Promise<void> {
  const channels = (await owners.sealedChannels()).map(({ id, sealed }) => ({
    sealed,
    replace: (next: string) => ({
      text: "UPDATE channels SET sealed = ? WHERE id = ? AND sealed = ?",
      values: [next, id, sealed],
    }),
  }));
  const stored = await values.text(EVIDENCE_KEY);
  const key = stored === undefined ? null : JSON.parse(stored);
  const all = key === null ? channels : [...channels, {
    sealed: key.sealed,
    replace: (next: string) => ({
      text: "UPDATE observer_values SET text = ? WHERE name = ? AND text = ?",
      values: [JSON.stringify({ ...key, sealed: next }), EVIDENCE_KEY, stored!],
    }),
  }];
  const steps = (await Promise.all(all.map(async ({ sealed, replace }) => {
    const secret = sealing.isByFirstKey(sealed) ? undefined : await sealing.open(sealed);
    return secret === undefined ? [] : [replace(await sealing.seal(secret))];
  }))).flat();
  if (steps.length === 0) return;
  await commit(steps);
  log.info("Secrets were sealed again with the first RECORDS_KEY", { secrets: steps.length });
}
