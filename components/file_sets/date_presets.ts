/** Date ranges with a name, in UTC. */

/** A range of times: includes its start, excludes its end. */
export interface DateRange {
  readonly start: string;
  readonly end: string;
}

/** The label of each preset. */
export const DATE_PRESETS: Readonly<Record<string, string>> = {
  today: "today",
  "7-days": "last 7 days",
  "30-days": "last 30 days",
  month: "this month",
  "last-month": "last month",
  year: "this year",
};

/** The range of a preset at a given time; undefined for an unknown name. */
export function presetRange(preset: string, now: Date): DateRange | undefined {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  switch (preset) {
    case "today":
      return range([year, month, day], [year, month, day + 1]);
    case "7-days":
      return range([year, month, day - 6], [year, month, day + 1]);
    case "30-days":
      return range([year, month, day - 29], [year, month, day + 1]);
    case "month":
      return range([year, month, 1], [year, month + 1, 1]);
    case "last-month":
      return range([year, month - 1, 1], [year, month, 1]);
    case "year":
      return range([year, 0, 1], [year + 1, 0, 1]);
  }
}

type Day = readonly [year: number, month: number, day: number];

function range(start: Day, end: Day): DateRange {
  return { start: moment(start), end: moment(end) };
}

function moment([year, month, day]: Day): string {
  return `${new Date(Date.UTC(year, month, day)).toISOString().slice(0, 19)}Z`;
}
