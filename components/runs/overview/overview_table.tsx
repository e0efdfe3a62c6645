import { useContext } from "preact/hooks";
import { headingOf } from "../../ui/data_table.tsx";
import { TableFrame } from "../../ui/table_frame.tsx";
import { Ago } from "../../ui/ago.tsx";
import { formatMoment, Zone } from "../../ui/zone.ts";
import { type CellKind, cellWords, type HourCell, worstOf } from "../charts/day_grid.ts";
import { runHref, scheduleHref } from "../run_links.ts";
import { StateMark } from "../verdict/state_badge.tsx";
import type { ScheduleRow } from "./schedule_row.ts";

/** A watched schedule and its last 24 hours. */
export interface OverviewRow extends ScheduleRow {
  readonly cells: readonly HourCell[];
  /** Whether earlier runs of these hours are missing. */
  readonly isCut: boolean;
}

const SIGNS: Readonly<Record<CellKind, string>> = {
  bad: "✕",
  missed: "∅",
  overdue: "!",
  late: "◷",
  neutral: "○",
  good: "✓",
  due: "·",
};

/** The last 24 hours of schedules: one row each, one cell an hour. */
export function OverviewTable({ rows, hours, now }: {
  readonly rows: readonly OverviewRow[];
  readonly hours: readonly number[];
  readonly now: number;
}) {
  const zone = useContext(Zone);
  const clock = hours.map((at) => formatMoment(at, zone).slice(11));
  return (
    <>
      <TableFrame
        name="Runs by hour"
        caption="Watched schedules and their last 24 hours"
        class="day-grid"
        hasTimes
        headings={
          <>
            {headingOf({ name: "Schedule" })}
            {clock.map((text) => (
              <th scope="col" key={text}>
                <abbr title={`from ${text}`}>{text.slice(0, 2)}</abbr>
              </th>
            ))}
          </>
        }
      >
        {rows.map((row) => (
          <tr key={row.scheduleId}>
            <th scope="row">
              <StateMark headline={row.headline} />{" "}
              <a href={scheduleHref(row.scheduleId)}>{row.scheduleId} {row.name}</a>
              <small>
                {row.reportTitle && <span>{row.reportTitle}</span>}
                {row.sentence && <span class={`tier ${row.tone}`}>{row.sentence}</span>}
                <span>
                  {row.note}
                  {row.note && row.lastSuccess !== null && " · "}
                  {row.lastSuccess !== null && (
                    <>
                      last success <Ago at={row.lastSuccess} now={now} />
                    </>
                  )}
                </span>
                {row.isCut && <span>Only the newest runs are shown.</span>}
              </small>
            </th>
            {row.cells.map((cell, index) => hourCell(cell, clock[index], row.scheduleId))}
          </tr>
        ))}
      </TableFrame>
      <p class="help day-key">
        Each column is an hour: <b class="cell good">✓</b> succeeded, <b class="cell bad">✕</b>{" "}
        failed, <b class="cell missed">∅</b> missed, <b class="cell overdue">!</b> overdue,{" "}
        <b class="cell late">◷</b> succeeded late, <b class="cell neutral">○</b> another status,
        {" "}
        <b class="cell due">·</b> due. Without a frame: not planned.
      </p>
    </>
  );
}

/**
 * A function instead of a component: a page has thousands of cells. A failure leads to its run; what
 * is well is no link, so that few stops are between the rows for the keyboard.
 */
function hourCell(cell: HourCell, from: string, scheduleId: number) {
  const kind = worstOf(cell);
  if (kind === null) return <td />;
  const style = `cell ${kind}${cell.isUnplanned ? " free" : ""}`;
  const words = `${from}: ${cellWords(cell)}`;
  if (cell.failedRun !== undefined) {
    return (
      <td>
        <a
          class={style}
          href={runHref(scheduleId, cell.failedRun)}
          title={words}
          aria-label={words}
        >
          {SIGNS[kind]}
        </a>
      </td>
    );
  }
  return (
    <td>
      <b class={style} role="img" title={words}>{SIGNS[kind]}</b>
    </td>
  );
}
