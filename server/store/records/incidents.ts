/** Incidents: what is or was wrong with a schedule, or with the service. */
import type { Incident } from "../../../lib/judgement/incidents/incident.ts";
import { CODES_BY_URGENCY } from "../../../lib/judgement/headline.ts";
import { AGAIN_MS } from "../../../lib/judgement/incidents/transition.ts";
import {
  LEVELS,
  type Reason,
  type ReasonCode,
  type ReasonOf,
} from "../../../lib/judgement/reason.ts";
import type { Database } from "../database/database.ts";
import { insert, join, set, type Sql, sql, texts, when } from "../database/sql.ts";
import {
  optional,
  type Page,
  readColumn,
  readPage,
  required,
  type TransactionStep,
} from "./transaction_step.ts";

export interface StoredIncident extends Incident {
  /** Grows with each change, so that nobody overwrites an unseen change. */
  readonly version: number;
}

type Severity = Reason["severity"];

/** The states of open incidents; only `needed` ones need somebody. */
type Attention = "needed" | "acknowledged" | "muted";

function isIn(state: Attention, now: number): Sql {
  const isMuted = sql`(coalesce(muted_until, 0) > ${now} OR EXISTS (SELECT 1 FROM watches
    WHERE watches.schedule_id = incidents.schedule_id AND watches.muted_until > ${now}))`;
  if (state === "muted") return isMuted;
  const isAcknowledged = state === "needed" ? sql`IS NULL` : sql`IS NOT NULL`;
  return sql`acknowledged ${isAcknowledged} AND NOT ${isMuted}`;
}

export const IS_OPEN = sql`resolved IS NULL`;
const ranks = CODES_BY_URGENCY.map((code, rank) => sql`WHEN ${code} THEN ${rank}`);
// PostgreSQL would take the ranks as texts, and sort 10 before 2.
const URGENCY = sql`CAST(CASE code ${join(ranks, " ")} ELSE ${ranks.length} END AS integer)`;

/** The id of a schedule's later incident is the greater one. */
const NEWEST_FIRST = sql`opened DESC, schedule_id NULLS FIRST, id DESC`;

