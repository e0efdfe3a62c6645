/** Reads the current versions of a source's runs. */
import type { Engine, TransactionStep } from "../engine.ts";
import type { WatchedRun } from "../observer/types.ts";
import { amongIds, placeholders } from "../sql.ts";
import { inPieces } from "./pieces.ts";
import { endOf, NO_START, textOf } from "./run_parts.ts";
import type { LedgerSource } from "./source.ts";
import { endVersions, versionSteps } from "./versions.ts";

export interface StoredRunText {
  readonly id: number;
  /** Milliseconds since 1970; null if that can't be read. */
  readonly start: number | null;
  readonly text: string;
}

/** A stored run without its JSON; times are milliseconds since 1970. */
export interface StoredRunTimes {
  readonly id: number;
  readonly start: number;
  readonly end: number | null;
}

const CURRENT = "source = ? AND schedule_id = ? AND until IS NULL";
const NEWEST = "ORDER BY start_time DESC, id";

type Row = [
  id: number,
  start: number,
  status: string | null,
  report: number,
  set: number | null,
  rest: string,
];

export function storedRunsOn(engine: Engine, source: LedgerSource) {
  async function newestTexts(scheduleId: number, most: number, skip = 0): Promise<StoredRunText[]> {
    const rows = await engine.rows(
      `SELECT id, start_time, status, report_id, set_id, rest FROM run_versions WHERE ${CURRENT} ` +
        `${NEWEST} LIMIT ? OFFSET ?`,
      [source, scheduleId, most, skip],
    ) as unknown as Row[];
    const reports = await reportsOf(engine, rows.map((row) => row[3]));
    const recipients = await recipientsOf(engine, rows.flatMap((row) => row[4] ?? []));
    return rows.map(([id, start, status, report, set, rest]) => ({
      id,
      start: start === NO_START ? null : start,
      text: textOf(
        { id, start, status, rest, report: reports.get(report)! },
        `[${recipients.get(set!)?.join(",") ?? ""}]`,
      ),
    }));
  }
  return {
    /** The newest runs, newest first, skipping `skip` of them; those without a start are last. */
    newestTexts,
    newest: async (scheduleId: number, most: number): Promise<readonly WatchedRun[]> =>
      (await newestTexts(scheduleId, most))
        .map(({ id, start, text }) => ({ id, start, run: JSON.parse(text) })),
    /** The steps that store runs read at a time, and end those that the service no longer has. */
    async changeSteps(
      scheduleId: number,
      { put, removed = [] }: {
        readonly put: readonly WatchedRun[];
        readonly removed?: readonly number[];
      },
      at: number,
    ): Promise<readonly TransactionStep[]> {
      const read = put.map(({ run, start }) => ({ scheduleId, run, start }));
      return [
        ...read.length > 0 ? (await versionSteps(engine, source, read, at)).steps : [],
        ...endVersions(source, scheduleId, removed, at),
      ];
    },
    /** Which of these runs are stored, including those that the source no longer has. */
    async known(scheduleId: number, ids: readonly number[]): Promise<readonly number[]> {
      const text = "SELECT DISTINCT id FROM run_versions WHERE source = ? AND schedule_id = ? " +
        `AND ${amongIds("id", ids).text}`;
      return (await engine.rows(text, [source, scheduleId])).map(([id]) => id as number);
    },
    async count(scheduleId: number): Promise<number> {
      const text = `SELECT count(*) FROM run_versions WHERE ${CURRENT}`;
      return (await engine.rows(text, [source, scheduleId]))[0][0] as number;
    },
    async times(scheduleId: number): Promise<readonly StoredRunTimes[]> {
      const rows = await engine.rows(
        `SELECT id, start_time, rest FROM run_versions WHERE ${CURRENT} ${NEWEST}`,
        [source, scheduleId],
      ) as [number, number, string][];
      return rows.map(([id, start, rest]) => ({ id, start, end: endOf(rest, start) }));
    },
  };
}

async function reportsOf(engine: Engine, ids: readonly number[]) {
  const reports = new Map<number, (string | number)[]>();
  for (const piece of inPieces(new Set(ids))) {
    const rows = await engine.rows(
      `SELECT id, pieces FROM reports WHERE id IN (${placeholders(piece)})`,
      piece,
    );
    for (const [id, pieces] of rows) reports.set(id as number, JSON.parse(pieces as string));
  }
  return reports;
}

/** The recipients of sets as JSON, in the order of the first run that listed them. */
async function recipientsOf(engine: Engine, ids: readonly number[]) {
  const recipients = new Map<number, string[]>();
  for (const piece of inPieces(new Set(ids))) {
    const rows = await engine.rows(
      "SELECT set_id, json FROM recipient_set_members AS members " +
        "JOIN recipients ON recipients.id = members.recipient_id " +
        `WHERE set_id IN (${placeholders(piece)}) ORDER BY set_id, place`,
      piece,
    ) as [number, string][];
    for (const [set, json] of rows) {
      const list = recipients.get(set);
      if (list) list.push(json);
      else recipients.set(set, [json]);
    }
  }
  return recipients;
}
