/** What happened to incidents, and what people did with schedules; stays when a watch ends. */
import type { Actor } from "../../../lib/actor.ts";
import type { Database } from "../database/database.ts";
import { insert, type Sql, sql, texts, when } from "../database/sql.ts";
import type { StoredIncident } from "./incidents.ts";
import { type TransactionStep, write } from "./transaction_step.ts";

export type ScheduleEventKind =
  | "watched"
  | "no longer watched"
  | "watch changed"
  | "plan confirmed"
  | "plan left to Docket"
  | "schedule muted"
  | "schedule unmuted"
  | "no runs expected"
  | "runs expected again";

type IncidentEventKind =
  | "opened"
  | "grew"
  | "passed"
  | "reopened"
  | "severity"
  | "notified"
  | "acknowledged"
  | "unacknowledged"
  | "muted"
  | "unmuted"
  | "resolved"
  | "noted"
  | "expected"
  | "unexpected"
  | ScheduleEventKind;

export interface WatchEvent {
  readonly scheduleId: number;
  /** The incident on whose page it was done; null if it was done elsewhere. */
  readonly incidentId: string | null;
  readonly at: number;
  readonly kind: ScheduleEventKind;
  readonly actor: Actor;
  readonly note: string | null;
}

interface StoredIncidentEvent extends Pick<WatchEvent, "at" | "note"> {
  readonly incidentId: string;
  readonly kind: IncidentEventKind;
  readonly actor: Actor | null;
}

export interface Acting {
  readonly actor: Actor;
  readonly now: number;
}

export interface WatchAction extends Acting {
  readonly scheduleId: number;
}

export function eventsOn(database: Database) {
  const ofSchedule = (rest: Sql): Promise<readonly WatchEvent[]> =>
    database.read(
      sql`SELECT schedule_id, incident_id, at, kind, actor, note FROM events WHERE ${rest}`,
    );
  return {
    /** The latest that people did with a schedule, or of that what is of these kinds; newest first. */
    latest: (
      scheduleId: number,
      max: number,
      kinds: readonly ScheduleEventKind[] = [],
    ): Promise<readonly WatchEvent[]> =>
      ofSchedule(
        sql`schedule_id = ${scheduleId} ${
          when(kinds.length > 0, sql`AND kind IN ${texts(kinds)}`)
        } ORDER BY key DESC LIMIT ${max}`,
      ),
    /** What people did with its schedule while an incident was open, or on its page; oldest first. */
    during({ id, scheduleId, opened, resolved }: StoredIncident): Promise<readonly WatchEvent[]> {
      const until = resolved ?? Number.MAX_SAFE_INTEGER;
      return ofSchedule(sql`schedule_id = ${scheduleId}
        AND (incident_id = ${id} OR at >= ${opened} AND at <= ${until}) ORDER BY key`);
    },
    /** What happened to an incident, oldest first. */
    timeline: (incidentId: string): Promise<readonly StoredIncidentEvent[]> =>
      database.read(
        sql`SELECT incident_id, at, kind, actor, note FROM events
          WHERE incident_id = ${incidentId} AND schedule_id IS NULL ORDER BY key`,
      ),
  };
}

export function incidentEvent(event: StoredIncidentEvent): TransactionStep {
  return write(insert("events", [event]));
}

/** Records what somebody did; `incidentId` is the incident on whose page they did it. */
export function watchEvent(
  kind: ScheduleEventKind,
  { scheduleId, actor, now }: WatchAction,
  { note = null, incidentId = null }: Partial<Pick<WatchEvent, "note" | "incidentId">> = {},
): TransactionStep {
  return write(insert("events", [{ scheduleId, incidentId, at: now, kind, actor, note }]));
}

/** Records that somebody changed each schedule that meets a condition, by default watched ones alone. */
export function eachWatchChanged(
  { actor, now, note }: Acting & { readonly note: string },
  condition: Sql,
  among = sql`watches`,
): TransactionStep {
  return write(
    sql`INSERT INTO events (schedule_id, at, kind, actor, note)
      SELECT schedule_id, CAST(${now} AS bigint), 'watch changed',
        CAST(${JSON.stringify(actor)} AS text), CAST(${note} AS text)
      FROM ${among} WHERE ${condition} ORDER BY schedule_id`,
  );
}
