/** Reads the current versions of a source's runs. */
import { Sql } from "../database/sql.ts";
import type { Engine, TransactionStep } from "../engine.ts";
import { type TransactionStep as Step, write } from "../records/transaction_step.ts";
import { recordsOf, select } from "../records/table.ts";
import { amongIds, placeholders } from "../sql.ts";
import { inChunks } from "./chunks.ts";
import { NO_START, type RunParts, textOf } from "./run_parts.ts";
import type { LedgerSource } from "./source.ts";
import { endVersions, versionSteps, type WatchedRun } from "./versions.ts";

export interface StoredRunText {
  readonly id: number;
  /** Milliseconds since 1970; null if the start time can't be read. */
  readonly start: number | null;
  readonly text: string;
}

const CURRENT = "source = ? AND schedule_id = ? AND until IS NULL";
const NEWEST = "ORDER BY start_time DESC, run_versions.id";

interface StoredParts extends Pick<RunParts, "id" | "status" | "runValues" | "template"> {
  readonly startTime: number;
  readonly setId: number | null;
}

const PARTS = recordsOf<StoredParts>(
  "run_versions JOIN run_templates ON run_templates.id = template_id",
  "run_versions.id, start_time, status, set_id, run_values, template",
);

export function storedRunsOn(engine: Engine, source: LedgerSource) {
  async function newestTexts(scheduleId: number, max: number, skip = 0): Promise<StoredRunText[]> {
    const rest = `WHERE ${CURRENT} ${NEWEST} LIMIT ? OFFSET ?`;
    const runs = await select(engine, PARTS, rest, [source, scheduleId, max, skip]);
    const templates = new Map(
      [...new Set(runs.map(({ template }) => template))].map((text) => [text, JSON.parse(text)]),
    );
    const recipients = await recipientsOf(engine, runs.flatMap(({ setId }) => setId ?? []));
    return runs.map(({ startTime: start, setId, template, ...run }) => ({
      id: run.id,
      start: start === NO_START ? null : start,
      text: textOf(
        { ...run, start, template: templates.get(template) },
        `[${recipients.get(setId!)?.map(([, json]) => json).join(",") ?? ""}]`,
      ),
    }));
  }
  return {
    /** The newest runs, newest first, skipping `skip` of them; those without a start are last. */
    newestTexts,
    newest: async (scheduleId: number, max: number): Promise<readonly WatchedRun[]> =>
      (await newestTexts(scheduleId, max))
        .map(({ id, start, text }) => ({ id, start, run: JSON.parse(text) })),
    /** Stores runs that were read `at` a time, and ends the versions of runs that are gone. */
    async changeSteps(
      scheduleId: number,
      { put, removed = [] }: {
        readonly put: readonly WatchedRun[];
        readonly removed?: readonly number[];
      },
      at: number,
    ): Promise<readonly Step[]> {
      const read = put.map(({ run, start }) => ({ scheduleId, run, start }));
      return [
        ...read.length > 0 ? (await versionSteps(engine, source, read, at)).steps : [],
        ...endVersions(source, scheduleId, removed, at),
      ].map(toStep);
    },
    /** Which of these runs are stored, including those that the source no longer has. */
    async known(scheduleId: number, ids: readonly number[]): Promise<readonly number[]> {
      const text = "SELECT DISTINCT id FROM run_versions WHERE source = ? AND schedule_id = ? " +
        `AND ${amongIds("id", ids)}`;
      return (await engine.rows(text, [source, scheduleId])).map(([id]) => id as number);
    },
    /** The newest runs, newest first: all since a time, but at least and at most so many. */
    async textsSince(
      scheduleId: number,
      since: number,
      { least, most }: { readonly least: number; readonly most: number },
    ): Promise<StoredRunText[]> {
      const text = `SELECT count(*) FROM run_versions WHERE ${CURRENT} AND start_time >= ?`;
      const [[count]] = await engine.rows(text, [source, scheduleId, since]) as [[number]];
      return newestTexts(scheduleId, Math.min(most, Math.max(least, count)));
    },
    /** When the first run since a time started; null if there is none. */
    async firstStart(scheduleId: number, since: number): Promise<number | null> {
      const text = `SELECT min(start_time) FROM run_versions WHERE ${CURRENT} AND start_time >= ?`;
      return (await engine.rows(text, [source, scheduleId, since]))[0][0] as number | null;
    },
    async count(scheduleId: number): Promise<number> {
      const text = `SELECT count(*) FROM run_versions WHERE ${CURRENT}`;
      return (await engine.rows(text, [source, scheduleId]))[0][0] as number;
    },
  };
}

/** A step of the ledger, whose SQL has a `?` for each value. */
function toStep({ text, values }: TransactionStep): Step {
  const parts = text.split("?").flatMap((text, at) => [
    { text },
    ...at < values.length ? [{ value: values[at] }] : [],
  ]);
  return write(new Sql(parts));
}

/** The recipients of sets as JSON, in the order of the first run that listed them. */
async function recipientsOf(engine: Engine, ids: readonly number[]) {
  const rows: [set: number, json: string][][] = [];
  for (const chunk of inChunks(new Set(ids))) {
    const text = "SELECT set_id, json FROM recipient_set_members AS members " +
      "JOIN recipients ON recipients.id = members.recipient_id " +
      `WHERE set_id IN (${placeholders(chunk)}) ORDER BY set_id, position`;
    rows.push(await engine.rows(text, chunk) as [number, string][]);
  }
  return Map.groupBy(rows.flat(), ([set]) => set);
}
