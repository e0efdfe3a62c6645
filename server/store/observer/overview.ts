/** Watched schedules with their latest verdicts, for today's page and the metrics. */
import { columnsOf } from "./table.ts";
import type { Engine } from "../engine.ts";
import { inPieces } from "../ledger/pieces.ts";
import { amongIds, given, placeholders, type Sql, whereAll } from "../sql.ts";
import { type Headline, HEADLINES } from "../../../lib/judgement/headline.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import type { SqlRow } from "../stored_rows.ts";
import { NO_SCHEDULE, type StoredVerdict, type StoredWatch, type VerdictDetails } from "./types.ts";

/** How many schedules have a headline, and how many of them have an open critical incident. */
export interface HeadlineCount {
  readonly schedules: number;
  readonly critical: number;
}

export interface ScheduleFilter {
  /** Which schedules. Default: the watched ones. */
  readonly among?: "watched" | "unwatched" | "known";
  readonly headline?: Headline;
  /** Part of the name, the title or the owner's note, or the start of the id; ignores case. */
  readonly text?: string;
  /** Part of the owner's note; ignores case. */
  readonly owner?: string;
  /** Only these schedules. */
  readonly ids?: readonly number[];
  readonly limit: number;
  readonly offset: number;
}

/** A known schedule with its latest verdict; times are milliseconds since 1970. */
export interface ScheduleOverview
  extends
    Pick<StoredWatch, "scheduleId" | "watched" | "source" | "name" | "note" | "statuses">,
    Pick<StoredWatch, "failingSince" | "failure" | "pauses" | "mutedUntil">,
    Pick<StoredVerdict, "headline" | "lastSuccess" | "nextDue" | "planSource" | "people"> {
  /** The report's title, if it differs from the name. */
  readonly reportTitle: string;
  /** Without a verdict: unknown, and null for what else is its own. */
  readonly state: Verdict["state"];
  readonly judged: number | null;
  readonly details: VerdictDetails | null;
  readonly strip: string | null;
}

/** What today's page counts of a watched schedule; see {@linkcode StoredVerdict}. */
export interface StoredDay
  extends
    Pick<ScheduleOverview, "scheduleId" | "name" | "note" | "headline" | "people">,
    Pick<StoredWatch, "pauses" | "mutedUntil" | "polled"> {
  /** Null before the first verdict. */
  readonly day: string | null;
  readonly reached: string | null;
}

/** The figures of a watched schedule; null before its first verdict or poll. */
export interface ScheduleFigures
  extends
    Pick<ScheduleOverview, "scheduleId" | "headline" | "lastSuccess" | "nextDue">,
    Pick<StoredWatch, "polled" | "failures"> {
  readonly state: Verdict["state"] | null;
  readonly overdue: number | null;
  readonly failing: number | null;
  /** 1 if somebody confirmed its plan, else 0. */
  readonly isConfirmed: number;
}

/** What messages about a schedule say besides the reason, and its owner. */
export interface MessageFacts {
  readonly name: string;
  /** Its owner's name; empty if it has none. */
  readonly owner: string;
  /** How many people received the last good run, and when it started; null if that is unknown. */
  readonly people: number | null;
  readonly lastSuccess: number | null;
}

/** A watched schedule with the plan by which it is judged. */
export interface PlannedSchedule {
  readonly scheduleId: number;
  readonly name: string;
  readonly plan: Plan;
  readonly isConfirmed: boolean;
}

const FROM = "FROM watches w LEFT JOIN verdicts v ON v.schedule_id = w.schedule_id";
const FROM_KNOWN = FROM.replace("watches", "known_schedules");
const HEADLINE = "coalesce(v.headline, 'unknown')";
/** Open incidents by schedule. They rank like the worst headline of their severity. */
const INCIDENTS = "LEFT JOIN (SELECT schedule_id AS about, " +
  `min(CASE severity WHEN 'critical' THEN 0 ELSE ${
    HEADLINES.indexOf("missed")
  } END) AS rank FROM incidents ` +
  "WHERE resolved IS NULL GROUP BY schedule_id) i ON i.about = w.schedule_id";
const RANK = `CASE ${HEADLINE} ${
  HEADLINES.map((word, rank) => `WHEN '${word}' THEN ${rank}`).join(" ")
} END`;
const SEVERITY = `CASE WHEN i.rank < ${RANK} THEN i.rank ELSE ${RANK} END`;
/** An id that the service has never known, probably mistyped. */
const IS_UNKNOWN_ID =
  `CASE WHEN v.state IS NULL AND w.failure = '${NO_SCHEDULE}' THEN 1 ELSE 0 END`;
const ORDER = `ORDER BY ${IS_UNKNOWN_ID}, ${SEVERITY}, ${RANK}, ` +
  "v.last_success DESC NULLS LAST, w.schedule_id";

