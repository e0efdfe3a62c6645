import { addDays, dayIn } from "../../../lib/days.ts";
import { DAY } from "../../../lib/time_units.ts";
import { formatCount, formatCountOf, formatDuration } from "../../../lib/format.ts";
import type { PlannedDay } from "../../../lib/judgement/planned_days.ts";
import { describePlan } from "../../../lib/judgement/plans/describe.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import { isInPause, type JudgedSlot, type Pause } from "../../../lib/judgement/slots.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable, headingOf } from "../../ui/data_table.tsx";
import { Fact, LoneMoment, Moment } from "../../ui/moment.tsx";
import { TableFrame } from "../../ui/table_frame.tsx";
import { formatMoment } from "../../ui/zone.ts";
import { PLANNED_MARKS } from "../charts/strip.tsx";
import { runHref } from "../run_links.tsx";

export function PlanWords({ plan, isPreview, confirmed, runs, cutMs, misfit }: {
  readonly plan: Plan;
  readonly isPreview: boolean;
  /** When the saved plan was confirmed; null if it was inferred from `runs` runs. */
  readonly confirmed: number | null;
  readonly runs: number;
  /** How late a run may start, if the next slot shortens the grace; otherwise null. */
  readonly cutMs: number | null;
  readonly misfit?: string | null;
}) {
  return (
    <section aria-labelledby="plan" class="card">
      <h2 id="plan">{isPreview ? "Preview" : "Plan"}</h2>
      <p>
        <strong>Due {describePlan(plan)}</strong>
      </p>
      <p>
        {isPreview && "Not saved yet. Check the planned runs below, then confirm."}
        {!isPreview && confirmed === null &&
          `Inferred from ${formatCountOf(runs, "run", "runs")}, not confirmed`}
        {!isPreview && confirmed !== null &&
          ["Confirmed on ", <LoneMoment key="confirmed" at={confirmed} />]}
      </p>
      {misfit && <p class="notice warning">{misfit}.</p>}
      <dl class="facts">
        <Fact name="Cron">
          {plan.cron.map((line) => (
            <div key={line}>
              <code>{line}</code>
            </div>
          ))}
        </Fact>
        <Fact name="Time zone">{plan.zone}</Fact>
        <Fact name="Grace">
          {formatDuration(plan.graceMs)}
          {cutMs !== null && (
            <p class="notice">
              A run that starts more than {formatDuration(cutMs)}{" "}
              late counts as the next planned run. So a run is overdue after that time, even though
              the grace is longer.
            </p>
          )}
        </Fact>
      </dl>
    </section>
  );
}

const SIGNS = { good: "✓", bad: "✕", late: "○", neutral: "○" } as const;

export function PlanSlots({ slots, pauses, scheduleId, since }: {
  readonly slots: readonly JudgedSlot<ReportRun>[];
  readonly pauses: readonly Pause[];
  readonly scheduleId: number;
  readonly since: number;
}) {
  const isPaused = ({ at }: JudgedSlot<ReportRun>) => isInPause(at, pauses);
  const columns: readonly Column<JudgedSlot<ReportRun>>[] = [
    { name: "Due", kind: "time", cell: ({ at }) => <Moment at={at} /> },
    {
      name: "Result",
      cell: (slot) => {
        if (isPaused(slot)) return <span class="status neutral">○ no run expected</span>;
        const { tone, words } = PLANNED_MARKS[slot.outcome];
        const isCounted = slot.at >= since;
        return (
          <span class={`status ${isCounted ? tone : "off"}`}>
            {SIGNS[tone]} {words}
            {!isCounted && ", not counted"}
          </span>
        );
      },
    },
    {
      name: "Run started",
      cell: ({ at, runs: [first] }) => {
        if (!first) return null;
        const { run, time } = first;
        const lateMs = time - at;
        // The first column has the day, so this one says how far the start is from the slot.
        const words = `${formatDuration(Math.abs(lateMs))} ${lateMs < 0 ? "earlier" : "later"}`;
        return <a href={runHref(scheduleId, run.id)} title={run.startTime ?? undefined}>{words}</a>;
      },
    },
  ];
  return (
    <>
      <h2>Latest planned runs</h2>
      {slots.some((slot) => slot.at < since && !isPaused(slot)) && (
        <p class="help">
          The plan is valid from{" "}
          <LoneMoment at={since} />. Earlier planned runs only show how it fits: they do not count.
        </p>
      )}
      <DataTable
        name="Latest planned runs"
        columns={columns}
        rows={slots}
        keyOf={({ at }) => at}
        empty="No planned runs since the first run."
      />
    </>
  );
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

export function PlanMonth({ days, zone, from, to }: {
  readonly days: ReadonlyMap<number, PlannedDay>;
  readonly zone: string;
  readonly from: number;
  readonly to: number;
}) {
  const dayAt = dayIn(zone);
  const [first, last] = [dayAt(from), dayAt(to - 1)];
  const weekday = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const weeks: string[] = [];
  for (let day = addDays(first, -weekday); day <= last; day = addDays(day, 7)) weeks.push(day);
  const timeOf = (at: number) => formatMoment(at, zone).slice(-5);
  return (
    <>
      <h2>Coming month</h2>
      <p class="help">Times in {zone}</p>
      <TableFrame
        name="Coming month"
        class="month"
        headings={WEEKDAYS.map((name) => headingOf({ name }))}
      >
        {weeks.map((monday) => (
          <tr key={monday}>
            {WEEKDAYS.map((name, at) => {
              const day = addDays(monday, at);
              if (day < first || day > last) return <td key={name} />;
              return (
                <td key={name}>
                  <time dateTime={day} class="help">{day.slice(5)}</time>{" "}
                  <Day due={days.get(Date.parse(day) / DAY)} timeOf={timeOf} />
                </td>
              );
            })}
          </tr>
        ))}
      </TableFrame>
    </>
  );
}

function Day({ due, timeOf }: {
  readonly due: PlannedDay | undefined;
  readonly timeOf: (at: number) => string;
}) {
  if (!due) return null;
  const { times, count } = due;
  if (count === 0) return <div class="missing">paused</div>;
  if (count > times.length) return <div>{formatCount(count)} runs</div>;
  return <>{times.map((at) => <div key={at}>{timeOf(at)}</div>)}</>;
}
