/** Docket tokens: stored as hashes, each with a name and a role. */
import { createHash } from "node:crypto";
import { MINUTE } from "../../../lib/time_units.ts";
import type { Role } from "../../auth/role.ts";
import { DOCKET_TOKEN } from "../../config/setting_values.ts";
import type { Database } from "../database/database.ts";
import { insert, sql } from "../database/sql.ts";

/** Times are milliseconds since 1970. */
interface TokenInfo {
  readonly name: string;
  readonly role: TokenRole;
  readonly created: number;
  /** When it was last used, to the minute. */
  readonly lastUsed: number | null;
  readonly revoked: number | null;
}

type TokenRole = Exclude<Role, "user">;

export type Tokens = ReturnType<typeof tokensOn>;

export function tokensOn(database: Database) {
  return {
    /** Creates and returns a token, which can't be read again; undefined if the name is taken. */
    async add(name: string, role: TokenRole, now: Date): Promise<string | undefined> {
      const token = `${DOCKET_TOKEN}${crypto.getRandomValues(new Uint8Array(32)).toHex()}`;
      const row = { name, hash: hashToken(token), created: now.getTime(), role };
      const { changed } = await database.write(
        sql`${insert("tokens", [row])} ON CONFLICT DO NOTHING`,
      );
      return changed === 1 ? token : undefined;
    },

    list: (): Promise<readonly TokenInfo[]> =>
      database.read(sql`SELECT name, role, created, last_used, revoked FROM tokens ORDER BY name`),

    /** Revokes the token with this name; false if there is none, or it is revoked already. */
    async revoke(name: string, now: Date): Promise<boolean> {
      const { changed } = await database.write(
        sql`UPDATE tokens SET revoked = ${now.getTime()} WHERE name = ${name} AND revoked IS NULL`,
      );
      return changed === 1;
    },

    /** The name and role of a valid token, whose use is recorded; undefined for any other. */
    async find(
      token: string,
      now: Date,
    ): Promise<Pick<TokenInfo, "name" | "role"> | undefined> {
      const hash = hashToken(token);
      const [found] = await database.read<Pick<TokenInfo, "name" | "role" | "lastUsed">>(
        sql`SELECT name, role, last_used FROM tokens WHERE hash = ${hash} AND revoked IS NULL`,
      );
      if (!found) return undefined;
      const minute = Math.floor(now.getTime() / MINUTE) * MINUTE;
      const { lastUsed, ...holder } = found;
      if (lastUsed !== minute) {
        // Nobody waits for it: a long import may be writing, or the disk be full.
        database.write(sql`UPDATE tokens SET last_used = ${minute} WHERE hash = ${hash}`)
          .catch(() => {});
      }
      return holder;
    },
  };
}

/** The stored hash of a token. A token is long and random, so a plain hash is enough. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
