/** Facts about the service and the records themselves, which all instances share. */
import type { Database } from "../database/database.ts";
import { name, set, sql } from "../database/sql.ts";
import { judgeAgain } from "./verdicts.ts";

/** Single facts; null until they are known. */
export interface ServiceFacts {
  /** The random id of the database. */
  readonly id: string;
  /** Which service the records belong to. */
  readonly identity: string | null;
  /** The origin of the latest server; tasks use it in links. */
  readonly origin: string | null;
  /** How far the service's clock was ahead in its last answers, in milliseconds. */
  readonly clockOffsets: readonly number[] | null;
  /** The organization's own domains, with which schedules were judged last. */
  readonly inside: readonly string[] | null;
  /** Until when the service asked for no requests. */
  readonly pausedUntil: number | null;
  /** The key that signs evidence: JSON with `publicKey` and the `sealed` private key. */
  readonly evidenceKey: string | null;
  /** When the service was last checked, and since when without a longer gap; 0 for never. */
  readonly checked: number;
  readonly checkedSince: number;
  /** The same for channels, whose gap may be longer. */
  readonly channelsSince: number;
  /** When any process last stored which outlets it has. */
  readonly outletsChecked: number | null;
}

/** Facts whose first value stays, and their columns. */
const LASTING = { identity: name("identity"), evidenceKey: name("evidence_key") } as const;

export function serviceOn(database: Database) {
  const get = async (): Promise<ServiceFacts> =>
    (await database.read<ServiceFacts>(sql`SELECT * FROM service`))[0];
  return {
    get,
    /** Stores a fact that stays once it is known; returns the stored one. */
    async getOrStore(fact: keyof typeof LASTING, value: string): Promise<string> {
      const known = (await get())[fact];
      if (known !== null) return known;
      const column = LASTING[fact];
      await database.write(sql`UPDATE service SET ${column} = coalesce(${column}, ${value})`);
      return (await get())[fact]!;
    },
    /** Stores the organization's own domains, and has all watched schedules judged with them. */
    storeInside: (inside: readonly string[], now: number): Promise<void> =>
      database.transaction(async (transaction) => {
        // Others lock schedules before the service, too.
        await judgeAgain(transaction, sql`schedule_id IN (SELECT schedule_id FROM watches)`, now);
        await transaction.write(sql`UPDATE service SET ${set({ inside })}`);
      }),
    /** Replaces other facts. */
    async store(facts: Partial<Omit<ServiceFacts, "id" | "identity" | "inside">>): Promise<void> {
      await database.write(sql`UPDATE service SET ${set(facts)}`);
    },
  };
}
