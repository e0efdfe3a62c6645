/** Incidents and their timelines. */
import { AGAIN_MS } from "../../../lib/judgement/incidents/transition.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { optionalCondition, type Sql } from "../sql.ts";
import { insertInto, recordsOf, select, selectPage, update } from "./table.ts";
import type { Severity, StoredIncident, StoredIncidentEvent } from "./types.ts";

const INCIDENTS = recordsOf<StoredIncident>(
  "incidents",
  "id, version, schedule_id, subject, family, code, severity, reason, since, opened, resolved, " +
    "resolved_by, reason_ended, ending, acknowledged, acknowledged_by, muted_until, notify_at, " +
    "said, notified",
);
const EVENTS = recordsOf<StoredIncidentEvent>(
  "incident_events",
  "incident_id, at, kind, actor, note",
);

/** The states of open incidents; only `needed` ones need somebody. */
export type Attention = "needed" | "acknowledged" | "muted";

const IS_MUTED = "(coalesce(muted_until, 0) > ? OR EXISTS (SELECT 1 FROM watches " +
  "WHERE watches.schedule_id = incidents.schedule_id AND watches.muted_until > ?))";
const ATTENTION: Readonly<Record<Attention, string>> = {
  needed: `acknowledged IS NULL AND NOT ${IS_MUTED}`,
  acknowledged: `acknowledged IS NOT NULL AND NOT ${IS_MUTED}`,
  muted: IS_MUTED,
};

/** Open incidents come first; there is an index with exactly this expression. */
const RANK = "CASE WHEN resolved IS NULL THEN 0 ELSE 1 END";
const RANKS = { open: 0, resolved: 1 };

export function incidentsOn(engine: Engine) {
  const find = (rest: string, values?: Sql["values"]) => select(engine, INCIDENTS, rest, values);
  const about = (scheduleId: number | null) =>
    scheduleId === null
      ? { text: "schedule_id IS NULL", values: [] }
      : { text: "schedule_id = ?", values: [scheduleId] };
  return {
    /** A page of incidents, open ones first, then newest first, and how many match in all. */
    list({ scheduleId, code, severity, state, ...page }: {
      readonly scheduleId?: number;
      readonly code?: string;
      readonly severity?: Severity;
      readonly state?: "open" | "resolved";
      readonly limit: number;
      readonly offset?: number;
    }) {
      const conditions = [
        ...optionalCondition("schedule_id = ?", scheduleId),
        ...optionalCondition("code = ?", code),
        ...optionalCondition("severity = ?", severity),
        ...optionalCondition(`${RANK} = ?`, state && RANKS[state]),
      ];
      return selectPage(engine, INCIDENTS, conditions, `ORDER BY ${RANK}, opened DESC, id`, page);
    },
    /** Open incidents in a state, critical ones first, then newest first, and how many there are. */
    attention(kind: Attention, now: number, limit: number) {
      const conditions = [
        { text: `${RANK} = ?`, values: [RANKS.open] },
        { text: ATTENTION[kind], values: [now, now] },
      ];
      const order = "ORDER BY CASE severity WHEN 'critical' THEN 0 ELSE 1 END, opened DESC, id";
      return selectPage(engine, INCIDENTS, conditions, order, { limit });
    },
    get: async (id: string): Promise<StoredIncident | undefined> =>
      (await find("WHERE id = ?", [id]))[0],
    open(scheduleId: number | null): Promise<readonly StoredIncident[]> {
      const { text, values } = about(scheduleId);
      return find(`WHERE ${text} AND resolved IS NULL ORDER BY opened, id`, values);
    },
    /**
     * The open incidents of a schedule, or of the service for null, oldest first; and the resolved ones
     * that may change yet, latest first.
     */
    async known(scheduleId: number | null, now: number) {
      const { text, values } = about(scheduleId);
      const found = await find(
        `WHERE ${text} AND (resolved IS NULL OR resolved > ? OR reason_ended IS NULL ` +
          "OR notify_at IS NOT NULL) ORDER BY opened, id",
        [...values, now - AGAIN_MS],
      );
      return {
        open: found.filter(({ resolved }) => resolved === null),
        recent: found.filter(({ resolved }) => resolved !== null)
          .sort((a, b) => b.resolved! - a.resolved!),
      };
    },
    /** Whether a message about the service is due. */
    async isServiceDue(now: number): Promise<boolean> {
      const text = "SELECT 1 FROM incidents WHERE schedule_id IS NULL AND notify_at <= ? LIMIT 1";
      return (await engine.rows(text, [now])).length > 0;
    },
    allOpen: () => find(`WHERE ${RANK} = ${RANKS.open} ORDER BY opened DESC, id`),
    /** Incidents resolved since a time, with deliveries made since then, oldest first. */
    resolvedSince: (since: number) =>
      find(
        "WHERE resolved >= ? AND id IN (SELECT incident_id FROM deliveries WHERE created >= ?) " +
          "ORDER BY resolved, id",
        [since, since],
      ),
    /** Incidents that ended after `since` whose start, but not whose end, an outlet sent. */
    endUnsentBy: (outlet: string, since: number) =>
      find(
        "WHERE notified IS NOT NULL AND resolved >= ? AND " +
          "id IN (SELECT incident_id FROM deliveries WHERE outlet = ?) AND NOT EXISTS (SELECT 1 " +
          "FROM deliveries WHERE outlet = ? AND incident_id = incidents.id " +
          "AND created >= incidents.resolved) ORDER BY opened, id",
        [since, outlet, outlet],
      ),
    /** Unwatched schedules with open incidents; also null, for the service, if nothing is watched. */
    async unwatched(): Promise<readonly (number | null)[]> {
      const text = "SELECT DISTINCT schedule_id FROM incidents WHERE resolved IS NULL AND NOT " +
        "EXISTS (SELECT 1 FROM watches " +
        "WHERE watches.schedule_id = coalesce(incidents.schedule_id, watches.schedule_id))";
      return (await engine.rows(text)).map(([id]) => id as number | null);
    },
    async countOpen(): Promise<Readonly<Record<Severity, number>>> {
      const text =
        "SELECT severity, count(*) FROM incidents WHERE resolved IS NULL GROUP BY severity";
      const rows = await engine.rows(text);
      return { critical: 0, warning: 0, info: 0, ...Object.fromEntries(rows) };
    },
    timeline: (id: string) => select(engine, EVENTS, "WHERE incident_id = ? ORDER BY key", [id]),
  };
}

/** Inserts an incident. Required, because another instance may have inserted it first. */
export function insertIncident(incident: StoredIncident): TransactionStep {
  const rest = "ON CONFLICT DO NOTHING RETURNING id";
  return { ...insertInto("incidents", incident, rest), required: true };
}

/** Replaces the version that was read. Required, because it may have changed meanwhile. */
export function updateIncident(incident: StoredIncident): TransactionStep {
  const { id, version } = incident;
  const alone = incident.resolved !== null
    ? ""
    : "AND NOT EXISTS (SELECT 1 FROM incidents AS other " +
      "WHERE coalesce(other.schedule_id, -1) = coalesce(incidents.schedule_id, -1) " +
      "AND other.family = incidents.family AND other.subject = incidents.subject " +
      "AND other.resolved IS NULL AND other.id <> incidents.id)";
  const rest = `WHERE id = ? AND version = ? ${alone} RETURNING id`;
  const next = { ...incident, version: version + 1 };
  return { ...update("incidents", next, rest, [id, version]), required: true };
}

export function insertEvent(event: StoredIncidentEvent): TransactionStep {
  return insertInto("incident_events", event);
}
