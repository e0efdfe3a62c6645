/** Whether the instances on one database have the same secrets. */
import { digestOfSecret } from "../auth/sealing.ts";
import type { Log } from "../log/log.ts";
import type { ObserverRecords } from "../store/observer/observer_records.ts";
import { setText } from "../store/observer/values.ts";

/** What happens if instances have different ones, by the setting. */
const CONSEQUENCES = {
  SESSION_KEY: "people are signed out whenever another instance answers",
  SERVICE_TOKEN: "the token of one instance is refused by the others",
  RECORDS_KEY: "secrets that one instance sealed can't be used by the others",
} as const;

/** The secrets that all instances need, by their settings; several while one is rotated. */
export type SharedSecrets = Readonly<Record<keyof typeof CONSEQUENCES, readonly string[]>>;

/** Warns if the instance that started before had other secrets, by digests that do not reveal them. */
export async function warnOfOtherSecrets(
  secrets: SharedSecrets,
  { values, commit }: Pick<ObserverRecords, "values" | "commit">,
  log: Pick<Log, "warn">,
): Promise<void> {
  for (const [setting, consequence] of Object.entries(CONSEQUENCES)) {
    const own = secrets[setting as keyof SharedSecrets]
      .map((secret) => digestOfSecret(secret, setting));
    if (own.length === 0) continue;
    const name = `secret/${setting}`;
    const before = await values.text(name);
    // While a key is rotated, one that both have is enough.
    if (before !== undefined && !own.some((digest) => before.split(" ").includes(digest))) {
      log.warn(
        `${setting} differs from that of the instance that started before on this database. ` +
          `If both run, ${consequence}: set ${setting} to the same value for all`,
      );
    }
    await commit([setText(name, own.join(" "))]);
  }
}
