/** Docket tokens: stored as hashes, each with a name and a role. */
import { createHash } from "node:crypto";
import { MINUTE } from "../../lib/time_units.ts";
import type { Role } from "../auth/role.ts";
import { DOCKET_TOKEN } from "../config/setting_values.ts";
import type { Engine } from "./engine.ts";
import { recordsOf, select } from "./records/table.ts";

/** Times are milliseconds since 1970. */
interface TokenInfo {
  readonly name: string;
  readonly role: TokenRole;
  readonly created: number;
  /** When it was last used, to the minute. */
  readonly lastUsed: number | null;
  readonly revoked: number | null;
}

const TOKENS = recordsOf<TokenInfo>("tokens", "name, role, created, last_used, revoked");

export type TokenRole = Exclude<Role, "user">;

export type Tokens = ReturnType<typeof tokensOf>;

export function tokensOf(engine: Engine) {
  return {
    /** Creates and returns a token, which can't be read again; undefined if the name is taken. */
    async add(name: string, role: TokenRole, now: Date): Promise<string | undefined> {
      const token = `${DOCKET_TOKEN}${crypto.getRandomValues(new Uint8Array(32)).toHex()}`;
      const made = await engine.rows(
        "INSERT INTO tokens (name, hash, created, role) VALUES (?, ?, ?, ?) " +
          "ON CONFLICT DO NOTHING RETURNING name",
        [name, hashOf(token), now.getTime(), role],
      );
      return made.length === 1 ? token : undefined;
    },

    list: (): Promise<readonly TokenInfo[]> => select(engine, TOKENS, "ORDER BY name"),

    /** Revokes the token with this name; false if there is none, or it is revoked already. */
    async revoke(name: string, now: Date): Promise<boolean> {
      const revoked = await engine.rows(
        "UPDATE tokens SET revoked = ? WHERE name = ? AND revoked IS NULL RETURNING name",
        [now.getTime(), name],
      );
      return revoked.length === 1;
    },

    /** The name and role of a valid token, whose use is recorded; undefined for any other. */
    async find(
      token: string,
      now: Date,
    ): Promise<Pick<TokenInfo, "name" | "role"> | undefined> {
      const hash = hashOf(token);
      const [found] = await engine.rows(
        "SELECT last_used, name, role FROM tokens WHERE hash = ? AND revoked IS NULL",
        [hash],
      ) as readonly (readonly [number | null, string, TokenRole])[];
      if (!found) return undefined;
      const [lastUsed, name, role] = found;
      const minute = Math.floor(now.getTime() / MINUTE) * MINUTE;
      // At most once a minute, and without waiting for a long import.
      if (lastUsed !== minute) {
        const text = "UPDATE tokens SET last_used = ? WHERE hash = ?";
        await engine.writeIfFree({ text, values: [minute, hash] });
      }
      return { name, role };
    },
  };
}

/** The stored hash of a token. A token is long and random, so a plain hash is enough. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
