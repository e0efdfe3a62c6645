/**
 * Incidents and their timelines.
 *
 * @module
 */

import type { Engine, Step } from "../engine.ts";
import type { Row } from "../records.ts";
import type { Incident, IncidentEvent, IncidentEventKind, KeptReason, Severity } from "./types.ts";

/** Which incidents to list. */
export interface IncidentFilter {
  readonly scheduleId?: number;
  readonly code?: string;
  readonly severity?: Severity;
  /** Only open ones, or only resolved ones. */
  readonly state?: "open" | "resolved";
  readonly limit: number;
  readonly offset?: number;
}

/** The incidents of a database. */
export interface Incidents {
  /** Incidents: open ones first, then the newest; and how many match in all. */
  list(filter: IncidentFilter): Promise<{ items: readonly Incident[]; total: number }>;
  get(id: string): Promise<Incident | undefined>;
  /** The open incidents of a schedule, or of the service for null. */
  open(scheduleId: number | null): Promise<readonly Incident[]>;
  /** The incidents of a schedule, or of the service, that ended, the latest first. */
  ended(scheduleId: number | null, most: number): Promise<readonly Incident[]>;
  /** Every open incident. */
  allOpen(): Promise<readonly Incident[]>;
  /** How many are open, by severity. */
  countOpen(): Promise<Readonly<Record<Severity, number>>>;
  timeline(id: string): Promise<readonly IncidentEvent[]>;
}

const NAMES = [
  "id",
  "version",
  "schedule_id",
  "code",
  "severity",
  "reason",
  "opened",
  "seen",
  "notified",
  "acknowledged",
  "acknowledged_by",
  "muted_until",
  "resolved",
  "resolved_by",
  "reason_ended",
  "flaps",
] as const;
const COLUMNS = NAMES.join(", ");

/** The incidents in that database. */
export function incidentsOn(engine: Engine): Incidents {
  async function select(rest: string, values: readonly (string | number)[]) {
    const rows = await engine.rows({ text: `SELECT ${COLUMNS} FROM incidents ${rest}`, values });
    return rows.map(toIncident);
  }
  const about = (scheduleId: number | null) =>
    scheduleId === null
      ? { text: "schedule_id IS NULL", values: [] }
      : { text: "schedule_id = ?", values: [scheduleId] };
  return {
    async list({ scheduleId, code, severity, state, limit, offset = 0 }) {
      const parts: [string, (string | number)[]][] = [];
      if (scheduleId !== undefined) parts.push(["schedule_id = ?", [scheduleId]]);
      if (code !== undefined) parts.push(["code = ?", [code]]);
      if (severity !== undefined) parts.push(["severity = ?", [severity]]);
      if (state === "open") parts.push(["resolved IS NULL", []]);
      if (state === "resolved") parts.push(["resolved IS NOT NULL", []]);
      const where = parts.length > 0 ? `WHERE ${parts.map(([text]) => text).join(" AND ")}` : "";
      const values = parts.flatMap(([, values]) => values);
      const text = `SELECT count(*) FROM incidents ${where}`;
      const [[total]] = await engine.rows({ text, values });
      const order = "ORDER BY CASE WHEN resolved IS NULL THEN 0 ELSE 1 END, opened DESC, id";
      const items = await select(`${where} ${order} LIMIT ? OFFSET ?`, [...values, limit, offset]);
      return { items, total: total as number };
    },
    get: async (id) => (await select("WHERE id = ?", [id]))[0],
    open(scheduleId) {
      const { text, values } = about(scheduleId);
      return select(`WHERE ${text} AND resolved IS NULL ORDER BY opened, id`, values);
    },
    ended(scheduleId, most) {
      const { text, values } = about(scheduleId);
      const rest = `WHERE ${text} AND resolved IS NOT NULL ORDER BY resolved DESC, id LIMIT ?`;
      return select(rest, [...values, most]);
    },
    allOpen: () => select("WHERE resolved IS NULL ORDER BY opened DESC, id", []),
    async countOpen() {
      const text = "SELECT severity, count(*) FROM incidents WHERE resolved IS NULL " +
        "GROUP BY severity";
      const rows = await engine.rows({ text, values: [] });
      return { critical: 0, warning: 0, info: 0, ...Object.fromEntries(rows) };
    },
    async timeline(id) {
      const rows = await engine.rows({
        text: "SELECT incident_id, at, kind, person, note FROM incident_events " +
          "WHERE incident_id = ? ORDER BY key",
        values: [id],
      });
      return rows.map((row) => ({
        incidentId: row[0] as string,
        at: row[1] as number,
        kind: row[2] as IncidentEventKind,
        person: row[3] as string | null,
        note: row[4] as string | null,
      }));
    },
  };
}

/** Puts a new incident; required, because another instance may have been quicker. */
export function insertIncident(incident: Incident): Step {
  return {
    text: `INSERT INTO incidents (${COLUMNS}) VALUES (${NAMES.map(() => "?").join(", ")}) ` +
      "ON CONFLICT DO NOTHING RETURNING id",
    values: valuesOf(incident),
    required: true,
  };
}

/** Puts a changed incident in place of the one that was seen; required, as that may be gone. */
export function updateIncident(incident: Incident): Step {
  const names = NAMES.slice(1);
  const [id, version, ...rest] = valuesOf(incident);
  return {
    text: `UPDATE incidents SET ${names.map((name) => `${name} = ?`).join(", ")} ` +
      "WHERE id = ? AND version = ? RETURNING id",
    values: [incident.version + 1, ...rest, id, version],
    required: true,
  };
}

/** Adds a line to an incident's timeline. */
export function insertEvent({ incidentId, at, kind, person, note }: IncidentEvent): Step {
  return {
    text: "INSERT INTO incident_events (incident_id, at, kind, person, note) " +
      "VALUES (?, ?, ?, ?, ?)",
    values: [incidentId, at, kind, person, note],
  };
}

function valuesOf(incident: Incident): (string | number | null)[] {
  return [
    incident.id,
    incident.version,
    incident.scheduleId,
    incident.code,
    incident.severity,
    JSON.stringify(incident.reason),
    incident.opened,
    incident.seen,
    incident.notified,
    incident.acknowledged,
    incident.acknowledgedBy,
    incident.mutedUntil,
    incident.resolved,
    incident.resolvedBy,
    incident.reasonEnded,
    incident.flaps,
  ];
}

function toIncident(row: Row): Incident {
  return {
    id: row[0] as string,
    version: row[1] as number,
    scheduleId: row[2] as number | null,
    code: row[3] as string,
    severity: row[4] as Severity,
    reason: JSON.parse(row[5] as string) as KeptReason,
    opened: row[6] as number,
    seen: row[7] as number,
    notified: row[8] as number | null,
    acknowledged: row[9] as number | null,
    acknowledgedBy: row[10] as string | null,
    mutedUntil: row[11] as number | null,
    resolved: row[12] as number | null,
    resolvedBy: row[13] as string | null,
    reasonEnded: row[14] as number | null,
    flaps: row[15] as number,
  };
}
