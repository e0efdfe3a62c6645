/** What all instances share: duties that one does for all, counters, sent forms, and ended sessions. */
import type { Database } from "../database/database.ts";
import { insert, set, sql, texts, upsert } from "../database/sql.ts";
import type { EndedSessions } from "../../auth/sessions.ts";
import { commit, readValue, write } from "./transaction_step.ts";

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
