import type { ReportRun } from "../../../lib/types.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Moment } from "../../ui/moment.tsx";
import { RunStrip } from "../charts/strip.tsx";
import { scheduleHref } from "../run_links.ts";
import { StatusMark } from "../status_mark.tsx";
import { StateBadge } from "../verdict/state_badge.tsx";
import type { ScheduleRow } from "./schedule_row.ts";

/** A schedule of the watch list. */
export interface WatchRow extends ScheduleRow {
  /** The newest stored runs, newest first. */
  readonly runs: readonly ReportRun[];
  /** What its statuses mean to the watch. */
  readonly statuses: StatusDictionary;
  readonly nextDue: number | null;
  /** Whether somebody confirmed its plan; null without one. */
  readonly planSource: "confirmed" | "inferred" | null;
}

const COLUMNS: readonly Column<WatchRow>[] = [
  {
    name: "Schedule",
    cell: ({ scheduleId, name, reportTitle }) => (
      <>
        <a href={scheduleHref(scheduleId)}>{scheduleId} {name}</a>
        {reportTitle && <small class="help">{` ${reportTitle}`}</small>}
      </>
    ),
  },
  {
    name: "State",
    kind: "sentence",
    cell: ({ headline, sentence, tone }) => (
      <>
        <StateBadge headline={headline} />{" "}
        {sentence && <span class={`tier ${tone}`}>{sentence}</span>}
      </>
    ),
  },
  { name: "Owner", cell: ({ note }) => note || null },
  {
    name: "Latest runs",
    cell: ({ runs, scheduleId, statuses }) =>
      runs.length > 0
        ? <RunStrip runs={runs} scheduleId={scheduleId} dictionary={statuses} />
        : null,
  },
  {
    name: "Last status",
    cell: ({ runs: [latest], statuses }) =>
      latest && <StatusMark status={latest.status} meaning={meaningOf(latest.status, statuses)} />,
  },
  {
    name: "Last success",
    kind: "time",
    cell: ({ lastSuccess }) => lastSuccess === null ? null : <Moment at={lastSuccess} />,
  },
  {
    name: "Next run",
    kind: "time",
    cell: ({ nextDue, planSource }) =>
      nextDue === null ? null : (
        <>
          <Moment at={nextDue} /> ({planSource})
        </>
      ),
  },
  {
    name: "Actions",
    isUnseen: true,
    cell: ({ scheduleId }) => (
      <button type="submit" class="quiet" form="watch-change" name="remove" value={scheduleId}>
        Unwatch <span class="unseen">{scheduleId}</span>
      </button>
    ),
  },
];

/** The watch list, with a row for each schedule, most urgent first. */
export function WatchTable({ rows }: { readonly rows: readonly WatchRow[] }) {
  return (
    <DataTable
      name="Watched schedules"
      class="watch"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ scheduleId }) => scheduleId}
    />
  );
}
