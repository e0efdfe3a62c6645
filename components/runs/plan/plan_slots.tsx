import { formatDuration } from "../../../lib/format.ts";
import type { SlotOutcome } from "../../../lib/judgement/slots.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/data_table.tsx";
import { LoneMoment, Moment } from "../../ui/moment.tsx";
import { runHref } from "../run_links.ts";

export interface PlanSlot {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly outcome: SlotOutcome;
  readonly run: Pick<ReportRun, "id" | "startTime"> | null;
  /** How long after the slot it started, in milliseconds. */
  readonly lateMs: number | null;
  readonly exempt: "paused" | "before" | null;
}

const OUTCOMES: Readonly<Record<SlotOutcome, readonly [meaning: string, words: string]>> = {
  met: ["good", "✓ on time"],
  late: ["neutral", "○ late"],
  missed: ["bad", "✕ missed"],
  overdue: ["bad", "✕ overdue"],
  "made-up": ["neutral", "○ made up by hand"],
  due: ["neutral", "○ due, within grace"],
};

/** The latest planned runs, newest first, with the run that matched each. */
export function PlanSlots({ slots, scheduleId, since }: {
  readonly slots: readonly PlanSlot[];
  readonly scheduleId: number;
  /** Since when the plan is valid, in milliseconds since 1970. */
  readonly since: number;
}) {
  return (
    <>
      <h2>Latest planned runs</h2>
      {slots.some(({ exempt }) => exempt === "before") && (
        <p class="help">
          The plan is valid from{" "}
          <LoneMoment at={since} />. Earlier planned runs only show how it fits: they do not count.
        </p>
      )}
      <DataTable
        name="Latest planned runs"
        columns={columnsOf(scheduleId)}
        rows={slots}
        keyOf={({ at }) => at}
        empty="No planned runs since the first run."
      />
    </>
  );
}

function columnsOf(scheduleId: number): readonly Column<PlanSlot>[] {
  return [
    { name: "Due", kind: "time", cell: ({ at }) => <Moment at={at} /> },
    { name: "Result", cell: (slot) => <Result slot={slot} /> },
    {
      name: "Run started",
      cell: ({ run, lateMs }) =>
        run && (
          <a href={runHref(scheduleId, run.id)} title={run.startTime ?? undefined}>
            {lateMs === null ? `run ${run.id}` : startWords(lateMs)}
          </a>
        ),
    },
  ];
}

/** The day is beside it: only how far the start is from the slot is worth reading. */
function startWords(lateMs: number): string {
  return `${formatDuration(Math.abs(lateMs))} ${lateMs < 0 ? "earlier" : "later"}`;
}

function Result({ slot: { outcome, exempt } }: { readonly slot: PlanSlot }) {
  if (exempt === "paused") return <span class="status neutral">○ no run expected</span>;
  const [meaning, words] = OUTCOMES[outcome];
  if (exempt === "before") return <span class="status off">{words}, not counted</span>;
  return <span class={`status ${meaning}`}>{words}</span>;
}
