/** Files of schedules, and of people who left or of staff: their columns, and how they are read. */
import { readDuration } from "../../lib/judgement/plans/parse.ts";
import { DAY, MINUTE } from "../../lib/time_units.ts";
import type { ValidationIssue } from "../http/problem.ts";
import { readScheduleId, SCHEDULE_ID_RULE } from "../http/request_query.ts";
import { yieldToEventLoop } from "../workers/yield_to_event_loop.ts";
import { type CsvRow, csvRows } from "../store/import/csv_rows.ts";
import { comparedAddress, maskAddresses, ownUserId } from "../../lib/runs/recipients.ts";
import type { ScheduleFigures } from "../store/records/overview.ts";
import type { ScheduleChange } from "../store/records/watches.ts";
import { readScheduleSettings } from "./schedule_settings.ts";
import { startOfDay } from "../../lib/days.ts";
import { wholeNumber } from "../../lib/format.ts";
import { SPAN_COLUMNS } from "../../lib/runs/recipient_spans.ts";
import type { Leaver } from "../store/people/leavers.ts";

export const FILE_COLUMNS = [
  ...["scheduleId", "name", "owner", "watched"],
  ...["cron", "zone", "grace", "weeks", "weeksFrom"],
];
/** The columns of a list. A file may have the additional ones too; they are ignored. */
export const LIST_COLUMNS = [...FILE_COLUMNS, "source", "state", "lastSuccess", "next"];

/** A file for people to copy from. */
export const SAMPLE_FILE = `${FILE_COLUMNS.join(",")}
101,Daily revenue,Finance,true,0 6 * * 1-5,Europe/Berlin,20m,,
102,Open claims,Claims,true,,,,,
103,Archive,,false,,,,,`;

export type CsvStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** A known schedule as a row of a file, which can be read again. */
export function toFileRow(known: ScheduleFigures) {
  const { scheduleId, name, owner, watched, plans, source, headline, lastSuccess, nextDue } = known;
  const plan = plans.at(-1);
  const at = (time: number | null) => time === null ? null : new Date(time).toISOString();
  return {
    scheduleId,
    name: maskAddresses(name),
    owner,
    watched: watched === 1,
    cron: plan?.cron.join("; ") ?? null,
    zone: plan?.zone ?? null,
    grace: plan ? `${Math.round(plan.graceMs / 60_000)}m` : null,
    weeks: plan?.everyWeeks?.n ?? null,
    weeksFrom: plan?.everyWeeks?.from ?? null,
    source,
    state: headline,
    lastSuccess: at(lastSuccess),
    next: at(nextDue),
  };
}

export interface LineIssue {
  readonly line: number;
  readonly issue: string;
}

/** Its plans apply from `now` on. @throws {CsvError} If the file is not such CSV */
export async function readScheduleFile(
  file: CsvStream,
  now: number,
): Promise<
  { readonly schedules: readonly ScheduleChange[]; readonly issues: readonly LineIssue[] }
> {
  const schedules = new Map<number, ScheduleChange>();
  const issues = await readLines(csvRows(file, LIST_COLUMNS, { lacks }), (cells) => {
    const schedule = readSchedule(cells, now);
    if (schedules.has(schedule.scheduleId)) {
      throw new RangeError(`scheduleId ${schedule.scheduleId} is in an earlier line too`);
    }
    schedules.set(schedule.scheduleId, schedule);
  });
  return { schedules: [...schedules.values()], issues };
}

function lacks(names: readonly string[]): string | undefined {
  return names.includes("scheduleId") ? undefined : "the column scheduleId is missing";
}

/** Reads each row; returns the issues of those for which `read` throws a RangeError. */
async function readLines(
  rows: AsyncIterable<CsvRow>,
  read: (cells: CsvRow["cells"]) => void,
): Promise<readonly LineIssue[]> {
  const issues: LineIssue[] = [];
  for await (const { line, cells, issue } of rows) {
    // A long file must not keep others waiting.
    if (line % 50 === 0) await yieldToEventLoop();
    try {
      if (issue) throw new RangeError(issue);
      read(cells);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      issues.push({ line, issue: error.message });
    }
  }
  return issues;
}

