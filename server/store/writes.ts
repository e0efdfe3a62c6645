/** Writes rows by statements that work on both engines. */
import { newVersion } from "./data_version.ts";
import type { Engine, TransactionStep } from "./engine.ts";
import { inPieces } from "./ledger/pieces.ts";
import type { Value } from "./search/plan.ts";
import { amongIds, placeholders } from "./sql.ts";
import { FILE_SET_COLUMNS, fileSetValues } from "./stored_rows.ts";

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

export interface WriteDialect {
  readonly rowsAtOnce: number;
  /** What an index of its own needs after file sets are put; a JSON list of their ids is bound. */
  readonly afterFileSets: readonly string[];
  emptied(tables: readonly string[]): readonly string[];
}

export function writesBy(
  dialect: WriteDialect,
  transact: Engine["transact"],
): Pick<Engine, "put" | "clear"> {
  return {
    async put({ fileSets = [], schedules = [], versions, notes = {} }) {
      const given = fileSets.map(fileSetValues);
      const ids = fileSets.map(({ id }) => id);
      const before = inPieces(ids).map((piece): TransactionStep => ({
        text: `SELECT id, json FROM file_sets WHERE id IN (${placeholders(piece)})`,
        values: piece,
      }));
      const sets = [
        ...before,
        ...inPieces(given, dialect.rowsAtOnce).map(upsert),
        ...(schedules.length > 0 ? scheduleSteps(schedules) : []),
      ];
      const rows = await transact([
        ...sets,
        ...versions?.steps ?? [],
        ...Object.entries(notes).map(([name, value]) => noteStep(name, value)),
        ...(ids.length > 0 ? changedSteps(ids, dialect) : []),
        ...(versions ? [newVersion("runs")] : []),
      ]);
      const known = new Map(rows!.slice(0, before.length).flat() as [string, string][]);
      const changed = given.filter(([id, ...rest]) =>
        known.has(id as string) && known.get(id as string) !== rest.at(-1)
      );
      const ofRuns = versions?.written(rows!.slice(sets.length)) ?? { added: 0, changed: 0 };
      return {
        added: ofRuns.added + ids.length - known.size,
        changed: ofRuns.changed + changed.length,
      };
    },
    async clear() {
      const texts = dialect.emptied(CLEARED_TABLES);
      const emptied = texts.map((text) => ({ text, values: [] }));
      await transact([...emptied, newVersion("file sets"), newVersion("runs")]);
    },
  };
}

const NAMES = FILE_SET_COLUMNS.map(({ name }) => name);
const MARKS = `(${placeholders(NAMES)})`;
const UPDATES = NAMES.slice(1).map((name) => `${name} = excluded.${name}`).join(", ");

function upsert(rows: readonly (Value | null)[][]): TransactionStep {
  return {
    text: `INSERT INTO file_sets (${NAMES.join(", ")}) VALUES ${
      rows.map(() => MARKS).join(", ")
    } ON CONFLICT (id) DO UPDATE SET ${UPDATES} WHERE file_sets.json <> excluded.json`,
    values: rows.flat(),
  };
}

function changedSteps(ids: readonly string[], dialect: WriteDialect): TransactionStep[] {
  const list = JSON.stringify(ids);
  const after = dialect.afterFileSets.map((text) => ({ text, values: [list] }));
  return [...after, newVersion("file sets")];
}

/** Steps that add schedules, and let one process at a time write to them. */
function scheduleSteps(ids: readonly number[]): TransactionStep[] {
  const among = amongIds("id", ids);
  const rows = ids.map((id) => `(${Number(id)})`).join(", ");
  return [
    { text: `INSERT INTO schedules (id) VALUES ${rows} ON CONFLICT DO NOTHING`, values: [] },
    { ...among, text: `SELECT id FROM schedules WHERE ${among.text} ORDER BY id FOR UPDATE` },
  ];
}

function noteStep(name: string, value: string | null): TransactionStep {
  if (value === null) return { text: "DELETE FROM notes WHERE name = ?", values: [name] };
  const text = "INSERT INTO notes (name, value) VALUES (?, ?) " +
    "ON CONFLICT (name) DO UPDATE SET value = excluded.value";
  return { text, values: [name, value] };
}
