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
  const { secretDigests } = await service.get();
  const digests: Record<string, readonly string[]> = { ...secretDigests };
  for (const [setting, consequence] of Object.entries(CONSEQUENCES)) {
    const own = secrets[setting as keyof SharedSecrets]
      .map((secret) => digestOfSecret(secret, setting));
    if (own.length === 0) continue;
    // While a key is rotated, one common key is enough.
    if (digests[setting] && !own.some((digest) => digests[setting].includes(digest))) {
      log.warn(
        `${setting} differs from that of the instance that started previously on this database. ` +
          `If both run, ${consequence}: set ${setting} to the same value for all`,
      );
    }
    digests[setting] = own;
  }
  await service.store({ secretDigests: digests });
}
