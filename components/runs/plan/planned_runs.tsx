import { useContext } from "preact/hooks";
import { capitalized, formatDuration } from "../../../lib/format.ts";
import { describePlan, planForReader } from "../../../lib/judgement/plans/describe.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import type { JudgedSlot } from "../../../lib/judgement/slots.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { type Column, DataTable } from "../../ui/list.tsx";
import { Marked } from "../../ui/notices.tsx";
import { useMoment, When } from "../../ui/moment.tsx";
import { PLANNED_MARKS, SIGNS } from "../charts/strip.tsx";
import { resultWords, Statuses } from "../run_words.tsx";
import { MARKS } from "../verdict/state_badge.tsx";
import { runHref } from "../run_links.tsx";

interface ShownSlot extends JudgedSlot<ReportRun> {
  readonly isPaused: boolean;
  /** Whether the plan judges it; by default it does. */
  readonly isCounted?: boolean;
}

/** A plan in words, such as `daily at 08:00`; without its zone where that stands beside it. */
export function PlanWords({ plan, isZoneBeside }: {
  readonly plan: Plan;
  readonly isZoneBeside?: true;
}) {
  const moment = useMoment();
  return <>{isZoneBeside ? planForReader(plan, moment).words : describePlan(plan, moment)}</>;
}

/** The latest planned runs, newest first, with what became of each. */
export function PlannedRuns({ name, planned, scheduleId }: {
  readonly name: string;
  readonly planned: readonly ShownSlot[];
  readonly scheduleId: number;
}) {
  const statuses = useContext(Statuses);
  const columns: readonly Column<ShownSlot>[] = [
    { name: "Due", cell: ({ at }) => <When at={at} /> },
    {
      name: "Result",
      cell: (slot) => {
        const { mark: [sign, tone], words } = outcomeWords(slot, statuses);
        const isJudged = slot.isCounted !== false && !slot.isPaused;
        return (
          <Marked mark={[sign, isJudged ? tone : "off"]}>
            {words}
            {slot.isCounted === false && ", before this plan"}
          </Marked>
        );
      },
    },
    {
      name: "Started",
      cell: ({ at, runs: [first] }) => {
        if (!first) return null;
        const span = formatDuration(Math.abs(first.time - at));
        const words = `${span} ${first.time < at ? "earlier" : "later"}`;
        return (
          <a href={runHref(scheduleId, first.run.id)}>
            {words}{" "}
            <span class="unseen">
              than <When at={at} />
            </span>
          </a>
        );
      },
    },
  ];
  return (
    <DataTable
      name={name}
      class="slots"
      columns={columns}
      rows={planned}
      empty="No planned runs since the first run."
    />
  );
}

const STARTS = { met: "on time", late: "late", "by-hand": "by hand" } as const;

/** What became of a planned run, such as `Failed, started on time`. A retry that went out counts. */
function outcomeWords(
  { outcome, runs, isPaused }: ShownSlot,
  statuses: StatusDictionary,
): { readonly mark: readonly [sign: string, tone: string]; readonly words: string } {
  const run = runs.find(({ meaning }) => meaning === "good") ?? runs.at(-1);
  const toned = (tone: keyof typeof SIGNS, words: string) =>
    ({ mark: [SIGNS[tone], tone], words }) as const;
  if (isPaused && !run) return toned("neutral", "Not expected");
  if (!run || !Object.hasOwn(STARTS, outcome)) {
    const { tone, words } = PLANNED_MARKS[outcome];
    const isState = outcome === "missed" || outcome === "overdue";
    return isState
      ? { mark: MARKS[outcome], words: capitalized(words) }
      : toned(tone, capitalized(words));
  }
  const started = STARTS[outcome as keyof typeof STARTS];
  const result = resultWords(run.run, statuses);
  if (run.meaning !== "good") {
    return toned(run.meaning === "bad" ? "bad" : "neutral", `${result}, started ${started}`);
  }
  return toned(outcome === "met" ? "good" : "late", `${result}, ${started}`);
}
