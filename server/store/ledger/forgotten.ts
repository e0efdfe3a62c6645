/** Forgotten people. Only keyed digests of their user ids and addresses are stored. */
import { createHmac } from "node:crypto";
import { recipientKey, sharedUserIds } from "../../../lib/runs/recipients.ts";
import type { Recipient } from "../../../lib/types.ts";
import type { Engine } from "../engine.ts";

export const FORGOTTEN_NAME = "forgotten person";
const KEY = "key of forgotten people";

/** The recipient that replaces a forgotten one, as JSON. */
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
    /** A function that replaces forgotten ones of the recipients in these lists, which are JSON. */
    async replacement(lists: readonly (readonly string[])[]): Promise<(json: string) => string> {
      const rows = await engine.rows("SELECT digest, person_id FROM forgotten");
      if (rows.length === 0) return (json) => json;
      const digest = await digester();
      const people = new Map(rows.map(([name, id]) => [name as string, id as number]));
      const replaced = new Map<string, string>();
      const parsed = new Map(
        lists.flat().map((json): [string, Recipient] => [json, JSON.parse(json)]),
      );
      const shared = sharedUserIds(lists.map((list) => list.map((json) => parsed.get(json)!)));
      for (const [json, { emailAddress, ...recipient }] of parsed) {
        // As a user, and by the address alone.
        const found = [recipientKey(recipient, shared), recipientKey({ emailAddress })]
          .map((key) => people.get(digest(key))).find((id) => id !== undefined);
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