/** An empty cell leaves a known schedule as it is, and has a new one read but not watched. */
const WATCHED: Readonly<Record<string, ScheduleChange["watched"]>> = {
  "": null,
  true: 1,
  false: 0,
};

function readSchedule(cells: CsvRow["cells"], now: number): ScheduleChange {
  const { scheduleId: id, name, owner, watched = "", cron, zone, grace, weeks, weeksFrom } = cells;
  const scheduleId = readScheduleId(id);
  if (scheduleId === null) throw new RangeError(`${SCHEDULE_ID_RULE}, not "${id.slice(0, 100)}"`);
  if (!Object.hasOwn(WATCHED, watched)) {
    throw new RangeError(`watched must be true, false or empty, not "${watched.slice(0, 100)}"`);
  }
  const faults: ValidationIssue[] = [];
  const graceMinutes = (readDuration(grace ?? "") ?? NaN) / MINUTE;
  const isGrace = Number.isInteger(graceMinutes);
  const sent = {
    ...{ name, owner, cron: cron || undefined, zone: zone || undefined },
    ...{ weeks: weeks || undefined, weeksFrom: weeksFrom || undefined },
  };
  const settings = readScheduleSettings(
    { ...sent, graceMinutes: isGrace ? graceMinutes : undefined },
    now,
    faults,
  );
  if (grace && !isGrace) {
    faults.push({ pointer: "/grace", detail: "must be whole minutes, such as 20m, 2h or 1d" });
  }
  if (faults.length > 0) {
    const toColumn = (pointer = "") => pointer === "/graceMinutes" ? "grace" : pointer.slice(1);
    const words = faults.map(({ pointer, detail }) => `${toColumn(pointer)} ${detail}`);
    throw new RangeError(words.join("; "));
  }
  return { scheduleId, watched: WATCHED[watched], settings };
}

/** The columns of a file; each row has a user id or an address. */
export const PEOPLE_COLUMNS = ["userId", "emailAddress", "displayName", "left"];
/** Also the columns of an export of people, so that it can be read again. */
const PEOPLE_FILE_COLUMNS = [...new Set([...PEOPLE_COLUMNS, ...SPAN_COLUMNS])];

/** People in rows without a day left `now`. @throws {CsvError} If the file is not such CSV */
export async function readPeopleFile(
  file: CsvStream,
  now: number,
): Promise<{ readonly people: readonly Leaver[]; readonly issues: readonly LineIssue[] }> {
  const people = new Map<string, Leaver>();
  const rows = csvRows(file, PEOPLE_FILE_COLUMNS);
  const issues = await readLines(rows, (cells) => {
    const person = readLeaver(cells, now);
    const key = `${person.userId ?? person.address}`;
    if ((people.get(key) ?? person).leftAt !== person.leftAt) {
      throw new RangeError("left differs from an earlier line with this person");
    }
    people.set(key, person);
  });
  return { people: [...people.values()], issues };
}

/** A person in a row of a file. @throws {RangeError} That says what is wrong */
export function readLeaver(
  { userId: id = "", emailAddress = "", left = "" }: CsvRow["cells"],
  now: number,
): Leaver {
  const number = id === "" ? null : wholeNumber(id);
  if (number === null && !/^(-\d+)?$/.test(id)) {
    throw new RangeError("userId must be a whole number up to 9,007,199,254,740,991");
  }
  const userId = ownUserId({ userId: number });
  const isMasked = emailAddress.includes("…");
  if (isMasked ? userId === null : emailAddress !== "" && !/^\S+@\S+$/.test(emailAddress)) {
    throw new RangeError("emailAddress must be a whole email address, not a masked one");
  }
  if (userId === null && emailAddress === "") {
    throw new RangeError("a positive userId or an emailAddress is required");
  }
  const day = startOfDay(left, "UTC");
  if (left !== "" && day === undefined) {
    throw new RangeError("left must be a day, such as 2026-09-30, or empty");
  }
  const leftAt = day === undefined ? now : day + DAY;
  return { userId, address: isMasked ? null : comparedAddress(emailAddress) ?? null, leftAt };
}
