/** Turns rows of CSV into entries to import: file sets, or runs with one row a recipient. */
import {
  type Field,
  FILE_SET_FIELDS,
  fileSetColumns,
  RECIPIENT_FIELDS,
  RUN_FIELDS,
  runColumns,
} from "../../../lib/fields.ts";
import { type CsvRow, csvRows } from "./csv_rows.ts";
import type { ImportValue } from "./entries.ts";

const RUN: Readonly<Record<string, Field>> = {
  scheduleId: { kind: "integer", mayBeMissing: false },
  ...RUN_FIELDS,
};
const RECIPIENT: Readonly<Record<string, Field>> = RECIPIENT_FIELDS;
const FILE_SET: Readonly<Record<string, Field>> = FILE_SET_FIELDS;
/** The columns that an import takes; Docket's exports may have a run's duration too. */
const COLUMNS = [
  ...new Set([...fileSetColumns(), ...Object.keys(RUN), ...Object.keys(RECIPIENT), "duration"]),
];
const RUN_ONLY = [...runColumns(), "scheduleId"].filter((name) => !Object.hasOwn(FILE_SET, name));
const GROUP = 500;

type Members = Record<string, unknown>;

/** The entries of a CSV file: rows that follow each other with the same run are one run. */
export async function* csvValues(chunks: AsyncIterable<Uint8Array>) {
  const file = ReadableStream.from(chunks as AsyncIterable<Uint8Array<ArrayBuffer>>);
  let entries: (ImportValue & { readonly value: Members })[] = [];
  for await (const { line, cells, issue } of csvRows(file, COLUMNS, "id")) {
    const value = membersOf(cells);
    const last = entries.at(-1)?.value;
    const isSameRun = !issue && last !== undefined && Array.isArray(value.recipients) &&
      last.id === value.id && last.scheduleId === value.scheduleId;
    if (isSameRun) {
      (last.recipients as unknown[]).push(...value.recipients as unknown[]);
      continue;
    }
    if (entries.length === GROUP) {
      yield entries;
      entries = [];
    }
    entries.push({ place: `line ${line}`, value, issue });
  }
  yield entries;
}

function membersOf(cells: CsvRow["cells"]): Members {
  if (!RUN_ONLY.some((name) => name in cells)) return typed(cells, FILE_SET);
  const recipient = typed(cells, RECIPIENT);
  return { ...typed(cells, RUN), recipients: Object.keys(recipient).length > 0 ? [recipient] : [] };
}

/** The cells of those fields that are not empty. A cell that has the wrong kind stays a text. */
function typed(cells: CsvRow["cells"], fields: Readonly<Record<string, Field>>): Members {
  const members: Members = {};
  for (const [name, { kind }] of Object.entries(fields)) {
    const cell = cells[name] ?? "";
    if (cell === "") continue;
    if (kind === "integer" && /^-?\d+$/.test(cell)) members[name] = Number(cell);
    else if (kind === "boolean" && /^(true|false)$/.test(cell)) members[name] = cell === "true";
    else members[name] = cell;
  }
  return members;
}
