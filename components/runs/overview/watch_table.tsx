import type { ComponentChildren } from "preact";
import { formatDuration } from "../../../lib/format.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Moment } from "../../ui/moment.tsx";
import type { Attention } from "./attention.ts";
import { RunLink } from "../run_link.tsx";
import { scheduleHref } from "../run_links.ts";
import { alarmOf, StateBadge, tierOf } from "../verdict/state_badge.tsx";
import { StatusMark } from "../status_mark.tsx";
import { RunStrip } from "../charts/strip.tsx";

/** A schedule of the watch list, judged or not loaded. */
export type WatchedSchedule =
  & {
    readonly scheduleId: number;
    /** What it is called; empty if that is not known. */
    readonly name: string;
    /** The report's title, if it is not the name. */
    readonly reportTitle?: string;
    readonly rank: number;
  }
  & (
    | {
      readonly runs: readonly ReportRun[];
      readonly verdict: Verdict;
      readonly attention: Attention;
    }
    | { readonly reason: string; readonly isUnknownId: boolean }
  );

type JudgedSchedule = Extract<WatchedSchedule, { readonly verdict: unknown }>;

/** How many runs the strip in a row shows. */
const STRIP_RUNS = 30;

/** The watch list, with a row for each schedule. */
export function WatchTable({ schedules, dictionary, isOwn }: {
  /** Most urgent first. */
  readonly schedules: readonly WatchedSchedule[];
  readonly dictionary: StatusDictionary;
  /** Whether this is the reader's own list, which they can change. */
  readonly isOwn: boolean;
}) {
  const columns: readonly Column<WatchedSchedule>[] = [
    {
      name: "Schedule",
      cell: ({ scheduleId, name, reportTitle }) => (
        <>
          <a href={scheduleHref(scheduleId)}>{scheduleId} {name}</a>
          {reportTitle && <small class="help">{` ${reportTitle}`}</small>}
        </>
      ),
    },
    { name: "State", kind: "sentence", cell: stateOf },
    {
      name: "Latest runs",
      cell: judged(({ runs, scheduleId }) =>
        runs.length > 0 && (
          <RunStrip
            runs={runs.slice(0, STRIP_RUNS)}
            scheduleId={scheduleId}
            dictionary={dictionary}
          />
        )
      ),
    },
    {
      name: "Last status",
      cell: judged(({ verdict: { health: { latest } } }) =>
        latest && (
          <StatusMark status={latest.status} meaning={meaningOf(latest.status, dictionary)} />
        )
      ),
    },
    { name: "Failing since", kind: "time", cell: judged(failingSince) },
    {
      name: "Next run",
      kind: "time",
      cell: judged(({ verdict: { schedule } }) =>
        schedule?.next && (
          <>
            <Moment at={schedule.next} /> ({schedule.source})
          </>
        )
      ),
    },
    {
      name: "Duration (p95)",
      kind: "number",
      cell: judged(({ verdict: { durations: { p95 } } }) => p95 !== null && formatDuration(p95)),
    },
  ];
  return (
    <DataTable
      name="Watched schedules"
      class="watch"
      columns={isOwn ? [...columns, UNWATCH] : columns}
      rows={schedules}
      keyOf={({ scheduleId }) => scheduleId}
    />
  );
}

const UNWATCH: Column<WatchedSchedule> = {
  name: "Actions",
  isUnseen: true,
  cell: ({ scheduleId }) => (
    <button type="submit" class="quiet" form="watch-change" name="remove" value={scheduleId}>
      Unwatch <span class="unseen">{scheduleId}</span>
    </button>
  ),
};

/** A cell that is missing if there is nothing to show, and empty if a schedule was not loaded. */
function judged(cell: (schedule: JudgedSchedule) => ComponentChildren) {
  return (schedule: WatchedSchedule) => "verdict" in schedule && (cell(schedule) || null);
}

/** How a schedule is and why, or why that is not known. */
function stateOf(schedule: WatchedSchedule) {
  if ("reason" in schedule) {
    const { isUnknownId, reason } = schedule;
    return (
      <>
        {isUnknownId
          ? <span class="status off">? Unknown id:</span>
          : <span class="status bad">⚠ Not loaded:</span>} {reason}
      </>
    );
  }
  const { verdict, attention: { reasons } } = schedule;
  const tier = verdict.reasons[0] ? tierOf(verdict.reasons[0]) : "unknown";
  return (
    <>
      <StateBadge state={verdict.state} alarm={alarmOf(verdict)} />{" "}
      {reasons.length > 0 && <span class={`tier ${tier}`}>{reasons.join("; ")}</span>}
    </>
  );
}

function failingSince({ verdict: { health: { streak } }, scheduleId }: JudgedSchedule) {
  if (streak?.meaning !== "bad") return null;
  return (
    <>
      <RunLink run={streak.first} scheduleId={scheduleId} />
      {streak.reachesBack && " or earlier"}
    </>
  );
}
