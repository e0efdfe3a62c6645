/** Versions of runs. No version is overwritten, and runs that the service no longer has stay stored. */
import type { ReportRun } from "../../../lib/types.ts";
import type { Engine, TransactionStep, VersionSteps } from "../engine.ts";
import { placeholders } from "../sql.ts";
import { digestOf, inChunks, valuesOf } from "./chunks.ts";
import { type RecipientList, storeSets } from "./recipient_sets.ts";
import { partsOf, type RunParts } from "./run_parts.ts";
import type { LedgerSource } from "./source.ts";
import { markUncounted } from "./assign_people.ts";

/** A run of a history; `start` is milliseconds since 1970, or null if it can't be read. */
export interface WatchedRun {
  readonly id: number;
  readonly start: number | null;
  readonly run: ReportRun;
}

type ReadRun = Omit<WatchedRun, "id"> & { readonly scheduleId: number };

const COLUMNS = [
  ["schedule_id", "BIGINT"],
  ["id", "BIGINT"],
  ["start_time", "BIGINT"],
  ["status", "TEXT"],
  ["template_id", "BIGINT"],
  ["set_id", "BIGINT"],
  ["run_values", "TEXT"],
] as const;
const NAMES = COLUMNS.map(([name]) => name).join(", ");
const VALUE_NAMES = COLUMNS.slice(2).map(([name]) => name);
const valuesIn = (table: string) => VALUE_NAMES.map((name) => `${table}.${name}`).join(", ");
const SAME_RUN = "run_versions.schedule_id = incoming.schedule_id " +
  "AND run_versions.id = incoming.id AND run_versions.replaced = 0";

/** Without this, SQLite would scan all runs of the source. */
const FEW_RUNS = "run_versions.schedule_id IN (SELECT schedule_id FROM incoming) " +
  "AND run_versions.id IN (SELECT id FROM incoming)";

const ROWS_PER_STATEMENT = 100;

/** Stores templates and recipient sets, and returns the steps that store the runs. */
export async function versionSteps(
  engine: Engine,
  source: LedgerSource,
  runs: readonly ReadRun[],
  now: number,
): Promise<VersionSteps> {
  const lastOfEach = new Map(runs.map((read) => [`${read.scheduleId}/${read.run.id}`, read]));
  const read = [...lastOfEach.values()].map(({ scheduleId, run, start }) => ({
    scheduleId,
    parts: partsOf(run, start),
  }));
  const templates = await templateIds(engine, read.map(({ parts }) => parts.template));
  const lists = listsOf(read.map(({ parts }) => parts));
  const sets = await storeSets(engine, source, [...lists.values()], now);
  await engine.openMonths(read.map(({ parts }) => parts.start));
  const rows = read.map(({ scheduleId, parts }) => [
    scheduleId,
    parts.id,
    parts.start,
    parts.status,
    templates.get(parts.template)!,
    parts.recipients && sets.get(lists.get(textOfList(parts.recipients))!)!,
    parts.runValues,
  ]);
  const chunks = inChunks(rows, ROWS_PER_STATEMENT);
  const withIncoming = (chunk: typeof rows) =>
    `WITH incoming (${NAMES}) AS (${valuesOf(COLUMNS.map(([, type]) => type), chunk.length)}) `;
  const steps = chunks.flatMap((chunk): TransactionStep[] => [
    {
      // Includes runs that the service had lost and has again.
      text: `${withIncoming(chunk)}UPDATE run_versions SET until = coalesce(until, ?), ` +
        `replaced = 1 FROM incoming WHERE run_versions.source = ? AND ${SAME_RUN} ` +
        `AND ${FEW_RUNS} AND (until IS NOT NULL ` +
        `OR (${valuesIn("run_versions")}) IS DISTINCT FROM (${valuesIn("incoming")})) RETURNING 1`,
      values: [...chunk.flat(), now, source],
    },
    {
      text:
        `${withIncoming(chunk)}INSERT INTO run_versions (source, ${NAMES}, read_at, replaced) ` +
        `SELECT CAST(? AS BIGINT), ${NAMES}, CAST(? AS BIGINT), 0 FROM incoming WHERE NOT EXISTS ` +
        `(SELECT 1 FROM run_versions WHERE run_versions.source = ? AND ${SAME_RUN}) RETURNING 1`,
      values: [...chunk.flat(), source, now, source],
    },
  ]);
  const scheduleIds = [...new Set(read.map(({ scheduleId }) => scheduleId))];
  return {
    steps: [...steps, ...markUncountedSteps(source, scheduleIds)],
    written(rows) {
      const count = (first: number) =>
        chunks.reduce((sum, _, at) => sum + rows[2 * at + first].length, 0);
      const changed = count(0);
      return { added: count(1) - changed, changed };
    },
  };
}

export function endVersions(
  source: LedgerSource,
  scheduleId: number,
  ids: readonly number[],
  now: number,
): TransactionStep[] {
  return inChunks(ids).map((chunk) => ({
    text: "UPDATE run_versions SET until = ? WHERE source = ? AND schedule_id = ? " +
      `AND until IS NULL AND id IN (${placeholders(chunk)})`,
    values: [now, source, scheduleId, ...chunk],
  }));
}

export function markUncountedSteps(
  source: LedgerSource,
  scheduleIds: readonly number[],
): TransactionStep[] {
  return inChunks([...scheduleIds].sort((a, b) => a - b)).map((chunk) => ({
    text: `WITH changed (id) AS (${valuesOf(["BIGINT"], chunk.length)}) ` +
      markUncounted("SELECT CAST(? AS BIGINT), id, 1 FROM changed WHERE TRUE"),
    values: [...chunk, source],
  }));
}

function listsOf(parts: readonly RunParts[]): Map<string, RecipientList> {
  return new Map(
    parts.flatMap(({ recipients }) => recipients ? [[textOfList(recipients), recipients]] : []),
  );
}

function textOfList(list: RecipientList): string {
  return list.join(",");
}

async function templateIds(
  engine: Engine,
  templates: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const digests = new Map([...new Set(templates)].map((each) => [digestOf(each), each]));
  const ids = new Map<string, number>();
  // In a fixed order, because two instances could otherwise wait for each other's locks.
  for (const chunk of inChunks([...digests].sort(), ROWS_PER_STATEMENT)) {
    const rows = await engine.rows(
      `INSERT INTO run_templates (digest, template) VALUES ${
        chunk.map(() => "(?, ?)").join(", ")
      } ` +
        "ON CONFLICT (digest) DO UPDATE SET digest = excluded.digest RETURNING digest, id",
      chunk.flat(),
    ) as [string, number][];
    for (const [digest, id] of rows) ids.set(digests.get(digest)!, id);
  }
  return ids;
}