/** As {@linkcode watchName}. */
const NAME = "coalesce(nullif(w.name, ''), w.title)";
const REPORT_TITLE = `CASE ${NAME} WHEN w.title THEN '' ELSE w.title END`;

/** A known schedule for the list of all; times are milliseconds since 1970. */
export interface KnownSchedule extends
  Pick<
    ScheduleOverview,
    "scheduleId" | "watched" | "source" | "name" | "note" | "headline" | "lastSuccess" | "nextDue"
  > {
  /** The confirmed plan; null if there is none. */
  readonly plan: Plan | null;
}

const KNOWN = columnsOf<KnownSchedule>({
  scheduleId: "w.schedule_id",
  watched: "w.watched",
  source: "w.source",
  name: NAME,
  note: "w.note",
  plan: "w.plan",
  headline: HEADLINE,
  lastSuccess: "v.last_success",
  nextDue: "v.next_due",
}, ["plan"]);
const FIGURES = columnsOf<ScheduleFigures>({
  scheduleId: "w.schedule_id",
  state: "v.state",
  headline: HEADLINE,
  lastSuccess: "v.last_success",
  nextDue: "v.next_due",
  overdue: "v.overdue",
  failing: "v.failing",
  isConfirmed: "CASE WHEN w.plan IS NULL THEN 0 ELSE 1 END",
  polled: "w.polled",
  failures: "w.failures",
});
const SCHEDULES = columnsOf<ScheduleOverview>({
  scheduleId: "w.schedule_id",
  watched: "w.watched",
  source: "w.source",
  name: NAME,
  reportTitle: REPORT_TITLE,
  note: "w.note",
  statuses: "w.statuses",
  failingSince: "w.failing_since",
  failure: "w.failure",
  state: "coalesce(v.state, 'unknown')",
  headline: HEADLINE,
  judged: "v.judged",
  lastSuccess: "v.last_success",
  nextDue: "v.next_due",
  planSource: "v.plan_source",
  details: "v.details",
  pauses: "w.pauses",
  mutedUntil: "w.muted_until",
  strip: "v.strip",
  people: "v.people",
}, ["statuses", "details", "pauses"]);
const DAYS = columnsOf<StoredDay>({
  scheduleId: "w.schedule_id",
  name: NAME,
  note: "w.note",
  headline: HEADLINE,
  people: "v.people",
  pauses: "w.pauses",
  mutedUntil: "w.muted_until",
  polled: "w.polled",
  day: "v.day",
  reached: "v.reached",
}, ["pauses"]);
const FACTS = columnsOf<MessageFacts>({
  name: NAME,
  owner: "w.note",
  people: "v.people",
  lastSuccess: "v.last_success",
});
/** How many rows are read at a time, without and with their verdicts. */
const FIGURES_AT_ONCE = 500;
const VERDICTS_AT_ONCE = 50;

export type Overview = ReturnType<typeof overviewOn>;