export function incidentsOn(database: Database) {
  const find = (rest: Sql): Promise<readonly StoredIncident[]> =>
    database.read(sql`SELECT * FROM incidents WHERE ${rest}`);
  const page = (conditions: readonly Sql[], order: Sql, page: Page) =>
    readPage<StoredIncident>(database, { rows: sql`incidents`, conditions, order, page });
  const isAbout = (scheduleId: number | null) =>
    scheduleId === null ? sql`schedule_id IS NULL` : sql`schedule_id = ${scheduleId}`;
  return {
    /** The first runs of the changes of a schedule that people expect. */
    async expectedLevels(scheduleId: number): Promise<readonly number[]> {
      const reasons = await readColumn<ReasonOf<typeof LEVELS[number]>>(
        database,
        sql`SELECT reason FROM incidents WHERE schedule_id = ${scheduleId}
          AND code IN ${texts(LEVELS)} AND (SELECT kind FROM events
            WHERE incident_id = incidents.id AND kind IN ('expected', 'unexpected')
            ORDER BY key DESC LIMIT 1) = 'expected'`,
      );
      return reasons.map(({ first }) => first);
    },
    /** A page of incidents, the most urgent open ones first, and how many match in all. */
    list({ scheduleId, code, severity, state, ...limits }: Page & {
      readonly scheduleId?: number;
      readonly code?: string;
      readonly severity?: Severity;
      readonly state?: "open" | "resolved";
    }) {
      const conditions = [
        ...optional(scheduleId, isAbout),
        ...optional(code, (code) => sql`code = ${code}`),
        ...optional(severity, (severity) => sql`severity = ${severity}`),
        ...optional(state, (state) => state === "open" ? IS_OPEN : sql`resolved IS NOT NULL`),
      ];
      // Resolved ones come last.
      const order = sql`CASE WHEN ${IS_OPEN} THEN ${URGENCY} END NULLS LAST, ${NEWEST_FIRST}`;
      return page(conditions, order, limits);
    },
    /** Open incidents in a state, the most urgent first, then newest first, and how many there are. */
    attention: (state: Attention, now: number, limit: number) =>
      page(
        [IS_OPEN, isIn(state, now)],
        sql`${URGENCY}, ${NEWEST_FIRST}`,
        { limit },
      ),
    get: async (id: string): Promise<StoredIncident | undefined> =>
      (await find(sql`id = ${id}`))[0],
    /** The open incidents of a schedule, or of the service for null, oldest first. */
    open: (scheduleId: number | null) =>
      find(sql`${isAbout(scheduleId)} AND resolved IS NULL ORDER BY opened, id`),
    /** The open ones, oldest first, and the resolved ones that may change yet, latest first. */
    async known(scheduleId: number | null, now: number) {
      const found = await find(
        sql`${isAbout(scheduleId)} AND (resolved IS NULL OR resolved > ${now - AGAIN_MS}
          OR reason_ended IS NULL OR notify_at IS NOT NULL) ORDER BY opened, id`,
      );
      const { open = [], recent = [] } = Object.groupBy(
        found,
        ({ resolved }) => resolved === null ? "open" : "recent",
      );
      return { open, recent: recent.sort((a, b) => b.resolved! - a.resolved!) };
    },
    /** Muted ones of which a message is due at an outlet, if polls send what differs when that ends. */
    mutedWithDue: (outlet: string, now: number) =>
      find(
        sql`id IN (SELECT incident_id FROM messages WHERE outlet = ${outlet} AND due <= ${now})
          AND ${isIn("muted", now)}
          AND (schedule_id IS NULL OR schedule_id IN (SELECT schedule_id FROM watches))`,
      ),
    /** Schedules for which the reason still holds, even if a person resolved its incident. */
    async schedulesWith(code: ReasonCode): Promise<ReadonlySet<number>> {
      const held = sql`SELECT DISTINCT schedule_id FROM incidents
        WHERE code = ${code} AND reason_ended IS NULL AND schedule_id IS NOT NULL`;
      return new Set(await readColumn<number>(database, held));
    },
    allOpen: () => find(sql`${IS_OPEN} ORDER BY opened DESC, id`),
    /** Incidents resolved since a time, with messages queued since then, oldest first. */
    resolvedSince: (since: number) =>
      find(
        sql`resolved >= ${since} AND id IN (SELECT incident_id FROM messages
          WHERE created >= ${since}) ORDER BY resolved, id`,
      ),
    /** Incidents that ended or passed since a time, as was sent. A muted end is sent when that ends. */
    overSince: (since: number) =>
      find(
        sql`said = 'over' AND notify_at IS NULL AND coalesce(resolved, notified) >= ${since}
          ORDER BY opened, id`,
      ),
    /** Unwatched schedules with open incidents; also null, for the service, if nothing is watched. */
    unwatched: (): Promise<readonly (number | null)[]> =>
      readColumn(
        database,
        sql`SELECT DISTINCT schedule_id FROM incidents WHERE resolved IS NULL AND NOT EXISTS
          (SELECT 1 FROM watches
            WHERE watches.schedule_id = coalesce(incidents.schedule_id, watches.schedule_id))`,
      ),
    /** How many are open of each cause, the most urgent first. */
    countByCode: () =>
      database.read<{ readonly code: string; readonly open: number }>(
        sql`SELECT code, count(*) AS open FROM incidents WHERE ${IS_OPEN} GROUP BY code
          ORDER BY ${URGENCY}, code`,
      ),
    async countOpen(): Promise<Readonly<Record<Severity, number>>> {
      const rows = await database.read<{ severity: Severity; open: number }>(
        sql`SELECT severity, count(*) AS open FROM incidents WHERE ${IS_OPEN} GROUP BY severity`,
      );
      const counts = { critical: 0, warning: 0, info: 0 };
      for (const { severity, open } of rows) counts[severity] = open;
      return counts;
    },
  };
}

/** Inserts an incident. Required, because another instance may have inserted it first. */
export function insertIncident(incident: StoredIncident): TransactionStep {
  return required(sql`${insert("incidents", [incident])} ON CONFLICT DO NOTHING`);
}

/** Replaces the version that was read. Required, because it may have changed meanwhile. */
export function updateIncident(incident: StoredIncident): TransactionStep {
  const { id, version } = incident;
  const next = { ...incident, version: version + 1 };
  return required(
    sql`UPDATE incidents SET ${set(next)} WHERE id = ${id} AND version = ${version} ${
      when(incident.resolved === null, IS_ALONE)
    }`,
  );
}

/** No other incident about the same is open. */
const IS_ALONE = sql`AND NOT EXISTS (SELECT 1 FROM incidents AS other
  WHERE coalesce(other.schedule_id, -1) = coalesce(incidents.schedule_id, -1)
  AND other.family = incidents.family AND other.subject = incidents.subject
  AND other.resolved IS NULL AND other.id <> incidents.id)`;
