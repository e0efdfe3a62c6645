import { planHref } from "../../../../components/runs/run_links.tsx";
import { PlannedRuns } from "../../../../components/runs/plan/planned_runs.tsx";
import { NextRuns } from "../../../../components/runs/schedule_side.tsx";
import { LoadedNote, ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { FactRow } from "../../../../components/runs/verdict/facts.tsx";
import { When } from "../../../../components/ui/moment.tsx";
import { PlanPreview } from "../../../../islands/PlanPreview.tsx";
import { formatCountOf, formatDuration } from "../../../../lib/format.ts";
import { describePlan } from "../../../../lib/judgement/plans/describe.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { loadPlan, REFUSALS, savePlanForm } from "../../../../server/pages/plan.ts";
import { loadPage } from "../../../_errors.ts";
import { formActor, redirectWithNotice, rememberName } from "../../_actions.ts";
import { BacktestResult, ConfirmPlan, PLAN_FORM, PlanForm } from "./_plan_form.tsx";
import { handler, page } from "./$plan.ts";

export const handlers = handler({
  GET: (ctx) => loadPage(ctx, () => loadPlan(ctx, ctx.url.searchParams)),

  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const refused = await savePlanForm(ctx, form, formActor(ctx.state, form));
    if (refused) {
      const result = await loadPage(ctx, () => loadPlan(ctx, form, refused));
      return result.data.shown ? { ...result, status: REFUSALS[refused] } : result;
    }
    const notice = form.get("action") === "confirm" ? "saved-plan" : "saved-inferred";
    const response = redirectWithNotice(ctx, planHref(ctx.params.scheduleId), notice);
    return rememberName(response, form, ctx.state.origin);
  },
});

type Shown = Awaited<ReturnType<typeof loadPlan>>;

/** The part that changes while somebody types. */
const PREVIEW = "plan-preview";

export default page(({ data, params, state }) => {
  const { shown } = data;
  return (
    <>
      <ScheduleHeader current="plan" {...{ data, params, state }} />
      {shown && <PlanPage shown={shown} statuses={state.statuses} zone={state.preferences.zone} />}
    </>
  );
});

function PlanPage({ shown, statuses, zone }: {
  readonly shown: Shown;
  readonly zone: string;
  readonly statuses: Parameters<typeof PlannedRuns>[0]["statuses"];
}) {
  const { scheduleId, standing, preview, form, refused, now, loaded } = shown;
  const isAsked = preview !== null || refused !== null || Object.keys(form.issues).length > 0;
  const common = { scheduleId, statuses, now };
  return (
    <>
      <LoadedNote loaded={loaded} />
      {refused && <p class="notice bad" role="alert">{refused}</p>}
      {standing && !form.isConfirmed && !form.whyNotSaved && !isAsked && (
        <ConfirmPlan
          plan={standing.plan}
          runs={loaded.runs.length}
          {...{ scheduleId, form, now }}
        />
      )}
      {standing
        ? <PlanFacts {...standing} {...{ zone, now }} runs={loaded.runs.length} />
        : (
          <p class="notice">
            No plan could be inferred from{" "}
            {formatCountOf(loaded.runs.length, "run", "runs")}. If you know the plan, enter it.
          </p>
        )}
      <details class="change" open={isAsked || !standing}>
        <summary class="button">Change…</summary>
        {/* The preview is beside or below the form, so that no field moves while somebody types. */}
        <div class="columns">
          <div>
            <PlanForm {...{ scheduleId, form }} fitsNone={preview?.fitsNone ?? false} />
            <PlanPreview form={PLAN_FORM} parts={[PREVIEW, "plan-fits"]} />
          </div>
          <section id={PREVIEW} aria-label="Preview">
            {preview && (
              <>
                <h2>Due {describePlan(preview.plan, { zone, now })}</h2>
                <p>
                  Not saved yet. <Next coming={preview.coming} now={now} />
                </p>
                {preview.misfit && <p class="notice warning">{preview.misfit}.</p>}
                {preview.backtest && <BacktestResult backtest={preview.backtest} now={now} />}
                <PlannedRuns name="With this plan" planned={preview.planned} {...common} />
              </>
            )}
            {!preview && <p class="help">Change a field to see its planned runs here.</p>}
          </section>
        </div>
      </details>
      <div class="beside">
        <div>
          <h2>Latest planned runs</h2>
          <PlannedRuns
            name="Latest planned runs"
            planned={standing?.planned ?? []}
            {...common}
          />
        </div>
        <div id="side">
          {standing && <NextRuns coming={standing.coming} now={now} />}
          <Changes changes={shown.changes} now={now} />
        </div>
      </div>
    </>
  );
}

function PlanFacts({ plan, confirmed, fit, misfit, cutMs, coming, runs, zone, now }:
  & NonNullable<Shown["standing"]>
  & { readonly runs: number; readonly zone: string; readonly now: number }) {
  const isOwnZone = plan.zone === zone;
  const cron = plan.cron.map((line) => <code key={line}>{line}</code>);
  const fromRuns = `from ${formatCountOf(runs, "run", "runs")}`;
  return (
    <>
      <FactRow
        facts={[
          {
            name: "Due",
            value: describePlan(plan, { zone, now }),
            note: [...cron, !isOwnZone && ` ${plan.zone}`],
          },
          {
            name: confirmed ? "Confirmed" : "Inferred",
            value: confirmed ? <When at={confirmed.at} now={now} /> : "not confirmed",
            note: confirmed ? confirmed.by : fromRuns,
          },
          {
            name: "On time until",
            value: formatDuration(cutMs ?? plan.graceMs),
            note: "after it is due",
          },
          {
            name: "Fits",
            value: fit ? `${fit.fitting} of ${fit.runs}` : "unknown",
            note: fit ? "of the newest runs" : "too few runs",
          },
          {
            name: "Next run",
            value: coming[0] ? <When at={coming[0]} now={now} /> : "none within a month",
          },
        ]}
      />
      {misfit && <p class="notice warning">{misfit}.</p>}
    </>
  );
}

function Next({ coming, now }: { readonly coming: readonly number[]; readonly now: number }) {
  if (coming.length === 0) return <>No run is due within a month.</>;
  return (
    <>
      Next: {coming.slice(0, 3).map((at, place) => [
        place > 0 && ", ",
        <When key={at} at={at} now={now} />,
      ])}.
    </>
  );
}

function Changes({ changes, now }: Pick<Shown, "changes" | "now">) {
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <ol class="plain happened">
        {changes.map(({ at, kind, by, note }) => (
          <li key={`${at} ${kind}`}>
            <b>
              <When at={at} now={now} />
            </b>{" "}
            {kind} by {by}
            {note && `: ${note}`}
          </li>
        ))}
      </ol>
    </section>
  );
}
