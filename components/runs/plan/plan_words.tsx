import { formatCountOf, formatDuration } from "../../../lib/format.ts";
import { describePlan } from "../../../lib/judgement/plans/describe.ts";
import type { Plan } from "../../../lib/judgement/plans/plan.ts";
import { Fact } from "../../ui/fact.tsx";
import { LoneMoment } from "../../ui/moment.tsx";

export type PlanSource =
  | { readonly kind: "confirmed"; readonly at: number }
  | { readonly kind: "inferred"; readonly runs: number }
  | { readonly kind: "preview" };

export function PlanWords({ plan, source, cutMs, misfit }: {
  readonly plan: Plan;
  readonly source: PlanSource;
  /** How late a run may really start if the next slot cuts the grace; otherwise null. */
  readonly cutMs: number | null;
  readonly misfit?: string | null;
}) {
  return (
    <section aria-labelledby="plan" class="card">
      <h2 id="plan">{source.kind === "preview" ? "Preview" : "Plan"}</h2>
      <p>
        <strong>Due {describePlan(plan)}</strong>
      </p>
      <p>
        <PlanOrigin source={source} />
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
              late counts as the next planned run. So a planned run that has not started is overdue
              after that time, although its grace is longer.
            </p>
          )}
        </Fact>
      </dl>
    </section>
  );
}

function PlanOrigin({ source }: { readonly source: PlanSource }) {
  switch (source.kind) {
    case "confirmed":
      return (
        <>
          Confirmed on <LoneMoment at={source.at} />
        </>
      );
    case "inferred":
      return <>Inferred from {formatCountOf(source.runs, "run", "runs")}, not confirmed</>;
    case "preview":
      return <>Not saved yet. Check the planned runs below, then confirm.</>;
  }
}
