/**
 * What all instances share: duties that one does for all, counters, sent forms, ended sessions, and
 * facts about the service and the records.
 */
import type { Database } from "../database/database.ts";
import { insert, name, set, sql, texts, upsert } from "../database/sql.ts";
import type { EndedSessions } from "../../auth/sessions.ts";
import { commit, readValue, write } from "./transaction_step.ts";
import { judgeAgain } from "./verdicts.ts";

/** How often something was done: polls and messages, by outcome and by outlet, if they have one. */
export interface Counter {
  readonly counted: "polls" | "messages";
  readonly outlet: string;
  readonly outcome: string;
  readonly count: number;
}

export function dutiesOn(database: Database) {
  return {
    /** Claims a duty that is due, or whose time was stored before a clock was set back. */
    async claim(name: string, now: number, next: number): Promise<boolean> {
      // Reads first, which takes no lock: usually the duty is not due.
      const due = await readValue<number | undefined>(
        database,
        sql`SELECT due FROM duties WHERE name = ${name}`,
      );
      const latest = next + (next - now);
      if (due !== undefined && due > now && due <= latest) return false;
      const { changed } = await database.write(
        sql`${upsert("duties", [{ name, due: next }], ["name"])}
          WHERE duties.due <= ${now} OR duties.due > ${latest}`,
      );
      return changed > 0;
    },
    /** Ends a claim before its time, or prolongs it. */
    async setDue(name: string, due: number): Promise<void> {
      await database.write(upsert("duties", [{ name, due }], ["name"]));
    },
  };
}

export function countersOn(database: Database) {
  return {
    list: (): Promise<readonly Counter[]> =>
      database.read(
        sql`SELECT counted, outlet, outcome, count FROM counters ORDER BY counted, outlet, outcome`,
      ),
    async add(counters: readonly Counter[]): Promise<void> {
      if (counters.length === 0) return;
      await database.write(
        sql`${insert("counters", counters)} ON CONFLICT (counted, outlet, outcome)
          DO UPDATE SET count = counters.count + excluded.count`,
      );
    },
  };
}

/** The redirect after a form. */
interface FormAnswer {
  readonly location: string;
  readonly cookies: readonly string[];
}

/** A person who sends the same again later means it. */
const REPEATED_MS = 60_000;

export function sentFormsOn(database: Database) {
  return {
    /** Takes a form on; false if it was sent before. */
    async begin(digest: string, now: number): Promise<boolean> {
      await database.write(sql`DELETE FROM sent_forms WHERE at < ${now - REPEATED_MS}`);
      const inserted = sql`${insert("sent_forms", [{ digest, at: now }])} ON CONFLICT DO NOTHING`;
      return (await database.write(inserted)).changed > 0;
    },
    async finish(digest: string, answer: FormAnswer): Promise<void> {
      await database.write(
        sql`UPDATE sent_forms SET ${set({ redirect: answer })} WHERE digest = ${digest}`,
      );
    },
    /** Lets a form be sent again, because nothing was done. */
    async giveUp(digest: string): Promise<void> {
      await database.write(sql`DELETE FROM sent_forms WHERE digest = ${digest}`);
    },
    /** The answer; null while it is being worked on, and undefined if nothing was done. */
    answer: (digest: string): Promise<FormAnswer | null | undefined> =>
      readValue(database, sql`SELECT redirect FROM sent_forms WHERE digest = ${digest}`),
  };
}

/** Sessions that ended before they expired, for all processes on the database. */
export function endedSessionsOn(database: Database): EndedSessions {
  return {
    async add({ name, before, expires }, now) {
      await commit(database, [
        write(sql`DELETE FROM ended_sessions WHERE expires < ${now}`),
        write(upsert("ended_sessions", [{ name, before, expires }], ["name"])),
      ]);
    },
    async endedBefore(names) {
      const ended = sql`SELECT max(before) FROM ended_sessions WHERE name IN ${texts(names)}`;
      return await readValue<number | null>(database, ended) ?? -Infinity;
    },
  };
}

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
