import type { StatusDictionary } from "../../lib/runs/status.ts";
import { meaningOf } from "../../lib/runs/status.ts";
import type { ReportRun } from "../../lib/types.ts";
import { formatDuration } from "../ui/format.ts";
import { Missing, Moment, ZoneName } from "../ui/moment.tsx";
import type { Attention } from "./attention.ts";
import type { Judgement } from "../../lib/runs/judgement.ts";
import { StatusMark } from "./status_mark.tsx";
import { RunStrip } from "./strip.tsx";
import { runHref } from "./view.ts";

/** A schedule of the watch list: judged, or with what went wrong. */
export type WatchedSchedule =
  & { readonly scheduleId: number; readonly rank: number }
  & (
    | {
      readonly runs: readonly ReportRun[];
      readonly judgement: Judgement;
      readonly attention: Attention;
    }
    | { readonly why: string }
  );

/** How many runs a row's strip shows. */
const STRIP_RUNS = 30;

/** Watched schedules, a row each. */
export function WatchTable({ schedules, dictionary, isOwn }: {
  /** Those that need attention first. */
  readonly schedules: readonly WatchedSchedule[];
  readonly dictionary: StatusDictionary;
  /** Whether these are the reader's own, which can be removed. */
  readonly isOwn: boolean;
}) {
  return (
    <div class="scroll watch" role="region" aria-label="Watched schedules" tabIndex={0}>
      <table>
        <caption class="unseen">
          Watched schedules, times in <ZoneName />
        </caption>
        <thead>
          <tr>
            <th scope="col">schedule</th>
            <th scope="col">attention</th>
            <th scope="col">latest runs</th>
            <th scope="col">last status</th>
            <th scope="col">
              failing since <ZoneName />
            </th>
            <th scope="col">
              next expected, inferred <ZoneName />
            </th>
            <th scope="col" class="number">p95</th>
            {isOwn && (
              <th scope="col">
                <span class="unseen">change</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {schedules.map((schedule) => (
            <tr key={schedule.scheduleId}>
              <th scope="row">
                <a href={`/schedules/${schedule.scheduleId}`}>{nameOf(schedule)}</a>
              </th>
              {"why" in schedule
                ? (
                  <td class="why" colSpan={6}>
                    <span class="status bad">⚠ not loaded:</span> {schedule.why}
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
        </tbody>
      </table>
    </div>
  );
}

function nameOf(schedule: WatchedSchedule): string {
  const title = "why" in schedule
    ? undefined
    : schedule.runs.find(({ reportTitle }) => !!reportTitle)?.reportTitle;
  return title ? `${schedule.scheduleId} ${title}` : String(schedule.scheduleId);
}

function Cells({ schedule: { scheduleId, runs, judgement, attention }, dictionary }: {
  readonly schedule: Extract<WatchedSchedule, { readonly runs: unknown }>;
  readonly dictionary: StatusDictionary;
}) {
  const { health: { latest, streak }, cadence, durations } = judgement;
  return (
    <>
      <td class="why">
        {attention.reasons.length > 0
          ? <span class="status bad">⚠ {attention.reasons.join("; ")}</span>
          : "none"}
      </td>
      <td>
        {runs.length > 0
          ? (
            <RunStrip
              runs={runs.slice(0, STRIP_RUNS)}
              dictionary={dictionary}
              href={(runId) => runHref(scheduleId, runId)}
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
        {streak?.meaning === "bad"
          ? (
            <a href={runHref(scheduleId, streak.first.id)}>
              <Moment at={streak.first.startTime} />
            </a>
          )
          : <Missing />}
        {streak?.meaning === "bad" && streak.reachesBack && " or longer"}
      </td>
      <td>
        {cadence ? <Moment at={new Date(cadence.next).toISOString()} /> : <Missing />}
      </td>
      <td class="number">
        {durations.p95 === null ? <Missing /> : formatDuration(durations.p95)}
      </td>
    </>
  );
}
