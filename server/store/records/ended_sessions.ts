import type { EndedSessions } from "../../auth/sessions.ts";
import type { Database } from "../database/database.ts";
import { list, sql, upsert } from "../database/sql.ts";
import { commit, write } from "./transaction_step.ts";

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
      const rows = await database.read<{ before: number }>(
        sql`SELECT before FROM ended_sessions WHERE name IN ${list(names)}`,
      );
      return Math.max(-Infinity, ...rows.map(({ before }) => before));
    },
  };
}
