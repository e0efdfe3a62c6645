/** The last 24 hours of a schedule as cells of an hour each. */
import { meaningOf, type StatusDictionary, type StatusMeaning } from "../../../lib/runs/status.ts";

const HOUR = 3_600_000;
export const DAY_HOURS = 24;

/** What happened to something in an hour, the most severe first. */
export const CELL_KINDS = ["bad", "missed", "overdue", "neutral", "good", "due"] as const;
export type CellKind = typeof CELL_KINDS[number];

/** An hour of a schedule: how often each thing happened. */
export type HourCell = Readonly<Partial<Record<CellKind, number>>>;

/** What a grid is made of; moments are milliseconds since 1970. */
export interface DayOfSchedule {
  readonly runs: readonly { readonly start: number | null; readonly status: unknown }[];
  readonly statuses: StatusDictionary;
  readonly missed: readonly { readonly at: number }[];
  readonly overdue: readonly { readonly at: number }[];
  readonly nextDue: number | null;
}

/** The starts of the hours of a day that ends with the current hour. */
export function hoursUntil(now: number): number[] {
  const last = Math.floor(now / HOUR) * HOUR;
  return Array.from({ length: DAY_HOURS }, (_, index) => last - (DAY_HOURS - 1 - index) * HOUR);
}

/** What happened in each of these hours. */
export function dayCells(day: DayOfSchedule, hours: readonly number[]): HourCell[] {
  const cells = hours.map((): Partial<Record<CellKind, number>> => ({}));
  const add = (at: number | null, kind: CellKind) => {
    const cell = at === null ? undefined : cells[Math.floor((at - hours[0]) / HOUR)];
    if (cell) cell[kind] = (cell[kind] ?? 0) + 1;
  };
  for (const { start, status } of day.runs) {
    const meaning: StatusMeaning = typeof status === "string"
      ? meaningOf(status, day.statuses)
      : "neutral";
    add(start, meaning);
  }
  for (const { at } of day.missed) add(at, "missed");
  for (const { at } of day.overdue) add(at, "overdue");
  add(day.nextDue, "due");
  return cells;
}

/** The most severe thing of an hour; null where nothing happened. */
export function worstOf(cell: HourCell): CellKind | null {
  return CELL_KINDS.find((kind) => cell[kind]) ?? null;
}

const WORDS: Readonly<Record<CellKind, string>> = {
  bad: "failed",
  missed: "missed",
  overdue: "overdue",
  neutral: "with another status",
  good: "succeeded",
  due: "due",
};

/** An hour in words, such as `1 failed, 2 succeeded`. */
export function cellWords(cell: HourCell): string {
  return CELL_KINDS.filter((kind) => cell[kind]).map((kind) => `${cell[kind]} ${WORDS[kind]}`)
    .join(", ");
}
