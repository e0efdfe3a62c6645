/** A run in parts that many runs share; together they give exactly the same JSON. */
import type { ReportRun } from "../../../lib/types.ts";
import { textIssue } from "../text.ts";

/** The start of a run whose start can't be read: older than any other. */
export const NO_START = -1;

/** Fields that differ between runs, and their types. Their order is stored: add new ones at the end. */
const OWN_FIELDS = {
  id: "number",
  startTime: "string",
  endTime: "string",
  attachmentSize: "number",
  emailSize: "number",
  reportSubject: "string",
  status: "string",
  recipients: "object",
} as const;
const OWN_NAMES = Object.keys(OWN_FIELDS);

/** JSON of a run: texts, and for each value between them the number of its field. */
type Pieces = readonly (string | number)[];

type OwnValue = string | number;

export interface RunParts {
  readonly id: number;
  /** Milliseconds since 1970, or {@linkcode NO_START}. */
  readonly start: number;
  readonly status: string | null;
  readonly report: string;
  readonly rest: string;
  readonly recipients: readonly string[] | null;
}

export function partsOf(run: ReportRun, start: number | null): RunParts {
  const startTime = start ?? NO_START;
  const pieces: (string | number)[] = [];
  let text = "{";
  for (const [name, value] of Object.entries(run)) {
    if (value === undefined) continue;
    text += `${text.length > 1 || pieces.length > 0 ? "," : ""}${JSON.stringify(name)}:`;
    if (isOwn(run, name)) {
      pieces.push(text, OWN_NAMES.indexOf(name));
      text = "";
    } else {
      text += JSON.stringify(value);
    }
  }
  pieces.push(`${text}}`);
  const rest: OwnValue[] = [
    shortTime(run.startTime, startTime),
    shortTime(run.endTime, startTime),
    isOwn(run, "attachmentSize") ? run.attachmentSize! : 0,
    isOwn(run, "emailSize") ? run.emailSize! : 0,
    isOwn(run, "reportSubject") && run.reportSubject !== run.reportTitle ? run.reportSubject! : 0,
  ];
  while (rest.at(-1) === 0) rest.pop();
  return {
    id: run.id,
    start: startTime,
    status: isOwn(run, "status") ? run.status! : null,
    report: JSON.stringify(pieces),
    rest: JSON.stringify(rest),
    recipients: isOwn(run, "recipients")
      ? run.recipients!.map((recipient) => JSON.stringify(recipient))
      : null,
  };
}

/** The JSON of a run; `recipients` is the JSON of its recipients. */
export function textOf(
  { id, start, status, report, rest }: Omit<RunParts, "recipients" | "report"> & {
    readonly report: Pieces;
  },
  recipients: string,
): string {
  const [startTime = 0, endTime = 0, attachments = 0, email = 0, subject = 0]: OwnValue[] = JSON
    .parse(rest);
  const values = [
    id,
    longTime(startTime, start),
    longTime(endTime, start),
    attachments,
    email,
    subject === 0 ? titleIn(report) : subject,
    status,
  ];
  let text = "";
  for (const piece of report) {
    if (typeof piece === "string") text += piece;
    else text += piece === values.length ? recipients : JSON.stringify(values[piece]);
  }
  return text;
}

/** When a run ended, from its own values; null if that is missing or can't be read. */
export function endOf(rest: string, start: number): number | null {
  const end = (JSON.parse(rest) as OwnValue[])[1];
  const time = Date.parse(typeof end === "number" ? longTime(end, start) : end ?? "");
  return end === undefined || end === 0 || Number.isNaN(time) ? null : time;
}

function isOwn(run: ReportRun, name: string): boolean {
  if (!Object.hasOwn(OWN_FIELDS, name)) return false;
  const value: unknown = run[name as keyof typeof OWN_FIELDS];
  return typeof value === OWN_FIELDS[name as keyof typeof OWN_FIELDS] &&
    (name !== "recipients" || Array.isArray(value)) &&
    // The status has a column, which can't hold every text.
    (name !== "status" || textIssue(value as string) === undefined);
}

/** Milliseconds since the start plus one, negative if written without; other times stay texts. */
function shortTime(time: string | null | undefined, start: number): OwnValue {
  if (typeof time !== "string") return 0;
  const distance = Date.parse(time) - start + 1;
  if (!(distance > 0)) return time;
  for (const short of [distance, -distance]) {
    if (longTime(short, start) === time) return short;
  }
  return time;
}

function longTime(time: OwnValue, start: number): string {
  if (typeof time === "string") return time;
  const text = new Date(start + Math.abs(time) - 1).toISOString();
  return time < 0 ? text.replace(/\.\d+Z$/, "Z") : text;
}

export function titleIn(report: Pieces): string {
  return JSON.parse(report.map((piece) => typeof piece === "string" ? piece : "null").join(""))
    .reportTitle;
}
