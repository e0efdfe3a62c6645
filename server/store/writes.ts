/** Writes rows with statements that work on both engines. */
import { newVersion } from "./data_version.ts";
import type { Engine, TransactionStep } from "./engine.ts";
import { upsert } from "./records/table.ts";
import { amongIds } from "./sql.ts";

/** The tables with the service's data, and with what was read or derived from it. */
const CLEARED_TABLES = [
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
  emptyTables(tables: readonly string[]): readonly string[];
}

export function writesBy(
  dialect: WriteDialect,
  transact: Engine["transact"],
): Pick<Engine, "put" | "clear"> {
  return {
    async put({ schedules = [], versions, metadata = {} }) {
      const sets = schedules.length > 0 ? scheduleSteps(schedules) : [];
      const rows = await transact([
        ...sets,
        ...versions?.steps ?? [],
        ...Object.entries(metadata).map(([name, value]) => metadataStep(name, value)),
        ...(versions ? [newVersion("runs")] : []),
      ]);
      return versions?.written(rows!.slice(sets.length)) ?? { added: 0, changed: 0 };
    },
    async clear() {
      const steps = dialect.emptyTables(CLEARED_TABLES).map((text) => ({ text, values: [] }));
      await transact([...steps, newVersion("runs")]);
    },
  };
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
