/** Runs in a row that failed or have an unknown status; those before the first run are carried. */
import type { ReportRun } from "../types.ts";
import type { TimedRun } from "../runs/occurrences.ts";
import type { StatusDictionary } from "../runs/status.ts";

interface Row {
  readonly since: number;
  readonly count: number;
}

/** The rows at the end of some runs: plain JSON. */
export interface Rows {
  readonly failing: Row | null;
  readonly lastGood: number | null;
  /** Runs with an unknown status, and whether earlier ones had a known one. */
  readonly unknown: Row & { readonly isNew: boolean } | null;
  /** The newest run: its start and its id. */
  readonly until: readonly [time: number, id: number];
}

/** This many runs before a row show whether its status is new; fewer than three show nothing. */
const KNOWN_BEFORE = 50;
const FEWEST_BEFORE = 3;
/** At most this share of them has a status that is new. */
const RARE = 0.05;

export function rowsOf(
  timed: readonly TimedRun<ReportRun>[],
  statuses: StatusDictionary,
  before: Rows | undefined,
): Rows | undefined {
  const newest = timed.at(-1);
  if (!newest) return before;
  const isUnknown = ({ run: { status } }: TimedRun<ReportRun>) =>
    !!status && !Object.hasOwn(statuses, status.toLowerCase());
  const lastGood = timed.findLastIndex(({ meaning }) => meaning === "good");
  // A run without a status may still go on.
  const afterKnown =
    timed.findLastIndex((one) => !isUnknown(one) && Boolean(one.run.status || one.run.endTime)) + 1;
  const unknown = rowAt(timed, afterKnown, isUnknown, before, "unknown");
  return {
    failing: rowAt(timed, lastGood + 1, ({ meaning }) => meaning === "bad", before, "failing"),
    lastGood: timed[lastGood]?.time ?? before?.lastGood ?? null,
    unknown: unknown && {
      ...unknown,
      isNew: before?.unknown?.since === unknown.since
        ? before.unknown.isNew
        : isNew(timed.findLast(isUnknown)!.run, timed.slice(0, afterKnown)),
    },
    until: [newest.time, newest.run.id],
  };
}

/** The row of the runs from an index on that belong to it, with those before the first run. */
function rowAt(
  timed: readonly TimedRun<ReportRun>[],
  first: number,
  belongs: (one: TimedRun<ReportRun>) => boolean,
  before: Rows | undefined,
  name: "failing" | "unknown",
): Row | null {
  const members = timed.slice(first).filter(belongs);
  const earlier = first === 0 ? before?.[name] : null;
  if (earlier) {
    const [time, id] = before!.until;
    const later = members.filter((one) => one.time > time || one.time === time && one.run.id > id);
    return { since: earlier.since, count: earlier.count + later.length };
  }
  return members.length === 0 ? null : { since: members[0].time, count: members.length };
}

/** Whether hardly any of the runs before had the status of a run. */
function isNew({ status }: ReportRun, before: readonly TimedRun<ReportRun>[]): boolean {
  const newest = before.slice(-KNOWN_BEFORE);
  const alike = newest.filter(({ run }) => run.status?.toLowerCase() === status!.toLowerCase());
  return newest.length >= FEWEST_BEFORE && alike.length <= RARE * newest.length;
}
