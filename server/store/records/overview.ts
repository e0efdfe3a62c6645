/** Known schedules with their latest verdicts, for pages, messages and metrics. */
import { type Headline, HEADLINES } from "../../../lib/judgement/headline.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Database } from "../database/database.ts";
import { all, ids, join, type Sql, sql, texts } from "../database/sql.ts";
import { optional, type Page, readPage } from "./transaction_step.ts";
import type { StoredVerdict, VerdictDetails } from "./verdicts.ts";
import type { KnownSchedule } from "./watches.ts";

export interface ScheduleFilter extends Page {
  readonly among?: "watched" | "unwatched" | "known";
  readonly headline?: Headline;
  /** Part of the name, the title or the owner, or the start of the id; ignores case. */
  readonly text?: string;
  readonly owner?: string;
  readonly ids?: readonly number[];
  /** Default: by urgency. */
  readonly order?: "urgency" | "id";
}

/** A known schedule and short parts of its latest verdict, which are null before the first one. */
export interface ScheduleFigures
  extends
    Pick<KnownSchedule, "scheduleId" | "watched" | "source" | "name" | "owner" | "plans">,
    Pick<KnownSchedule, "pauses" | "mutedUntil" | "polled" | "failures">,
    Pick<StoredVerdict, "headline" | "lastSuccess" | "nextDue" | "people"> {
  readonly state: Verdict["state"] | null;
  readonly overdue: number | null;
  readonly failing: number | null;
}

/** A known schedule with its latest plan. */
export interface ScheduleOverview
  extends
    ScheduleFigures,
    Pick<StoredVerdict, "planSource">,
    Pick<KnownSchedule, "failingSince" | "failure"> {
  /** Null before the first verdict. */
  readonly details: VerdictDetails | null;
  /** The report's title, if it differs from the name. */
  readonly reportTitle: string;
  readonly strip: StoredVerdict["strip"] | null;
}

/** A watched schedule's data for the page of today; parts of its verdict are null before the first. */
export interface StoredDay extends ScheduleFigures, Pick<StoredVerdict, "planSource"> {
  readonly day: StoredVerdict["day"] | null;
  readonly reached: string | null;
}

/** What messages say about a schedule besides the reason. */
export type MessageFacts = Pick<ScheduleFigures, "name" | "owner" | "people" | "lastSuccess">;

/** `u` is there for a schedule that can't be read, though others can. */
const KNOWN = sql`known_schedules w LEFT JOIN verdicts v ON v.schedule_id = w.schedule_id
  LEFT JOIN (SELECT schedule_id FROM incidents WHERE code = 'unreadable' AND resolved IS NULL) u
    ON u.schedule_id = w.schedule_id`;
/** The name that people gave a schedule, or else its report's title. */
const NAME = sql`coalesce(nullif(w.name, ''), w.title)`;
/** One that is not watched has no incidents. */
const IS_UNREAD = sql`(u.schedule_id IS NOT NULL OR w.watched = 0 AND w.failures > 0)`;
/** What can't be read is unknown, unless something worse is known. */
const HEADLINE = sql`CASE WHEN v.headline IS NULL OR ${IS_UNREAD}
    AND v.headline NOT IN ${texts(HEADLINES.slice(0, HEADLINES.indexOf("unknown")))}
  THEN 'unknown' ELSE v.headline END`;
const STATE = sql`CASE WHEN ${IS_UNREAD} AND v.state <> 'down'
  THEN 'unknown' ELSE v.state END`;
const RANK = sql`CASE ${HEADLINE} ${
  join(HEADLINES.map((word, rank) => sql`WHEN ${word} THEN CAST(${rank} AS integer)`), " ")
} END`;
/** Open incidents by schedule, ranked like the worst headline of their severity. */
const INCIDENTS = sql`LEFT JOIN (SELECT schedule_id AS about, min(CASE severity
    WHEN 'critical' THEN 0 ELSE CAST(${HEADLINES.indexOf("missed")} AS integer) END) AS rank
  FROM incidents WHERE resolved IS NULL GROUP BY schedule_id) i ON i.about = w.schedule_id`;
