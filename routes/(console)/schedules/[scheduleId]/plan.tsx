import { planHref } from "../../../../components/runs/run_links.tsx";
import { PlannedRuns, PlanWords } from "../../../../components/runs/plan/planned_runs.tsx";
import { NextRuns } from "../../../../components/runs/schedule_side.tsx";
import { LoadedNote, ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { When } from "../../../../components/ui/moment.tsx";
import { Change, separated } from "../../../../components/ui/section.tsx";
import { PlanPreview } from "../../../../islands/PlanPreview.tsx";
import { formatCountOf } from "../../../../lib/format.ts";
import { loadPlan, savePlanForm } from "../../../../server/pages/plan.ts";
import { loadPage } from "../../../_errors.ts";
import { noSuchAction, openForm } from "../../_actions.ts";
import { BacktestResult, PLAN_FORM, PlanChanges, PlanFacts, PlanForm } from "./_plan_parts.tsx";
import { handler, page } from "./$plan.ts";

export const handlers = handler({
  GET: (ctx) => loadPage(ctx, () => loadPlan(ctx, ctx.url.searchParams)),

  async POST(ctx) {
    const { form, acting, attempt, go } = await openForm(ctx);
    const action = form.get("action");
    if (action === null) return loadPage(ctx, () => loadPlan(ctx, form));
    if (action !== "infer" && action !== "confirm") throw noSuchAction();
    const status = await attempt(() => savePlanForm(ctx, form, acting));
    if (status === null) {
      const notice = action === "confirm" ? "saved-plan" : "saved-inferred";
      return go(planHref(ctx.params.scheduleId), notice);
    }
    const isRefused = ctx.state.refused?.issues.person === undefined;
    const how = { isRefused, isStale: status === 409 };
    const result = await loadPage(ctx, () => loadPlan(ctx, form, how));
    return result.data.shown ? { ...result, status } : result;
  },
});

/** The part that changes while somebody types. */
const PREVIEW = "plan-preview";

export default page(({ data, params, state }) => {
  const { shown } = data;
  const header = <ScheduleHeader current="plan" {...{ data, params, state }} />;
  if (!shown) return header;
  const { scheduleId, standing, preview, form, loaded } = shown;
  const isRefused = state.refused !== undefined && shown.confirm === null;
  const isAsked = preview !== null || isRefused || Object.keys(form.issues).length > 0;
  return (
    <>
      {header}
      <LoadedNote loaded={loaded} />
      {standing ? <PlanFacts {...standing} runs={loaded.runs.length} /> : (
        <p class="notice">
          No plan could be inferred from{" "}
          {formatCountOf(loaded.runs.length, "run", "runs")}. If you know the plan, enter it.
        </p>
      )}
      <Change name="Change…" open={isAsked || !standing}>
        {/* The preview is beside or below the form, so that no field moves while somebody types. */}
        <div class="columns">
          <div>
            <PlanForm {...{ scheduleId, form }} fitsNone={preview?.fitsNone ?? false} />
            <PlanPreview form={PLAN_FORM} parts={[PREVIEW, "plan-fits"]} />
          </div>
          <section id={PREVIEW} aria-label="Preview">
            {preview && (
              <>
                <h2>
                  Due <PlanWords plan={preview.plan} />
                </h2>
                <p>
                  Not saved yet. {preview.coming.length === 0 ? "No run is expected" : [
                    "Next: ",
                    ...separated(preview.coming.slice(0, 3).map((at) => <When key={at} at={at} />)),
                  ]}.
                </p>
                {preview.misfit && <p class="notice warning">{preview.misfit}.</p>}
                {preview.backtest && <BacktestResult backtest={preview.backtest} />}
                <PlannedRuns
                  name="With this plan"
                  planned={preview.planned}
                  scheduleId={scheduleId}
                />
              </>
            )}
            {!preview && <p class="help">Change a field to see its planned runs here.</p>}
          </section>
        </div>
      </Change>
      <div class="beside">
        <div>
          <h2>Latest planned runs</h2>
          <PlannedRuns
            name="Latest planned runs"
            planned={standing?.planned ?? []}
            scheduleId={scheduleId}
          />
        </div>
        <div id="side">
          {standing && <NextRuns coming={standing.coming} />}
          <PlanChanges changes={shown.changes} />
        </div>
      </div>
    </>
  );
});
