/** Checks whether the instances on one database have the same secrets. */
import { digestOfSecret } from "../auth/sealing.ts";
import type { Log } from "../log/log.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

const CONSEQUENCES = {
  SESSION_KEY: "people are signed out whenever another instance answers",
  SERVICE_TOKEN: "the token of one instance is refused by the others",
  RECORDS_KEY: "secrets that one instance sealed can't be used by the others",
} as const;

/** The secrets that all instances need, by setting; several while one is rotated. */
export type SharedSecrets = Readonly<Record<keyof typeof CONSEQUENCES, readonly string[]>>;

/** Warns if the previously started instance had other secrets. Stores only digests of them. */
export async function warnOfOtherSecrets(
  secrets: SharedSecrets,
  { service }: Pick<ObserverRecords, "service">,
  log: Pick<Log, "warn">,
): Promise<void> {
  for (const [setting, consequence] of Object.entries(CONSEQUENCES)) {
    const digests = secrets[setting as keyof SharedSecrets]
      .map((secret) => digestOfSecret(secret, setting));
    if (digests.length === 0) continue;
    const before = await service.secretDigests(setting);
    // While a key is rotated, one common key is enough.
    if (before !== undefined && !digests.some((digest) => before.includes(digest))) {
      log.warn(
        `${setting} differs from that of the instance that started previously on this database. ` +
          `If both run, ${consequence}: set ${setting} to the same value for all`,
      );
    }
    await service.storeSecretDigests(setting, digests);
  }
}
