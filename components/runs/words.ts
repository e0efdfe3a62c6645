/** Judgements of runs in words. */
import type { Cadence } from "../../lib/runs/cadence.ts";
import type { ReportRun } from "../../lib/types.ts";
import { formatCount, formatCountOf, formatDuration } from "../ui/format.ts";
import { formatMoment, zoneWords } from "../ui/zone.ts";
import type { Loaded } from "../../lib/runs/judgement.ts";

/** How many runs were judged, and what may lie beyond. */
export function judgedWords({ runs, stopped, older, newer }: Loaded): string {
  const count = formatCountOf(runs.length, "run", "runs");
  if (stopped === "end") return `All ${count} of the history were read.`;
  const beyond = [newer && "newer", older && "older"].filter(Boolean).join(" and ");
  const why = {
    enough: "",
    time: " The service took too long to give more.",
    error: " The service then failed to give more.",
  }[stopped];
  const which = newer ? count : `The latest ${count}`;
  return `${which} were read; ${beyond} ones may exist.${why}`;
}

/** A part of a whole as a percentage, never rounded up to all or down to none. */
export function formatPart(part: number): string {
  const percent = part * 100;
  if (part > 0.999 && part < 1) return "over 99.9 %";
  if (part > 0 && part < 0.001) return "under 0.1 %";
  return `${percent.toFixed(part === 0 || part === 1 ? 0 : 1)} %`;
}

/** When a run started, or which run it is where that isn't known. */
export function runWords({ id, startTime }: Pick<ReportRun, "id" | "startTime">, zone: string) {
  return startTime ? formatMoment(startTime, zone) : `run ${id}`;
}

/** When a run started, its zone and its status, for those who only hear it. */
export function pointWords(run: Pick<ReportRun, "id" | "startTime" | "status">, zone: string) {
  return `${runWords(run, zone)} ${zoneWords(zone)}, ${run.status || "no status"}`;
}

const HOUR = 3_600_000;
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** A cadence as people say it, such as `every day at about 06:00 UTC`. */
export function cadenceWords({ periodMs, weekdays, minutes: [earliest, latest] }: Cadence): string {
  const days = weekdays.length === 7 ? "every day" : `on ${weekdayWords(weekdays)}`;
  const at = latest - earliest <= 60
    ? `at about ${clock(earliest)} UTC`
    : `from ${clock(earliest)} to ${clock(latest)} UTC`;
  if (periodMs < 20 * HOUR) return `every ${formatDuration(periodMs)}, ${days}, ${at}`;
  if (periodMs < 28 * HOUR) return `${days} ${at}`;
  const everyDays = Math.round(periodMs / (24 * HOUR));
  if (everyDays === 7) return `every week ${days} ${at}`;
  return `about every ${formatCountOf(everyDays, "day", "days")}, ${at}`;
}

function weekdayWords(weekdays: readonly number[]): string {
  // Weeks begin on Monday, as in the calendar.
  const sorted = weekdays.map((day) => (day + 6) % 7).sort((a, b) => a - b);
  const names = sorted.map((day) => DAYS[(day + 1) % 7]);
  const isRow = sorted.every((day, at) => at === 0 || day === sorted[at - 1] + 1);
  if (isRow && names.length > 2) return `${names[0]} to ${names.at(-1)}`;
  return names.join(", ");
}

function clock(minutes: number): string {
  const pad = (count: number) => String(count).padStart(2, "0");
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** A factor between two numbers, such as `10 times as much` or `a third less`. */
export function changeWords(before: number, after: number): string {
  if (before === after) return "the same";
  if (before <= 0) return after > 0 ? "more" : "less";
  const factor = after / before;
  if (factor >= 2) return `${formatCount(Math.round(factor * 10) / 10)} times as much`;
  const percent = Math.round((factor - 1) * 100);
  if (percent === 0) return "nearly the same";
  return percent > 0 ? `${percent} % more` : `${-percent} % less`;
}
