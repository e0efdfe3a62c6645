/** Facts about the service and the records themselves, which all instances share. */
import type { Database } from "../database/database.ts";
import { name, set, sql, upsert } from "../database/sql.ts";

/** Single facts; null until they are known. */
interface ServiceFacts {
  /** Which service the records belong to. */
  readonly identity: string | null;
  /** The origin of the latest server; tasks use it in links. */
  readonly origin: string | null;
  /** How far the service's clock was ahead in its last answers, in milliseconds; as JSON. */
  readonly clockOffsets: string | null;
  /** Until when the service asked for no requests. */
  readonly pausedUntil: number | null;
  /** The key that signs evidence: JSON with `publicKey` and the `sealed` private key. */
  readonly evidenceKey: string | null;
}

/** Facts whose first value stays, and their columns. */
const LASTING = { identity: name("identity"), evidenceKey: name("evidence_key") } as const;

export function serviceOn(database: Database) {
  async function get(): Promise<ServiceFacts> {
    const [facts] = await database.read<ServiceFacts>(
      sql`SELECT identity, origin, clock_offsets, paused_until, evidence_key FROM service`,
    );
    return facts;
  }
  return {
    get,
    /** The random id of the database. */
    async databaseId(): Promise<string> {
      return (await database.read<{ id: string }>(sql`SELECT id FROM identity`))[0].id;
    },
    /** Stores a fact that stays once it is known; returns the stored one. */
    async getOrStore(fact: keyof typeof LASTING, value: string): Promise<string> {
      const known = (await get())[fact];
      if (known !== null) return known;
      const column = LASTING[fact];
      await database.write(sql`UPDATE service SET ${column} = coalesce(${column}, ${value})`);
      return (await get())[fact]!;
    },
    async store(
      facts: Partial<Pick<ServiceFacts, "origin" | "clockOffsets" | "pausedUntil">>,
    ): Promise<void> {
      await database.write(sql`UPDATE service SET ${set(facts)}`);
    },
    /** Replaces the evidence key, unless it was replaced meanwhile. */
    async resealEvidenceKey(before: string, next: string): Promise<void> {
      await database.write(
        sql`UPDATE service SET evidence_key = ${next} WHERE evidence_key = ${before}`,
      );
    },
    /** The digests of a secret that the latest instance had, by setting; undefined for none. */
    async secretDigests(setting: string): Promise<readonly string[] | undefined> {
      const [row] = await database.read<{ digests: string }>(
        sql`SELECT digests FROM shared_secrets WHERE setting = ${setting}`,
      );
      return row && JSON.parse(row.digests);
    },
    async storeSecretDigests(setting: string, digests: readonly string[]): Promise<void> {
      await database.write(upsert("shared_secrets", [{ setting, digests }], ["setting"]));
    },
  };
}
