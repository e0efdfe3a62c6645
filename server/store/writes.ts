/** Writes rows by statements that both engines read alike. */
import { newVersion } from "./data_version.ts";
import type { Engine, TransactionStep } from "./engine.ts";
import { amongIds } from "./sql.ts";
import { FILE_SET_COLUMNS, fileSetValues, type SqlRow, type StoredFileSet } from "./stored_rows.ts";

/** The tables that hold the service's data, and what was read or concluded from it. */
const CLEARED_TABLES = [
  "file_sets",
  "schedules",
  "notes",
  "verdicts",
  "run_versions",
  "receipts",
  "uncounted",
  "recipient_set_members",
  "recipient_sets",
  "recipients",
  "people",
  "reports",
  "recipient_decisions",
];

/** What the engines write differently. */
export interface WriteDialect {
  /** The elements of a bound JSON list, as a table with a column `value`. */
  readonly elements: string;
  /** What an index of its own needs after file sets are put; a list of their ids is bound. */
  readonly afterFileSets: readonly string[];
  /** Statements that empty tables. */
  emptied(tables: readonly string[]): readonly string[];
}

/** Puts and clears rows, each in one transaction. */
export function writesBy(
  dialect: WriteDialect,
  transact: Engine["transact"],
): Pick<Engine, "put" | "clear"> {
  return {
    async put({ fileSets = [], schedules = [], versions, notes = {} }) {
      const sets = fileSets.length > 0 ? fileSetSteps(fileSets, dialect) : [];
      const ofSchedules = schedules.length > 0 ? scheduleSteps(schedules, dialect) : [];
      const runs = versions?.steps ?? [];
      const rows = await transact([
        ...sets,
        ...ofSchedules,
        ...runs,
        ...Object.entries(notes).map(([name, value]) => noteStep(name, value)),
        ...(sets.length > 0 ? [newVersion("file sets")] : []),
        ...(versions ? [newVersion("runs")] : []),
      ]);
      const ofRuns = rows!.slice(sets.length + ofSchedules.length);
      const { added, changed } = versions?.written(ofRuns) ?? { added: 0, changed: 0 };
      if (sets.length === 0) return { added, changed };
      const [[[known]], put] = rows as [[[number]], SqlRow[]];
      const isNew = fileSets.length - known;
      return { added: added + isNew, changed: changed + put.length - isNew };
    },
    async clear() {
      const texts = dialect.emptied(CLEARED_TABLES);
      const emptied = texts.map((text) => ({ text, values: [] }));
      await transact([...emptied, newVersion("file sets"), newVersion("runs")]);
    },
  };
}

/** Steps that put file sets; the first counts those that are known, the second returns the others. */
function fileSetSteps(
  fileSets: readonly StoredFileSet[],
  { elements, afterFileSets }: WriteDialect,
): TransactionStep[] {
  const rows = fileSets.map(fileSetValues);
  const ids = JSON.stringify(rows.map(([id]) => [id]));
  const names = FILE_SET_COLUMNS.map(({ name }) => name);
  const values = FILE_SET_COLUMNS.map(({ type }, at) => `CAST(value ->> ${at} AS ${type})`);
  return [
    {
      text: `SELECT count(*) FROM file_sets WHERE id IN (SELECT value ->> 0 FROM ${elements})`,
      values: [ids],
    },
    {
      text: `INSERT INTO file_sets (${names.join(", ")}) ` +
        `SELECT ${values.join(", ")} FROM ${elements} WHERE TRUE ON CONFLICT (id) DO UPDATE SET ` +
        names.slice(1).map((name) => `${name} = excluded.${name}`).join(", ") +
        " WHERE file_sets.json <> excluded.json RETURNING 1",
      values: [JSON.stringify(rows)],
    },
    ...afterFileSets.map((text) => ({ text, values: [ids] })),
  ];
}

/** Steps that add schedules, and let one process at a time write to them. */
function scheduleSteps(ids: readonly number[], { elements }: WriteDialect): TransactionStep[] {
  const among = amongIds("id", ids);
  return [
    {
      text: `INSERT INTO schedules (id) SELECT CAST(value ->> 0 AS BIGINT) FROM ${elements} ` +
        "WHERE TRUE ON CONFLICT DO NOTHING",
      values: [JSON.stringify(ids.map((id) => [id]))],
    },
    { ...among, text: `SELECT id FROM schedules WHERE ${among.text} ORDER BY id FOR UPDATE` },
  ];
}

function noteStep(name: string, value: string | null): TransactionStep {
  if (value === null) return { text: "DELETE FROM notes WHERE name = ?", values: [name] };
  const text = "INSERT INTO notes (name, value) VALUES (?, ?) " +
    "ON CONFLICT (name) DO UPDATE SET value = excluded.value";
  return { text, values: [name, value] };
}
