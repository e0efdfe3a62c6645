/** Forgotten people: only keyed digests of what identified them are left. */
import { createHmac } from "node:crypto";
import type { Recipient } from "../../../lib/types.ts";
import type { Engine } from "../engine.ts";

export const FORGOTTEN_NAME = "forgotten person";
const KEY = "key of forgotten people";

export function identitiesOf({ userId, emailAddress }: Recipient): string[] {
  return [
    ...typeof userId === "number" ? [`user ${userId}`] : [],
    ...emailAddress ? [`address ${emailAddress.toLowerCase()}`] : [],
  ];
}

/** The recipient that replaces a forgotten one. Its user id is negative, so nobody else has it. */
export function forgottenRecipient(personId: number): string {
  return JSON.stringify({
    userId: -personId,
    displayName: FORGOTTEN_NAME,
    emailAddress: "",
  });
}

export function forgottenOn(engine: Engine) {
  async function digester(): Promise<(identity: string) => string> {
    const text = "SELECT text FROM observer_values WHERE name = ?";
    const [[key]] = await engine.rows(text, [KEY]);
    return (identity) => createHmac("sha256", key as string).update(identity).digest("base64url");
  }
  return {
    /** Recipients as they are to be stored, as JSON: forgotten ones are replaced. */
    async replacement(recipients: readonly string[]): Promise<(json: string) => string> {
      const rows = await engine.rows("SELECT digest, person_id FROM forgotten");
      if (rows.length === 0) return (json) => json;
      const digest = await digester();
      const people = new Map(rows.map(([name, id]) => [name as string, id as number]));
      const replaced = new Map<string, string>();
      for (const json of new Set(recipients)) {
        const found = identitiesOf(JSON.parse(json)).map((one) => people.get(digest(one)))
          .find((id) => id !== undefined);
        if (found !== undefined) replaced.set(json, forgottenRecipient(found));
      }
      return (json) => replaced.get(json) ?? json;
    },
    async add(personId: number, identities: readonly string[]): Promise<void> {
      await engine.rows(
        "INSERT INTO observer_values VALUES (?, 0, ?) ON CONFLICT (name) DO NOTHING",
        [KEY, crypto.randomUUID() + crypto.randomUUID()],
      );
      const digest = await digester();
      for (const identity of identities) {
        await engine.rows(
          "INSERT INTO forgotten (digest, person_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
          [digest(identity), personId],
        );
      }
    },
  };
}
