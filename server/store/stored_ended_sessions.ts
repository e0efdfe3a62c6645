/** Sessions that were ended before they expired, for all processes that share the database. */
import type { EndedSessions } from "../auth/sessions.ts";
import type { Engine } from "./engine.ts";
import { placeholders } from "./sql.ts";

export function endedSessionsOf(engine: Engine): EndedSessions {
  return {
    async add({ name, before, expires }, now) {
      await engine.transact([
        { text: "DELETE FROM ended_sessions WHERE expires < ?", values: [now] },
        {
          text: "INSERT INTO ended_sessions (name, before, expires) VALUES (?, ?, ?) " +
            "ON CONFLICT (name) DO UPDATE SET before = excluded.before, expires = excluded.expires",
          values: [name, before, expires],
        },
      ]);
    },

    async endedBefore(names) {
      const marks = placeholders(names);
      const text = `SELECT before FROM ended_sessions WHERE name IN (${marks})`;
      const rows = await engine.rows(text, names);
      return Math.max(-Infinity, ...rows.map(([before]) => Number(before)));
    },
  };
}
