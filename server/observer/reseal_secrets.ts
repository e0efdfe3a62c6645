/** Reseals secrets in the records after `RECORDS_KEY` was rotated. */
import type { Sealing } from "../auth/sealing.ts";
import { EVIDENCE_KEY } from "../backend/evidence_keys.ts";
import type { Log } from "../log/log.ts";
import type { Sql } from "../store/sql.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

/** Reseals with the first key what another key sealed. Skips what no key can open. */
export async function resealSecrets(
  { owners, values, commit }: Pick<ObserverRecords, "owners" | "values" | "commit">,
  sealing: Sealing,
  log: Pick<Log, "info">,
): Promise<void> {
  const resealed = async (sealed: string) => {
    const secret = sealing.isByFirstKey(sealed) ? undefined : await sealing.open(sealed);
    return secret === undefined ? null : await sealing.seal(secret);
  };
  const steps: Sql[] = [];
  for (const { id, sealed } of await owners.sealedChannels()) {
    const next = await resealed(sealed);
    const text = "UPDATE channels SET sealed = ? WHERE id = ? AND sealed = ?";
    if (next) steps.push({ text, values: [next, id, sealed] });
  }
  const stored = await values.text(EVIDENCE_KEY) ?? "null";
  const key = JSON.parse(stored);
  const next = key && await resealed(key.sealed);
  const text = "UPDATE observer_values SET text = ? WHERE name = ? AND text = ?";
  const renewed = JSON.stringify({ ...key, sealed: next });
  if (next) steps.push({ text, values: [renewed, EVIDENCE_KEY, stored] });
  if (steps.length === 0) return;
  await commit(steps);
  log.info("Resealed secrets with the first RECORDS_KEY", { secrets: steps.length });
}
