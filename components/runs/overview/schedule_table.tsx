import { formatCount } from "../../../lib/format.ts";
import { Ago, Soon } from "../../ui/ago.tsx";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Strip, StripLegend } from "../charts/strip.tsx";
import { scheduleHref } from "../run_links.ts";
import { StateBadge } from "../verdict/state_badge.tsx";
import type { ScheduleRow } from "./schedule_row.ts";

/** The watched schedules, most urgent first, with what their marks mean. */
export function ScheduleTable({ rows, now, hasActions = false }: {
  readonly rows: readonly ScheduleRow[];
  readonly now: number;
  /** Whether schedules can be unwatched here, by the form `watch-change`. */
  readonly hasActions?: boolean;
}) {
  return (
    <>
      <DataTable
        name="Watched schedules"
        class="watch dense"
        columns={columnsOf(now, hasActions)}
        rows={rows}
        keyOf={({ scheduleId }) => scheduleId}
      />
      <StripLegend />
    </>
  );
}

function columnsOf(now: number, hasActions: boolean): readonly Column<ScheduleRow>[] {
  return [
    { name: "Schedule", cell: (row) => <ScheduleName row={row} /> },
    { name: "State", cell: (row) => <ScheduleState row={row} now={now} /> },
    { name: "Owner", cell: ({ note }) => note || null },
    { name: "Last planned runs", cell: ({ planned }) => <Strip planned={planned} /> },
    {
      name: "Last sent",
      cell: ({ lastSuccess }) =>
        lastSuccess === null ? "never" : <Ago at={lastSuccess} now={now} />,
    },
    {
      name: "People",
      kind: "number",
      cell: ({ people }) => people === null ? null : formatCount(people),
    },
    {
      name: "Next",
      kind: "time",
      cell: ({ nextDue }) => nextDue === null ? null : <Soon at={nextDue} now={now} />,
    },
    ...(hasActions
      ? [{
        name: "Actions",
        isUnseen: true as const,
        cell: ({ scheduleId }: ScheduleRow) => (
          <button type="submit" class="quiet" form="watch-change" name="remove" value={scheduleId}>
            Unwatch <span class="unseen">{scheduleId}</span>
          </button>
        ),
      }]
      : []),
  ];
}

function ScheduleName(
  { row: { scheduleId, name, reportTitle, plan, planSource } }: { readonly row: ScheduleRow },
) {
  return (
    <>
      <a href={scheduleHref(scheduleId)}>{scheduleId} {name}</a>
      <small class="help">
        {reportTitle && `${reportTitle} · `}
        {plan === null ? "no plan yet" : plan}
        {planSource === "inferred" && " (inferred)"}
      </small>
    </>
  );
}

function ScheduleState({ row, now }: { readonly row: ScheduleRow; readonly now: number }) {
  const { headline, sentence, tone, mutedUntil, pausedUntil } = row;
  return (
    <>
      <StateBadge headline={headline} />
      {sentence && <small class={`tier ${tone}`}>{sentence}</small>}
      {mutedUntil !== null && (
        <small>
          Muted, ends <Ago at={mutedUntil} now={now} />
        </small>
      )}
      {pausedUntil !== undefined && (
        <small>
          Paused{pausedUntil !== null && (
            <>
              , ends <Ago at={pausedUntil} now={now} />
            </>
          )}
        </small>
      )}
    </>
  );
}
