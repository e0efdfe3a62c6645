/** Splits a run into parts, which other runs may share, and restores exactly the same JSON. */
import type { ReportRun } from "../../../lib/types.ts";
import { textIssue } from "../text.ts";

/** The start of a run with an unreadable start time: older than any other. */
export const NO_START = -1;

/** Fields that vary from run to run, and their types. The order is stored: add new ones at the end. */
const VARYING_FIELDS = {
  id: "number",
  startTime: "string",
  endTime: "string",
  attachmentSize: "number",
  emailSize: "number",
  reportSubject: "string",
  status: "string",
  recipients: "object",
} as const;
const VARYING_NAMES = Object.keys(VARYING_FIELDS);

/** The JSON of a run as texts, with the number of a field where its value belongs. */
type RunTemplate = readonly (string | number)[];

type VaryingValue = string | number;

export interface RunParts {
  readonly id: number;
  /** Milliseconds since 1970, or {@linkcode NO_START}. */
  readonly start: number;
  readonly status: string | null;
  readonly template: string;
  readonly runValues: string;
  readonly recipients: readonly string[] | null;
}

export function partsOf(run: ReportRun, start: number | null): RunParts {
  const startTime = start ?? NO_START;
  const parts: (string | number)[] = [];
  let text = "{";
  for (const [name, value] of Object.entries(run)) {
    if (value === undefined) continue;
    text += `${text.length > 1 || parts.length > 0 ? "," : ""}${JSON.stringify(name)}:`;
    if (isVarying(run, name)) {
      parts.push(text, VARYING_NAMES.indexOf(name));
      text = "";
    } else {
      text += JSON.stringify(value);
    }
  }
  parts.push(`${text}}`);
  const runValues: VaryingValue[] = [
    shortTime(run.startTime, startTime),
    shortTime(run.endTime, startTime),
    isVarying(run, "attachmentSize") ? run.attachmentSize! : 0,
    isVarying(run, "emailSize") ? run.emailSize! : 0,
    isVarying(run, "reportSubject") && run.reportSubject !== run.reportTitle
      ? run.reportSubject!
      : 0,
  ];
  while (runValues.at(-1) === 0) runValues.pop();
  return {
    id: run.id,
    start: startTime,
    status: isVarying(run, "status") ? run.status! : null,
    template: JSON.stringify(parts),
    runValues: JSON.stringify(runValues),
    recipients: isVarying(run, "recipients")
      ? run.recipients!.map((recipient) => JSON.stringify(recipient))
      : null,
  };
}

export function textOf(
  { id, start, status, template, runValues }: Omit<RunParts, "recipients" | "template"> & {
    readonly template: RunTemplate;
  },
  recipients: string,
): string {
  const [startTime = 0, endTime = 0, attachments = 0, email = 0, subject = 0]: VaryingValue[] = JSON
    .parse(runValues);
  const values = [
    id,
    longTime(startTime, start),
    longTime(endTime, start),
    attachments,
    email,
    subject === 0 ? titleIn(template) : subject,
    status,
  ];
  let text = "";
  for (const part of template) {
    if (typeof part === "string") text += part;
    else text += part === values.length ? recipients : JSON.stringify(values[part]);
  }
  return text;
}

function isVarying(run: ReportRun, name: string): boolean {
  if (!Object.hasOwn(VARYING_FIELDS, name)) return false;
  const value: unknown = run[name as keyof typeof VARYING_FIELDS];
  return typeof value === VARYING_FIELDS[name as keyof typeof VARYING_FIELDS] &&
    (name !== "recipients" || Array.isArray(value)) &&
    // The status has a column, which can't hold every text.
    (name !== "status" || textIssue(value as string) === undefined);
}

/**
 * A time as milliseconds since the run's start, plus one; negative if it was written without
 * milliseconds. Other times stay texts, and a missing one is 0.
 */
function shortTime(time: string | null | undefined, start: number): VaryingValue {
  if (typeof time !== "string") return 0;
  const elapsed = Date.parse(time) - start + 1;
  if (!(elapsed > 0)) return time;
  for (const short of [elapsed, -elapsed]) {
    if (longTime(short, start) === time) return short;
  }
  return time;
}

function longTime(time: VaryingValue, start: number): string {
  if (typeof time === "string") return time;
  const text = new Date(start + Math.abs(time) - 1).toISOString();
  return time < 0 ? text.replace(/\.\d+Z$/, "Z") : text;
}

export function titleIn(template: RunTemplate): string {
  return JSON.parse(template.map((part) => typeof part === "string" ? part : "null").join(""))
    .reportTitle;
}
