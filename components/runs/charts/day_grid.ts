/** The last 24 hours of a schedule as cells of one hour each. */
import { endOfGrace } from "../../../lib/judgement/plans/match.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";

const HOUR = 3_600_000;
export const DAY_HOURS = 24;

/** What can happen in an hour, most severe first. */
export const CELL_KINDS = ["bad", "missed", "overdue", "late", "neutral", "good", "due"] as const;
export type CellKind = typeof CELL_KINDS[number];

export interface HourCell extends Readonly<Partial<Record<CellKind, number>>> {
  /** Whether something ran although nothing was planned; only if the plan is known. */
  readonly isUnplanned?: boolean;
  /** The id of the newest run that failed. */
  readonly failedRun?: number;
}

/** The data of a grid; times are milliseconds since 1970. */
export interface DayOfSchedule {
  readonly now: number;
  readonly runs: readonly {
    readonly id: number;
    readonly start: number | null;
    readonly status: unknown;
  }[];
  readonly statuses: StatusDictionary;
  readonly missed: readonly { readonly at: number }[];
  readonly overdue: readonly { readonly at: number }[];
  readonly nextDue: number | null;
  /** What was planned for these hours and the day before them; null if no plan is known. */
  readonly planned: { readonly slots: readonly number[]; readonly graceMs: number } | null;
}

/** The starts of the hours of a day that ends with the current hour. */
export function hoursUntil(now: number): number[] {
  const last = Math.floor(now / HOUR) * HOUR;
  return Array.from({ length: DAY_HOURS }, (_, index) => last - (DAY_HOURS - 1 - index) * HOUR);
}

export function dayCells(day: DayOfSchedule, hours: readonly number[]): HourCell[] {
  const cells = hours.map((): { -readonly [Name in keyof HourCell]: HourCell[Name] } => ({}));
  const cellAt = (at: number | null) =>
    at === null ? undefined : cells[Math.floor((at - hours[0]) / HOUR)];
  const add = (at: number | null, kind: CellKind) => {
    const cell = cellAt(at);
    if (cell) cell[kind] = (cell[kind] ?? 0) + 1;
  };
  const { slots = [], graceMs = 0 } = day.planned ?? {};
  const free = new Set(slots);
  const inTimeUntil = (slot: number) =>
    endOfGrace(graceMs, slot, slots[slots.indexOf(slot) + 1] ?? null);
  for (
    const { id, start, status } of day.runs.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
  ) {
    const meaning = typeof status === "string" ? meaningOf(status, day.statuses) : "neutral";
    const slot = start === null ? undefined : slots.findLast((at) => at <= start);
    const isMatched = slot !== undefined && free.delete(slot);
    const isLate = isMatched && start! > inTimeUntil(slot);
    add(start, isLate && meaning === "good" ? "late" : meaning);
    const cell = cellAt(start);
    if (cell && meaning === "bad") cell.failedRun = id;
  }
  for (const { at } of day.missed) add(at, "missed");
  for (const { at } of day.overdue) add(at, "overdue");
  const due = new Set([
    day.nextDue,
    ...[...free].filter((at) => at <= day.now && inTimeUntil(at) >= day.now),
  ]);
  for (const at of due) add(at, "due");
  if (day.planned) {
    const planned = new Set(day.planned.slots.map(cellAt));
    for (const cell of cells) {
      const ran = (cell.good ?? 0) + (cell.bad ?? 0) + (cell.neutral ?? 0);
      if (ran > 0 && !planned.has(cell)) cell.isUnplanned = true;
    }
  }
  return cells;
}

/** The most severe thing in an hour; null if nothing happened. */
export function worstOf(cell: HourCell): CellKind | null {
  return CELL_KINDS.find((kind) => cell[kind]) ?? null;
}

const WORDS: Readonly<Record<CellKind, string>> = {
  bad: "failed",
  missed: "missed",
  overdue: "overdue",
  late: "succeeded late",
  neutral: "with another status",
  good: "succeeded",
  due: "due",
};

/** An hour in words, such as `1 failed, 2 succeeded`. */
export function cellWords(cell: HourCell): string {
  const words = CELL_KINDS.filter((kind) => cell[kind]).map((kind) =>
    `${cell[kind]} ${WORDS[kind]}`
  );
  return [...words, cell.isUnplanned && "not planned"].filter(Boolean).join(", ");
}
