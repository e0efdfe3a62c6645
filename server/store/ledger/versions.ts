/** Versions of runs: nothing that was read is overwritten, and what vanished stays stored. */
import type { Engine, TransactionStep, VersionSteps } from "../engine.ts";
import type { WatchedRun } from "../observer/types.ts";
import { placeholders } from "../sql.ts";
import { digestOf, inPieces, valuesOf } from "./pieces.ts";
import { type RecipientList, storeSets } from "./recipient_sets.ts";
import { partsOf, type RunParts } from "./run_parts.ts";
import type { LedgerSource } from "./source.ts";
import { uncount } from "./assign_people.ts";

type ReadRun = Omit<WatchedRun, "id"> & { readonly scheduleId: number };

const COLUMNS = [
  ["schedule_id", "BIGINT"],
  ["id", "BIGINT"],
  ["start_time", "BIGINT"],
  ["status", "TEXT"],
  ["report_id", "BIGINT"],
  ["set_id", "BIGINT"],
  ["rest", "TEXT"],
] as const;
const NAMES = COLUMNS.map(([name]) => name).join(", ");
const OWN_NAMES = COLUMNS.slice(2).map(([name]) => name);
const of = (table: string) => OWN_NAMES.map((name) => `${table}.${name}`).join(", ");
const SAME_RUN = "run_versions.schedule_id = given.schedule_id AND run_versions.id = given.id " +
  "AND run_versions.replaced = 0";

/** Without this, SQLite would scan all runs of the source. */
const FEW_RUNS = "run_versions.schedule_id IN (SELECT schedule_id FROM given) " +
  "AND run_versions.id IN (SELECT id FROM given)";

const ROWS_AT_ONCE = 100;

/** Stores what runs share, and returns the steps that store the runs. */
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
  const reports = await reportIds(engine, read.map(({ parts }) => parts.report));
  const lists = listsOf(read.map(({ parts }) => parts));
  const sets = await storeSets(engine, source, [...lists.values()], now);
  await engine.openMonths(read.map(({ parts }) => parts.start));
  const rows = read.map(({ scheduleId, parts }) => [
    scheduleId,
    parts.id,
    parts.start,
    parts.status,
    reports.get(parts.report)!,
    parts.recipients && sets.get(lists.get(textOfList(parts.recipients))!)!,
    parts.rest,
  ]);
  const pieces = inPieces(rows, ROWS_AT_ONCE);
  const given = (piece: typeof rows) =>
    `WITH given (${NAMES}) AS (${valuesOf(COLUMNS.map(([, type]) => type), piece.length)}) `;
  const steps = pieces.flatMap((piece): TransactionStep[] => [
    {
      // Also a run that the service lacked and has again.
      text: `${given(piece)}UPDATE run_versions SET until = coalesce(until, ?), replaced = 1 ` +
        `FROM given WHERE run_versions.source = ? AND ${SAME_RUN} AND ${FEW_RUNS} ` +
        "AND (until IS NOT NULL " +
        `OR (${of("run_versions")}) IS DISTINCT FROM (${of("given")})) RETURNING 1`,
      values: [...piece.flat(), now, source],
    },
    {
      text: `${given(piece)}INSERT INTO run_versions (source, ${NAMES}, read_at, replaced) ` +
        `SELECT CAST(? AS BIGINT), ${NAMES}, CAST(? AS BIGINT), 0 FROM given WHERE NOT EXISTS ` +
        `(SELECT 1 FROM run_versions WHERE run_versions.source = ? AND ${SAME_RUN}) RETURNING 1`,
      values: [...piece.flat(), source, now, source],
    },
  ]);
  const scheduleIds = [...new Set(read.map(({ scheduleId }) => scheduleId))];
  return {
    steps: [...steps, ...uncountSteps(source, scheduleIds)],
    written(rows) {
      const count = (first: number) =>
        pieces.reduce((sum, _, at) => sum + rows[2 * at + first].length, 0);
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
  return inPieces(ids).map((piece) => ({
    text: "UPDATE run_versions SET until = ? WHERE source = ? AND schedule_id = ? " +
      `AND until IS NULL AND id IN (${placeholders(piece)})`,
    values: [now, source, scheduleId, ...piece],
  }));
}

export function uncountSteps(
  source: LedgerSource,
  scheduleIds: readonly number[],
): TransactionStep[] {
  return inPieces([...scheduleIds].sort((a, b) => a - b)).map((piece) => ({
    text: `WITH given (id) AS (${valuesOf(["BIGINT"], piece.length)}) ` +
      uncount("SELECT CAST(? AS BIGINT), id, 1 FROM given WHERE TRUE"),
    values: [...piece, source],
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

/** The ids of what runs share, stored if it is new. */
async function reportIds(
  engine: Engine,
  reports: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const digests = new Map([...new Set(reports)].map((report) => [digestOf(report), report]));
  const ids = new Map<string, number>();
  // Always in the same order, or two instances could wait for each other's locks.
  for (const piece of inPieces([...digests].sort(), ROWS_AT_ONCE)) {
    const rows = await engine.rows(
      `INSERT INTO reports (digest, pieces) VALUES ${piece.map(() => "(?, ?)").join(", ")} ` +
        "ON CONFLICT (digest) DO UPDATE SET digest = excluded.digest RETURNING digest, id",
      piece.flat(),
    ) as [string, number][];
    for (const [digest, id] of rows) ids.set(digests.get(digest)!, id);
  }
  return ids;
}
