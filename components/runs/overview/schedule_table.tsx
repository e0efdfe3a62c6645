import { formatCount } from "../../../lib/format.ts";
import type { Headline } from "../../../lib/judgement/headline.ts";
import type { PlannedRun } from "../../../lib/judgement/judge_schedule.ts";
import { When } from "../../ui/moment.tsx";
import { useMayAct } from "../../ui/reader.tsx";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { Strip, StripLegend } from "../charts/strip.tsx";
import type { Silence } from "../../../lib/judgement/incidents/silence.ts";
import { SilenceNote } from "../incidents/silence.tsx";
import { ownerHref, scheduleHref } from "../run_links.tsx";
import { StateBadge } from "../verdict/state_badge.tsx";

/** A known schedule as a row; times are milliseconds since 1970. */
export interface ScheduleRow {
  readonly scheduleId: number;
  readonly name: string;
  readonly isWatched: boolean;
  readonly reportTitle: string;
  readonly note: string;
  readonly headline: Headline;
  /** Whether it was judged yet. */
  readonly isRead: boolean;
  /** Why it can't be read; null if it can. */
  readonly failure: string | null;
  readonly sentence: string;
  readonly plan: string | null;
  readonly planSource: "confirmed" | "inferred" | null;
  readonly planned: readonly PlannedRun[];
  readonly lastSuccess: number | null;
  /** How many people received its last good run; null if unknown. */
  readonly people: number | null;
  readonly nextDue: number | null;
  readonly silences: readonly Silence[];
}

export function ScheduleTable({ rows, now, hasActions = false }: {
  readonly rows: readonly ScheduleRow[];
  readonly now: number;
  readonly hasActions?: boolean;
}) {
  const canChoose = useMayAct() && hasActions;
  const columns: readonly Column<ScheduleRow>[] = [
    { name: "Schedule", cell: (row) => <ScheduleName row={row} /> },
    { name: "State", cell: (row) => <ScheduleState row={row} now={now} /> },
    {
      name: "Why",
      kind: "sentence",
      cell: ({ sentence }) => sentence,
    },
    { name: "Last 20 planned runs", cell: ({ planned }) => <Strip planned={planned} /> },
    {
      name: "Last sent",
      kind: "time",
      cell: ({ lastSuccess, isRead }) =>
        lastSuccess !== null
          ? <When at={lastSuccess} now={now} hasDistance />
          : isRead
          ? "never"
          : null,
    },
    {
      name: "People",
      kind: "number",
      cell: ({ people }) => people === null ? null : formatCount(people),
    },
    {
      name: "Next run",
      kind: "time",
      cell: ({ nextDue }) => nextDue === null ? null : <When at={nextDue} now={now} />,
    },
    ...(canChoose
      ? [{
        name: "Choose",
        isUnseen: true as const,
        cell: ({ scheduleId }: ScheduleRow) => (
          <input
            type="checkbox"
            form="watch-change"
            name="id"
            value={scheduleId}
            aria-label={`Choose ${scheduleId}`}
          />
        ),
      }]
      : []),
  ];
  return (
    <>
      <DataTable
        name="Schedules"
        class="watch dense"
        columns={columns}
        rows={rows}
        keyOf={({ scheduleId }) => scheduleId}
      />
      <StripLegend
        outcomes={new Set(rows.flatMap(({ planned }) => planned.map(({ outcome }) => outcome)))}
      />
    </>
  );
}

function ScheduleName(
  { row: { scheduleId, name, reportTitle, plan, planSource, note } }: { readonly row: ScheduleRow },
) {
  return (
    <>
      <a href={scheduleHref(scheduleId)}>{name}</a> <span class="id">{scheduleId}</span>{" "}
      <small class="help">
        {reportTitle && `${reportTitle} · `}
        {plan === null ? "no plan yet" : plan}
        {planSource === "inferred" && ", inferred"}
        {note && [" · ", <a key="owner" href={ownerHref(note)}>{note}</a>]}
      </small>
    </>
  );
}

function ScheduleState({ row, now }: { readonly row: ScheduleRow; readonly now: number }) {
  const { scheduleId, name, headline, silences, isWatched, isRead, failure } = row;
  return (
    <>
      {isRead
        ? <StateBadge headline={headline} />
        : <span class="missing">{failure === null ? "not read yet" : "can't be read"}</span>}
      {!isWatched && <small>Not watched, read once a day</small>}
      {silences.map((silence) => (
        <small key={silence.kind}>
          <SilenceNote silence={silence} of={`${scheduleId} ${name}`} now={now} />
        </small>
      ))}
    </>
  );
}