/** Ids that the service has never known are last, because they are probably mistyped. */
const BY_URGENCY = sql`CASE WHEN v.state IS NULL AND w.failure_kind = 'missing' THEN 1 ELSE 0 END,
  CASE WHEN i.rank < ${RANK} THEN i.rank ELSE ${RANK} END, ${RANK},
  v.last_success DESC NULLS LAST, w.schedule_id`;

const FIGURES = sql`w.schedule_id, ${NAME} AS name, w.pauses, w.muted_until, w.polled, w.failures,
  ${HEADLINE} AS headline, v.people, w.owner, w.watched, w.source, w.plans, ${STATE} AS state,
  v.last_success, v.next_due, v.overdue, v.failing`;

export function overviewOn(database: Database) {
  /** Schedules that meet a condition, by id. */
  const find = <Row>(columns: Sql, filter: Omit<ScheduleFilter, keyof Page>) =>
    database.read<Row>(
      sql`SELECT ${columns} FROM ${KNOWN} WHERE ${isMatch(filter)} ORDER BY w.schedule_id`,
    );
  return {
    /** How many schedules have each headline. */
    async countHeadlines(among: ScheduleFilter["among"]) {
      const rows = await database.read<{ word: Headline; schedules: number }>(
        sql`SELECT ${HEADLINE} AS word, count(*) AS schedules
          FROM ${KNOWN} WHERE ${isMatch({ among })} GROUP BY word`,
      );
      const none = HEADLINES.map((word) => ({ word, schedules: 0 }));
      return Object.fromEntries(
        [...none, ...rows].map(({ word, schedules }) => [word, schedules]),
      ) as Record<Headline, number>;
    },
    async countLists() {
      const [{ known, watched }] = await database.read<{ known: number; watched: number }>(
        sql`SELECT count(*) AS known, count(CASE WHEN watched = 1 THEN 1 END) AS watched
          FROM known_schedules`,
      );
      return { known, watched, unwatched: known - watched };
    },
    /** All watched schedules, by id. */
    figures: () => find<ScheduleFigures>(FIGURES, {}),
    /** The outcomes of today's planned runs of all watched schedules, by id. */
    days: () => find<StoredDay>(sql`${FIGURES}, v.day, v.plan_source, v.reached`, {}),
    /** A page of schedules by headline or incident, worst first, then by success; unknown ids last. */
    list: ({ limit, offset, order = "urgency", ...filter }: ScheduleFilter) =>
      readPage<ScheduleOverview>(database, {
        columns: sql`${FIGURES}, w.failing_since, w.failure, v.plan_source, v.details, v.strip,
          CASE ${NAME} WHEN w.title THEN '' ELSE w.title END AS report_title`,
        rows: sql`${KNOWN} ${INCIDENTS}`,
        conditions: [isMatch(filter)],
        order: order === "id" ? sql`w.schedule_id` : BY_URGENCY,
        page: { limit, offset },
      }),
    /** Schedules by their ids; null and unknown ids are ignored. */
    async facts(
      scheduleIds: readonly (number | null)[],
    ): Promise<ReadonlyMap<number, ScheduleFigures>> {
      const ids = scheduleIds.filter((id) => id !== null);
      const found = await find<ScheduleFigures>(FIGURES, { among: "known", ids });
      return new Map(found.map((figures) => [figures.scheduleId, figures]));
    },
  };
}

function isMatch(
  { among = "watched", headline, text, owner, ids: some }: Omit<ScheduleFilter, keyof Page>,
): Sql {
  return all([
    ...among === "known" ? [] : [sql`w.watched = ${among === "watched" ? 1 : 0}`],
    ...optional(headline, (word) => sql`${HEADLINE} = ${word}`),
    ...optional(
      text,
      (text) =>
        sql`(lower(w.name || ' ' || w.title || ' ' || w.owner) LIKE ${`%${
          literal(text)
        }%`} ESCAPE '!'
        OR CAST(w.schedule_id AS text) LIKE ${`${literal(text)}%`} ESCAPE '!')`,
    ),
    ...optional(owner, (owner) => sql`lower(w.owner) LIKE ${`%${literal(owner)}%`} ESCAPE '!'`),
    ...optional(some, (some) => sql`w.schedule_id IN ${ids(some)}`),
  ]);
}

function literal(text: string): string {
  return text.toLowerCase().replace(/[!%_]/g, "!$&");
}