export function overviewOn(engine: Engine) {
  return {
    /** How many schedules have each headline; see {@linkcode ScheduleFilter.among}. */
    async countHeadlines(
      among: ScheduleFilter["among"] = "watched",
      ids?: readonly number[],
    ): Promise<Readonly<Record<Headline, HeadlineCount>>> {
      const { text: where, values } = conditionsOf({ among, ids });
      const text = `SELECT ${HEADLINE}, count(*), count(CASE WHEN i.rank = 0 THEN 1 END) ` +
        `${FROM_KNOWN} ${INCIDENTS} ${where} GROUP BY 1`;
      const counts = new Map((await engine.rows(text, values)).map((
        [word, schedules, critical],
      ) => [word, { schedules, critical } as HeadlineCount]));
      return Object.fromEntries(
        HEADLINES.map((word) => [word, counts.get(word) ?? { schedules: 0, critical: 0 }]),
      ) as Record<Headline, HeadlineCount>;
    },
    /** The ids of all known schedules. */
    async ids(): Promise<readonly number[]> {
      const rows = await engine.rows(
        "SELECT schedule_id FROM known_schedules ORDER BY schedule_id",
      );
      return rows.map(([id]) => id as number);
    },
    /** The figures of every watched schedule, by id, in pieces. */
    async *figures() {
      for await (const rows of everyRow(engine, FIGURES.columns, FIGURES_AT_ONCE)) {
        yield rows.map(FIGURES.fromRow);
      }
    },
    /** Every known schedule, by id, in pieces. */
    async *known() {
      for await (const rows of everyRow(engine, KNOWN.columns, FIGURES_AT_ONCE, FROM_KNOWN)) {
        yield rows.map(KNOWN.fromRow);
      }
    },
    /** The outcomes of today's planned runs of every watched schedule, by id, in pieces. */
    async *days() {
      for await (const rows of everyRow(engine, DAYS.columns, FIGURES_AT_ONCE)) {
        yield rows.map(DAYS.fromRow);
      }
    },
    /** Every watched schedule that has a plan, by id, in pieces. */
    async *plans() {
      const columns = `w.schedule_id, ${NAME}, w.plan, CASE WHEN w.plan IS NULL THEN v.details END`;
      for await (const rows of everyRow(engine, columns, VERDICTS_AT_ONCE)) {
        yield rows.map(toPlanned).filter((planned) => planned !== null);
      }
    },
    /**
     * A page of schedules: the worst headline or incident first, then the latest success. Ids that
     * the service has never known are last.
     */
    async list(filter: ScheduleFilter) {
      const { text: where, values } = conditionsOf(filter);
      const [[total]] = await engine.rows(`SELECT count(*) ${FROM_KNOWN} ${where}`, values);
      // Only ids are sorted; the page's verdicts are joined afterwards.
      const text = `SELECT ${SCHEDULES.columns} FROM (` +
        `SELECT w.schedule_id AS page_id ${FROM_KNOWN} ${INCIDENTS} ${where} ${ORDER} LIMIT ? OFFSET ?` +
        ") page JOIN known_schedules w ON w.schedule_id = page_id " +
        `LEFT JOIN verdicts v ON v.schedule_id = page_id ${INCIDENTS} ${ORDER}`;
      const rows = await engine.rows(text, [...values, filter.limit, filter.offset]);
      return { items: rows.map(SCHEDULES.fromRow), total: total as number };
    },
    /** The names of those of these schedules that are watched; null is ignored. */
    async names(scheduleIds: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> {
      const ids = [...new Set(scheduleIds)].filter((id) => id !== null);
      if (ids.length === 0) return new Map();
      const text = `SELECT schedule_id, ${NAME} FROM watches w WHERE schedule_id IN (${
        placeholders(ids)
      })`;
      const rows = await engine.rows(text, ids);
      return new Map(rows as readonly [number, string][]);
    },
    /** What messages say of schedules that are known; null is ignored. */
    async facts(
      scheduleIds: readonly (number | null)[],
    ): Promise<ReadonlyMap<number, MessageFacts>> {
      const facts = new Map<number, MessageFacts>();
      const ids = [...new Set(scheduleIds)].filter((id) => id !== null);
      for (const piece of inPieces(ids)) {
        const text = `SELECT w.schedule_id, ${FACTS.columns} ${FROM_KNOWN} ` +
          `WHERE w.schedule_id IN (${placeholders(piece)})`;
        for (const [id, ...row] of await engine.rows(text, piece)) {
          facts.set(id as number, FACTS.fromRow(row));
        }
      }
      return facts;
    },
  };
}

/** Columns of all watched or known schedules, by id, in pieces. The first column is the id. */
async function* everyRow(
  engine: Engine,
  columns: string,
  most: number,
  from = FROM,
): AsyncGenerator<readonly SqlRow[]> {
  const text = `SELECT ${columns} ${from} WHERE w.schedule_id > ? ORDER BY w.schedule_id LIMIT ?`;
  for (let after = -1;;) {
    const rows = await engine.rows(text, [after, most]);
    if (rows.length > 0) yield rows;
    if (rows.length < most) return;
    after = rows.at(-1)![0] as number;
  }
}

function conditionsOf(
  { among = "watched", headline, text, owner, ids }: Partial<ScheduleFilter>,
): Sql {
  const found = text !== undefined && {
    text: "(lower(w.name || ' ' || w.title || ' ' || w.note) LIKE ? ESCAPE '!' " +
      "OR CAST(w.schedule_id AS TEXT) LIKE ? ESCAPE '!')",
    values: [`%${literal(text)}%`, `${literal(text)}%`],
  };
  const noted = owner === undefined ? undefined : `%${literal(owner)}%`;
  return whereAll([
    ...given("w.watched = ?", { watched: 1, unwatched: 0, known: undefined }[among]),
    ...given(`${HEADLINE} = ?`, headline),
    ...found ? [found] : [],
    ...given("lower(w.note) LIKE ? ESCAPE '!'", noted),
    ...ids ? [amongIds("w.schedule_id", ids)] : [],
  ]);
}

/** Escapes a text for a LIKE pattern. */
function literal(text: string): string {
  return text.toLowerCase().replace(/[!%_]/g, "!$&");
}

function toPlanned([scheduleId, name, confirmed, verdict]: SqlRow): PlannedSchedule | null {
  const { plan } = confirmed !== null
    ? { plan: JSON.parse(confirmed as string) as Plan }
    : verdict !== null
    ? JSON.parse(verdict as string) as VerdictDetails
    : { plan: null };
  return plan && {
    scheduleId: scheduleId as number,
    name: name as string,
    plan,
    isConfirmed: confirmed !== null,
  };
}
