import { formatDuration } from "../../../lib/format.ts";
import type { Verdict } from "../../../lib/runs/judge/judge_schedule.ts";
import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { headingOf } from "../../ui/data_table.tsx";
import { TableFrame } from "../../ui/table_frame.tsx";
import { Missing, Moment } from "../../ui/moment.tsx";
import type { Attention } from "./attention.ts";
import { RunLink } from "../run_link.tsx";
import { scheduleHref } from "../run_links.ts";
import { alarmOf, StateBadge, tierOf } from "../verdict/state_badge.tsx";
import { StatusMark } from "../status_mark.tsx";
import { RunStrip } from "../charts/strip.tsx";

/** A schedule of the watch list, judged or not loaded. */
export type WatchedSchedule =
  & { readonly scheduleId: number; readonly rank: number }
  & (
    | {
      readonly runs: readonly ReportRun[];
      readonly verdict: Verdict;
      readonly attention: Attention;
    }
    | { readonly reason: string; readonly isUnknownId: boolean }
  );

/** How many runs the strip of a row shows. */
const STRIP_RUNS = 30;

const ACTIONS = "Actions";
const HEADINGS: readonly Parameters<typeof headingOf>[0][] = [
  { name: "Schedule" },
  { name: "Attention" },
  { name: "Latest runs" },
  { name: "Last status" },
  { name: "Failing since", kind: "time" },
  { name: "Next run", kind: "time" },
  { name: "Duration (p95)", kind: "number" },
  { name: ACTIONS, isUnseen: true },
];

/** The watch list, with a row for each schedule. */
export function WatchTable({ schedules, dictionary, isOwn }: {
  /** The most urgent first. */
  readonly schedules: readonly WatchedSchedule[];
  readonly dictionary: StatusDictionary;
  /** Whether this is the reader's own list, which can be changed. */
  readonly isOwn: boolean;
}) {
  return (
    <TableFrame
      name="Watched schedules"
      class="watch"
      hasTimes
      headings={HEADINGS.filter(({ name }) => isOwn || name !== ACTIONS).map(headingOf)}
    >
      {schedules.map((schedule) => (
        <tr key={schedule.scheduleId}>
          <th scope="row">
            <a href={scheduleHref(schedule.scheduleId)}>{nameOf(schedule)}</a>
          </th>
          {"reason" in schedule
            ? (
              <td class={schedule.isUnknownId ? "reasons off" : "reasons"} colSpan={6}>
                {schedule.isUnknownId
                  ? <span class="status off">? Unknown id:</span>
                  : <span class="status bad">⚠ Not loaded:</span>} {schedule.reason}
              </td>
            )
            : <Cells schedule={schedule} dictionary={dictionary} />}
          {isOwn && (
            <td>
              <button
                type="submit"
                class="quiet"
                form="watch-change"
                name="remove"
                value={schedule.scheduleId}
              >
                Remove <span class="unseen">{schedule.scheduleId}</span>
              </button>
            </td>
          )}
        </tr>
      ))}
    </TableFrame>
  );
}

function nameOf(schedule: WatchedSchedule): string {
  const runs = "runs" in schedule ? schedule.runs : [];
  const title = runs.find(({ reportTitle }) => !!reportTitle)?.reportTitle;
  return [schedule.scheduleId, title].filter(Boolean).join(" ");
}

function Cells({ schedule: { scheduleId, runs, verdict, attention }, dictionary }: {
  readonly schedule: Extract<WatchedSchedule, { readonly runs: unknown }>;
  readonly dictionary: StatusDictionary;
}) {
  const { health: { latest, streak }, schedule, durations } = verdict;
  const tier = verdict.reasons[0] ? tierOf(verdict.reasons[0]) : "unknown";
  const failing = streak?.meaning === "bad" ? streak : null;
  return (
    <>
      <td class="reasons">
        <StateBadge state={verdict.state} alarm={alarmOf(verdict)} /> {attention.reasons.length > 0
          ? <span class={`tier ${tier}`}>{attention.reasons.join("; ")}</span>
          : "none"}
      </td>
      <td>
        {runs.length > 0
          ? (
            <RunStrip
              runs={runs.slice(0, STRIP_RUNS)}
              scheduleId={scheduleId}
              dictionary={dictionary}
            />
          )
          : <Missing />}
      </td>
      <td>
        {latest
          ? <StatusMark status={latest.status} meaning={meaningOf(latest.status, dictionary)} />
          : <Missing />}
      </td>
      <td>
        {failing ? <RunLink run={failing.first} scheduleId={scheduleId} /> : <Missing />}
        {failing?.reachesBack && " or earlier"}
      </td>
      <td>
        {schedule?.next
          ? (
            <>
              <Moment at={new Date(schedule.next).toISOString()} /> ({schedule.source})
            </>
          )
          : <Missing />}
      </td>
      <td class="number">
        {durations.p95 === null ? <Missing /> : formatDuration(durations.p95)}
      </td>
    </>
  );
}
