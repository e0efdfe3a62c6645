/** What people did with watched schedules; stored even after a watch ends. */
import type { Actor } from "../../../lib/judgement/actor.ts";
import type { Engine } from "../engine.ts";
import type { Sql } from "../sql.ts";
import { insertInto, recordsOf, select } from "./table.ts";
import type { ScheduleEventKind, StoredIncident, WatchEvent } from "./types.ts";

const EVENTS = recordsOf<WatchEvent>(
  "watch_events",
  "schedule_id, incident_id, at, kind, actor, note",
);

export function watchEventsOn(engine: Engine) {
  return {
    latest: (scheduleId: number, max: number): Promise<readonly WatchEvent[]> =>
      select(engine, EVENTS, "WHERE schedule_id = ? ORDER BY key DESC LIMIT ?", [scheduleId, max]),
    /** What was done while an incident was open, or on its page; oldest first. */
    async during(
      { id, scheduleId, opened, resolved }: StoredIncident,
    ): Promise<readonly WatchEvent[]> {
      if (scheduleId === null) return [];
      const rest =
        "WHERE schedule_id = ? AND (incident_id = ? OR at >= ? AND at <= ?) ORDER BY key";
      const values = [scheduleId, id, opened, resolved ?? Number.MAX_SAFE_INTEGER];
      return await select(engine, EVENTS, rest, values);
    },
  };
}

export interface Acting {
  readonly actor: Actor;
  readonly now: number;
}

export interface WatchAction extends Acting {
  readonly scheduleId: number;
}

/** Records what somebody did; `incidentId` is the incident on whose page they did it. */
export function watchEvent(
  kind: ScheduleEventKind,
  { scheduleId, actor, now }: WatchAction,
  { note = null, incidentId = null }: Partial<Pick<WatchEvent, "note" | "incidentId">> = {},
): Sql {
  return insertInto("watch_events", { scheduleId, incidentId, at: now, kind, actor, note });
}

export function watchEventForEach(
  kind: ScheduleEventKind,
  { actor, now, note }: Acting & { readonly note: string },
  where: Sql,
): Sql {
  return {
    text: "INSERT INTO watch_events (schedule_id, at, kind, actor, note) " +
      "SELECT schedule_id, CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT) " +
      `FROM watches ${where.text} ORDER BY schedule_id`,
    values: [now, kind, JSON.stringify(actor), note, ...where.values],
  };
}
