/** Splits a file into values to import. It is NDJSON, one JSON document, or CSV. */
import { isRow } from "../../../lib/client/row_checks.ts";
import { type Field, FILE_SET_FIELDS, RECIPIENT_FIELDS } from "../../../lib/fields.ts";
import { type ImportValue, recipientIssues, RUN, SHAPES } from "./import_values.ts";
import { CsvError, type CsvOptions, type CsvRow, csvRows, peek } from "./csv_rows.ts";
import { momentOf } from "../../../lib/zone_clock.ts";

/** The longest line or document: each is read as one text, and the runtime's can't be much longer. */
const MAX_MIB = 500;

const NEWLINE = 0x0a;

/** The values in a stream, one group per chunk. Its beginning shows which kind of file it is. */
export async function* splitFile(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvFileOptions = {},
): AsyncGenerator<readonly ImportValue[]> {
  const { first, whole } = await peek(chunks as AsyncIterable<Uint8Array<ArrayBuffer>>);
  if (/^[^[{]/.test(first)) yield* csvValues(whole, options);
  else yield* jsonValues(whole, isDocument(first));
}

/** Whether a file that begins with this line is one document rather than one value per line. */
function isDocument(line: string): boolean {
  try {
    JSON.parse(line);
    return false;
  } catch {
    return /^(\[|\{\s*("(fileSets|pageContext)"\s*:|$))/.test(line);
  }
}

async function* jsonValues(
  file: AsyncIterable<Uint8Array<ArrayBuffer>>,
  isDocument: boolean,
): AsyncGenerator<readonly ImportValue[]> {
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let line = 1;
  for await (const chunk of file) {
    const values: ImportValue[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && !isDocument;) {
      values.push(...valuesIn(await joined([...parts, chunk.subarray(from, end)]), line++));
      [parts, size, from] = [[], 0, end + 1];
      end = chunk.indexOf(NEWLINE, from);
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    yield values;
    if (size > MAX_MIB * 1024 * 1024) {
      throw new CsvError(
        `line ${line}: larger than ${MAX_MIB} MiB: import NDJSON, a line an entry`,
      );
    }
  }
  yield valuesIn(await joined(parts), line);
}

async function joined(parts: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array> {
  const [first, ...others] = parts.filter(({ length }) => length > 0);
  return others.length === 0 ? first ?? new Uint8Array() : await new Blob(parts).bytes();
}

/** The values in a JSON text: of a list, of a search's answer, or the value itself; none if blank. */
function valuesIn(bytes: Uint8Array, line: number): ImportValue[] {
  const location = `line ${line}`;
  let json: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.trim() === "") return [];
    json = JSON.parse(text);
  } catch (error) {
    const [position = ""] = /\(line \d+ column \d+\)$/.exec((error as Error).message) ?? [];
    return [{ location, issue: `is not valid JSON in UTF-8 ${position}`.trim() }];
  }
  const list = isRow(json) && Array.isArray(json.fileSets) ? json.fileSets : json;
  if (!Array.isArray(list)) return [{ location, value: list }];
  return list.map((value, at) => ({ location: `entry ${at + 1} of ${location}`, value }));
}

export interface CsvFileOptions extends SheetTimeOptions, Pick<CsvOptions, "map"> {}

/** The allowed columns. Docket's exports may also have a run's duration. */
const COLUMNS = [...Object.keys({ ...RUN, ...RECIPIENT_FIELDS, ...FILE_SET_FIELDS }), "duration"];
const RUN_ONLY = Object.keys(RUN).filter((name) => !Object.hasOwn(FILE_SET_FIELDS, name));
/** Texts that people wrote. */
const TEXTS = new Set([
  ...["name", "description", "owner", "displayName"],
  ...["reportTitle", "reportSubject", "resourceName"],
]);

interface Members extends Record<string, unknown> {
  recipients?: Members[];
}

/** A run needs an id, or the time by which rows are one run. */
function lacks(names: readonly string[]): string | undefined {
  if (["id", "name", "startTime"].some((name) => names.includes(name))) return;
  return "a column is missing: scheduleId and startTime or id for runs, id or name for file sets";
}

/**
 * The entries of a CSV file. Rows of the same run are one run with several recipients; without ids,
 * these are the rows of one schedule and start.
 */
async function* csvValues(
  file: ReadableStream<Uint8Array<ArrayBuffer>>,
  options: CsvFileOptions,
) {
  const entries = new Map<string, { location: string; value: Members; issues: string[] }>();
  const { map = new Map() } = options;
  for await (const { line, cells, issue } of csvRows(file, COLUMNS, { lacks, map, texts: TEXTS })) {
    const location = `line ${line}`;
    const issues = issue ? [issue] : [];
    const value = issue ? {} : toMembers(cells, options, issues);
    const key = isRun(cells) && value.id ? `${value.scheduleId}/${value.id}` : location;
    const before = entries.get(key);
    if (!before) {
      entries.set(key, { location, value, issues });
      continue;
    }
    const other = Object.keys(RUN).find((name) => before.value[name] !== value[name]);
    if (other) issues.push(`${other} is not as in ${before.location}, which is the same run`);
    before.value.recipients?.push(...value.recipients ?? []);
    // A run with an invalid row is rejected as a whole.
    if (before.issues.length === 0) {
      Object.assign(before, issues.length > 0 && { location, issues });
    }
  }
  yield [...entries.values()].map(({ issues, ...entry }) => ({
    ...entry,
    issue: issues.join("; ") || undefined,
  }));
}

const isRun = (cells: CsvRow["cells"]) => RUN_ONLY.some((name) => name in cells);

/** The members of a file set, or of a run with one recipient or none; unknown without such columns. */
function toMembers(cells: CsvRow["cells"], options: CsvFileOptions, issues: string[]): Members {
  if (!isRun(cells)) return typedCells(cells, FILE_SET_FIELDS, options, issues);
  const value = typedCells(cells, RUN, options, issues);
  if (!("id" in cells)) {
    // Rows of one schedule and start are one run.
    const start = Date.parse(String(value.startTime));
    if (Number.isNaN(start) && issues.length === 0) issues.push("startTime is missing or no time");
    value.id = start || 0;
  }
  if (!Object.keys(RECIPIENT_FIELDS).some((name) => name in cells)) return value;
  const recipient = typedCells(cells, RECIPIENT_FIELDS, options, issues);
  const recipients = Object.keys(recipient).length > 0 ? [recipient] : [];
  issues.push(...recipients.flatMap(recipientIssues));
  return { ...value, recipients };
}

/** The values of these fields that are not empty. A cell of the wrong type stays a text. */
function typedCells(
  cells: CsvRow["cells"],
  fields: Readonly<Record<string, Field>>,
  options: SheetTimeOptions,
  issues: string[],
): Members {
  const members: Members = {};
  for (const [name, { kind }] of Object.entries(fields)) {
    const cell = cells[name] ?? "";
    if (cell === "") continue;
    if (kind === "date-time") {
      const read = readSheetTime(cell, options);
      if ("issue" in read) issues.push(`${name} ${read.issue}`);
      else members[name] = read.value;
    } else {
      // Spreadsheets write TRUE.
      members[name] = SHAPES[kind].fromText!(kind === "boolean" ? cell.toLowerCase() : cell);
    }
  }
  return members;
}

export const DATE_ORDERS = ["day-first", "month-first"] as const;

export interface SheetTimeOptions {
  /** The order of dates such as 03.04.2026, which are ambiguous without it. */
  readonly dates?: typeof DATE_ORDERS[number];
  /** The zone of times that name none. Default: UTC. */
  readonly zone?: string;
}

const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/;
const SHEET =
  /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:,? +(\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AP])M)?)?$/i;

/**
 * A cell's time as ISO 8601; a text that no spreadsheet writes is returned as it is.
 *
 *     28.11.2026 05:00  →  2026-11-28T05:00:00.000Z
 *     03.04.2026        →  ambiguous, unless `dates` says the order
 */
export function readSheetTime(
  cell: string,
  { dates, zone = "UTC" }: SheetTimeOptions,
): { readonly value: string } | { readonly issue: string } {
  const local = LOCAL.exec(cell);
  const sheet = SHEET.exec(cell);
  if (!local && !sheet) return { value: cell };
  let [year, month, day, hour, minute, second] = (local?.slice(1) ?? []).map(Number);
  if (sheet) {
    const [first, other] = [Number(sheet[1]), Number(sheet[3])];
    const order = dates ??
      (first > 12 || first === other ? "day-first" : other > 12 && "month-first");
    if (!order) {
      return { issue: `${cell} is ambiguous: say whether dates are day-first or month-first` };
    }
    [day, month] = order === "day-first" ? [first, other] : [other, first];
    [year, hour, minute, second] = sheet.slice(4, 8).map(Number);
    const half = sheet[8]?.toUpperCase();
    if (half) hour = hour % 12 + (half === "P" ? 12 : 0);
  }
  const parts = [hour, minute, second].map((part) => part || 0);
  const time = Date.UTC(year, month - 1, day, ...parts as [number, number, number]);
  const date = new Date(time);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day &&
    date.getUTCHours() === parts[0] && date.getUTCMinutes() === parts[1];
  if (!isReal) return { issue: `${cell} is a date or a time that does not exist` };
  return { value: new Date(momentOf(time, zone)).toISOString() };
}
