/** Checks whether the instances on one database have the same secrets. */
import { digestOfSecret } from "../auth/sealing.ts";
import { formatCountOf } from "../../lib/format.ts";
import type { Log } from "../log/log.ts";
import type { ObserverRecords } from "../store/records/observer_records.ts";

const CONSEQUENCES = {
  SESSION_KEY: "people are signed out whenever another instance answers",
  SERVICE_TOKEN: "the token of one instance is refused by the others",
  RECORDS_KEY: "secrets that one instance sealed can't be used by the others",
} as const;

/** The secrets that all instances need, by setting; several while one is rotated. */
export type SharedSecrets = Readonly<Record<keyof typeof CONSEQUENCES, readonly string[]>>;

/**
 * Warns if the previously started instance had other secrets, and if a key is missing with which people
 * were forgotten. Stores only digests of secrets.
 */
export async function warnOfOtherSecrets(
  secrets: SharedSecrets,
  { service, countUnknownForgotten }: Pick<ObserverRecords, "service" | "countUnknownForgotten">,
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
  const unknown = await countUnknownForgotten(secrets.RECORDS_KEY);
  if (unknown === 0) return;
  log.warn(
    `${
      formatCountOf(unknown, "person was", "people were")
    } forgotten with another RECORDS_KEY, and ` +
      "will be stored again when a run lists them: add that key after the new one",
  );
}
