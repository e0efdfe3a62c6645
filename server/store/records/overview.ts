/** Known schedules with their latest verdicts, for pages, messages and metrics. */
import type { Engine } from "../engine.ts";
import { amongIds, optionalCondition, type Sql, whereAll } from "../sql.ts";
import { type Headline, HEADLINES } from "../../../lib/judgement/headline.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import { recordsOf, type RecordSource, select } from "./table.ts";
import { NO_SCHEDULE, type StoredVerdict, type StoredWatch, type VerdictDetails } from "./types.ts";

export interface ScheduleFilter {
  readonly among?: "watched" | "unwatched" | "known";
  readonly headline?: Headline;
  /** Part of the name, the title or the owner's note, or the start of the id; ignores case. */
  readonly text?: string;
  readonly owner?: string;
  readonly ids?: readonly number[];
  readonly limit: number;
  readonly offset: number;
}

/** A known schedule and short parts of its latest verdict, which are null before the first one. */
export interface ScheduleFigures
  extends
    Pick<StoredWatch, "scheduleId" | "watched" | "source" | "name" | "note" | "plan">,
    Pick<StoredWatch, "pauses" | "mutedUntil" | "polled" | "failures">,
    Pick<StoredVerdict, "headline" | "lastSuccess" | "nextDue" | "people"> {
  readonly state: Verdict["state"] | null;
  readonly overdue: number | null;
  readonly failing: number | null;
}

export interface ScheduleOverview
  extends
    ScheduleFigures,
    Pick<StoredWatch, "failingSince" | "failure">,
    Pick<StoredVerdict, "planSource"> {
  /** The report's title, if it differs from the name. */
  readonly reportTitle: string;
  /** Null before the first verdict. */
  readonly details: VerdictDetails | null;
  readonly strip: string | null;
}

/** A watched schedule's data for the page of today; parts of its verdict are null before the first. */
export interface StoredDay
  extends
    Pick<ScheduleFigures, "scheduleId" | "name" | "note" | "headline" | "people">,
    Pick<ScheduleFigures, "pauses" | "mutedUntil" | "polled"> {
  readonly day: string | null;
  readonly reached: string | null;
}

/** What messages say about a schedule besides the reason; `note` is its owner. */
export type MessageFacts = Pick<ScheduleFigures, "name" | "note" | "people" | "lastSuccess">;

export interface PlannedSchedule {
  readonly scheduleId: number;
  readonly name: string;
  readonly plan: Plan;
  readonly isConfirmed: boolean;
}

const fromTable = (table: string) =>
  `${table} w LEFT JOIN verdicts v ON v.schedule_id = w.schedule_id`;
/** Read by key: of the view `watches`, SQLite would sort all rows again for each batch. */
const WATCHED = fromTable("(SELECT * FROM known_schedules WHERE +watched = 1)");
const KNOWN = fromTable("known_schedules");
const HEADLINE = "coalesce(v.headline, 'unknown')";
/** Open incidents by schedule, ranked like the worst headline of their severity. */
const INCIDENTS = "LEFT JOIN (SELECT schedule_id AS about, " +
  `min(CASE severity WHEN 'critical' THEN 0 ELSE ${
    HEADLINES.indexOf("missed")
  } END) AS rank FROM incidents ` +
  "WHERE resolved IS NULL GROUP BY schedule_id) i ON i.about = w.schedule_id";
const RANK = `CASE ${HEADLINE} ${
  HEADLINES.map((word, rank) => `WHEN '${word}' THEN ${rank}`).join(" ")
} END`;
const SEVERITY = `CASE WHEN i.rank < ${RANK} THEN i.rank ELSE ${RANK} END`;
/** Ids that the service has never known are probably mistyped. */
const IS_UNKNOWN_ID =
  `CASE WHEN v.state IS NULL AND w.failure = '${NO_SCHEDULE}' THEN 1 ELSE 0 END`;
const ORDER = `ORDER BY ${IS_UNKNOWN_ID}, ${SEVERITY}, ${RANK}, ` +
  "v.last_success DESC NULLS LAST, w.schedule_id";

/** {@linkcode watchName} in SQL. */
const NAME = "coalesce(nullif(w.name, ''), w.title)";

const COLUMNS = "w.schedule_id, w.watched, w.source, w.note, w.plan, w.pauses, w.muted_until, " +
  "w.polled, w.failures, v.state, v.last_success, v.next_due, v.people, v.overdue, v.failing";
const EXPRESSIONS = { name: NAME, headline: HEADLINE };
const FIGURES = recordsOf<ScheduleFigures>(WATCHED, COLUMNS, EXPRESSIONS);
const DAYS = recordsOf<StoredDay>(
  WATCHED,
  "w.schedule_id, w.note, w.pauses, w.muted_until, w.polled, v.people, v.day, v.reached",
  EXPRESSIONS,
);
const PLANS = recordsOf<ScheduleFigures & { readonly details: VerdictDetails | null }>(
  WATCHED,
  COLUMNS,
  { ...EXPRESSIONS, details: "CASE WHEN w.plan IS NULL THEN v.details END" },
);
const FIGURES_BATCH = 500;
const VERDICTS_BATCH = 50;

