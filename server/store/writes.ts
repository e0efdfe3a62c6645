/** Writes rows with statements that work on both engines. */
import { newVersion } from "./data_version.ts";
import type { Engine, TransactionStep } from "./engine.ts";
import { inChunks } from "./ledger/chunks.ts";
import { upsert } from "./records/table.ts";
import type { Value } from "./search/plan.ts";
import { amongIds, placeholders } from "./sql.ts";
import { FILE_SET_COLUMNS, fileSetValues } from "./stored_rows.ts";

/** The tables with the service's data, and with what was read or derived from it. */
const CLEARED_TABLES = [
  "file_sets",
  "schedules",
  "metadata",
  "verdicts",
  "run_versions",
  "receipts",
  "uncounted_schedules",
  "seen_statuses",
  "recipient_set_members",
  "recipient_sets",
  "recipients",
  "shared_user_ids",
  "people",
  "run_templates",
  "recipient_decisions",
];

export interface WriteDialect {
  readonly rowsPerStatement: number;
  /** Statements after file sets are put, to update an index; a JSON list of their ids is bound. */
  readonly afterFileSets: readonly string[];
  emptyTables(tables: readonly string[]): readonly string[];
}

export function writesBy(
  dialect: WriteDialect,
  transact: Engine["transact"],
): Pick<Engine, "put" | "clear"> {
  return {
    async put({ fileSets = [], schedules = [], versions, metadata = {} }) {
      const rowValues = fileSets.map(fileSetValues);
      const ids = fileSets.map(({ id }) => id);
      const before = inChunks(ids).map((chunk): TransactionStep => ({
        text: `SELECT id, json FROM file_sets WHERE id IN (${placeholders(chunk)})`,
        values: chunk,
      }));
      const sets = [
        ...before,
        ...inChunks(rowValues, dialect.rowsPerStatement).map(upsertFileSets),
        ...(schedules.length > 0 ? scheduleSteps(schedules) : []),
      ];
      const rows = await transact([
        ...sets,
        ...versions?.steps ?? [],
        ...Object.entries(metadata).map(([name, value]) => metadataStep(name, value)),
        ...(ids.length > 0 ? changedSteps(ids, dialect) : []),
        ...(versions ? [newVersion("runs")] : []),
      ]);
      const previous = new Map(rows!.slice(0, before.length).flat() as [string, string][]);
      const changed = rowValues.filter(([id, ...rest]) =>
        previous.has(id as string) && previous.get(id as string) !== rest.at(-1)
      );
      const runs = versions?.written(rows!.slice(sets.length)) ?? { added: 0, changed: 0 };
      return {
        added: runs.added + ids.length - previous.size,
        changed: runs.changed + changed.length,
      };
    },
    async clear() {
      const steps = dialect.emptyTables(CLEARED_TABLES).map((text) => ({ text, values: [] }));
      await transact([...steps, newVersion("file sets"), newVersion("runs")]);
    },
  };
}

const COLUMNS = FILE_SET_COLUMNS.map(({ name }) => name);
const ROW = `(${placeholders(COLUMNS)})`;
const UPDATES = COLUMNS.slice(1).map((name) => `${name} = excluded.${name}`).join(", ");

function upsertFileSets(rows: readonly (Value | null)[][]): TransactionStep {
  return {
    text: `INSERT INTO file_sets (${COLUMNS.join(", ")}) VALUES ${
      rows.map(() => ROW).join(", ")
    } ON CONFLICT (id) DO UPDATE SET ${UPDATES} WHERE file_sets.json <> excluded.json`,
    values: rows.flat(),
  };
}

function changedSteps(ids: readonly string[], dialect: WriteDialect): TransactionStep[] {
  const list = JSON.stringify(ids);
  const after = dialect.afterFileSets.map((text) => ({ text, values: [list] }));
  return [...after, newVersion("file sets")];
}

/** Adds schedules, and locks them so that one process at a time writes to them. */
function scheduleSteps(ids: readonly number[]): TransactionStep[] {
  const among = amongIds("id", ids);
  const rows = ids.map((id) => `(${Number(id)})`).join(", ");
  return [
    { text: `INSERT INTO schedules (id) VALUES ${rows} ON CONFLICT DO NOTHING`, values: [] },
    { text: `SELECT id FROM schedules WHERE ${among} ORDER BY id FOR UPDATE`, values: [] },
  ];
}

function metadataStep(name: string, value: string | null): TransactionStep {
  if (value === null) return { text: "DELETE FROM metadata WHERE name = ?", values: [name] };
  return upsert("metadata", { name, value }, "name");
}
