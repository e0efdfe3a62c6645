/** Forms that were sent lately, for all instances, so that what comes twice is done once. */
import type { Database } from "../database/database.ts";
import { insert, set, sql } from "../database/sql.ts";

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
    async answer(digest: string): Promise<FormAnswer | null | undefined> {
      const [row] = await database.read<{ redirect: FormAnswer | null }>(
        sql`SELECT redirect FROM sent_forms WHERE digest = ${digest}`,
      );
      return row?.redirect;
    },
  };
}