export function overviewOn(engine: Engine) {
  /** Schedules by their ids; null and unknown ids are ignored. */
  async function facts(scheduleIds: readonly (number | null)[]) {
    const among = amongIds("w.schedule_id", scheduleIds.filter((id) => id !== null));
    const found = await select(engine, { ...FIGURES, from: KNOWN }, `WHERE ${among}`);
    return new Map(found.map((figures) => [figures.scheduleId, figures]));
  }
  return {
    /** How many schedules have each headline, and how many of them a critical incident. */
    async countHeadlines(among: ScheduleFilter["among"] = "watched") {
      const { text: where, values } = conditionsOf({ among });
      const text = `SELECT ${HEADLINE}, count(*), count(CASE WHEN i.rank = 0 THEN 1 END) ` +
        `FROM ${KNOWN} ${INCIDENTS} ${where} GROUP BY 1`;
      const rows = await engine.rows(text, values) as [Headline, number, number][];
      const none = HEADLINES.map((word) => [word, 0, 0] as const);
      return Object.fromEntries(
        [...none, ...rows].map(([word, schedules, critical]) => [word, { schedules, critical }]),
      ) as Record<Headline, { readonly schedules: number; readonly critical: number }>;
    },
    /** All watched schedules, by id, in batches. */
    figures: () => everyRow(engine, FIGURES),
    known: () => everyRow(engine, { ...FIGURES, from: KNOWN }),
    /** The outcomes of today's planned runs of all watched schedules, by id, in batches. */
    days: () => everyRow(engine, DAYS),
    async *plans(): AsyncGenerator<readonly PlannedSchedule[]> {
      for await (const rows of everyRow(engine, PLANS, VERDICTS_BATCH)) {
        yield rows.flatMap(({ scheduleId, name, plan: confirmed, details }) => {
          const plan = confirmed ?? details?.plan;
          return plan ? [{ scheduleId, name, plan, isConfirmed: confirmed !== null }] : [];
        });
      }
    },
    /** A page of schedules by headline or incident, worst first, then by success; unknown ids last. */
    async list(filter: ScheduleFilter) {
      const { text: where, values } = conditionsOf(filter);
      const [[total]] = await engine.rows(`SELECT count(*) FROM ${KNOWN} ${where}`, values);
      // Only ids are sorted; the page's verdicts are joined afterwards.
      const page =
        `(SELECT w.schedule_id AS page_id FROM ${KNOWN} ${INCIDENTS} ${where} ${ORDER} ` +
        "LIMIT ? OFFSET ?) page JOIN known_schedules w ON w.schedule_id = page_id " +
        "LEFT JOIN verdicts v ON v.schedule_id = page_id";
      const found = recordsOf<ScheduleOverview>(
        page,
        `${COLUMNS}, w.statuses, w.failing_since, w.failure, v.plan_source, v.details, v.strip`,
        { ...EXPRESSIONS, reportTitle: `CASE ${NAME} WHEN w.title THEN '' ELSE w.title END` },
      );
      const rest = `${INCIDENTS} ${ORDER}`;
      const items = await select(engine, found, rest, [...values, filter.limit, filter.offset]);
      return { items, total: total as number };
    },
    names: async (scheduleIds: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> =>
      new Map([...await facts(scheduleIds)].map(([id, { name }]) => [id, name])),
    facts,
  };
}

async function* everyRow<Row extends { readonly scheduleId: number }>(
  engine: Engine,
  source: RecordSource<Row>,
  batch = FIGURES_BATCH,
): AsyncGenerator<readonly Row[]> {
  const rest = "WHERE w.schedule_id > ? ORDER BY w.schedule_id LIMIT ?";
  for (let after = -1;;) {
    const rows = await select(engine, source, rest, [after, batch]);
    if (rows.length > 0) yield rows;
    if (rows.length < batch) return;
    after = rows.at(-1)!.scheduleId;
  }
}

function conditionsOf(
  { among = "watched", headline, text, owner, ids }: Partial<ScheduleFilter>,
): Sql {
  const containsText = text !== undefined && {
    text: "(lower(w.name || ' ' || w.title || ' ' || w.note) LIKE ? ESCAPE '!' " +
      "OR CAST(w.schedule_id AS TEXT) LIKE ? ESCAPE '!')",
    values: [`%${literal(text)}%`, `${literal(text)}%`],
  };
  const ownerPattern = owner === undefined ? undefined : `%${literal(owner)}%`;
  return whereAll([
    ...optionalCondition("w.watched = ?", { watched: 1, unwatched: 0, known: undefined }[among]),
    ...optionalCondition(`${HEADLINE} = ?`, headline),
    ...containsText ? [containsText] : [],
    ...optionalCondition("lower(w.note) LIKE ? ESCAPE '!'", ownerPattern),
    ...ids ? [{ text: amongIds("w.schedule_id", ids), values: [] }] : [],
  ]);
}

function literal(text: string): string {
  return text.toLowerCase().replace(/[!%_]/g, "!$&");
}
