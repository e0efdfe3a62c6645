import { PlanBacktest } from "../../../../components/runs/plan/plan_backtest.tsx";
import { PLAN_FORM, PlanForm, planHref } from "../../../../components/runs/plan/plan_form.tsx";
import { PlanMonth, PlanSlots, PlanWords } from "../../../../components/runs/plan/plan_preview.tsx";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { type Column, DataTable } from "../../../../components/ui/data_table.tsx";
import { Moment } from "../../../../components/ui/moment.tsx";
import { PlanPreview } from "../../../../islands/PlanPreview.tsx";
import { formatCountOf } from "../../../../lib/format.ts";
import { actorText } from "../../../../lib/judgement/actor.ts";
import { ProblemError } from "../../../../server/http/problem.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { planFieldsIn, readPlanFields } from "../../../../server/schedules/plan_fields.ts";
import type { WatchEvent } from "../../../../server/store/records/events.ts";
import { loadPage } from "../../../_errors.ts";
import { formActor, redirectWithNotice, rememberName } from "../../_actions.ts";
import { recordsOf } from "../../incidents/_incidents.ts";
import { loadPlan } from "./_load_plan.ts";
import { markIncident, type Refusal, REFUSALS, savePlan } from "./_save_plan.ts";
import { handler, page } from "./$plan.ts";

/** The part that changes while somebody types. */
const PREVIEW = "plan-preview";

export const handlers = handler({
  GET: (ctx) => loadPage(ctx, () => loadPlan(ctx, ctx.url.searchParams)),

  async POST(ctx) {
    const scheduleId = requireScheduleId(ctx.params);
    const form = await readFormBody(ctx.req);
    const records = recordsOf(ctx.state.services);
    const now = Date.now();
    const actor = formActor(ctx.state, form);
    const done = (response: Response) => rememberName(response, form, ctx.state.origin);
    if (form.has("mark") || form.has("unmark")) {
      await markIncident(records, form, { scheduleId, actor, now });
      // Returns to the same plan, which may not be saved.
      return done(ctx.redirect(`${planHref(scheduleId)}${ctx.url.search}`, 303));
    }
    const refuse = async (refused: Refusal) => {
      const result = await loadPage(ctx, () => loadPlan(ctx, form, refused));
      return result.data.shown ? { ...result, status: REFUSALS[refused] } : result;
    };
    const action = form.get("action");
    if (action !== "infer" && action !== "confirm") {
      throw new ProblemError(400, "There is no such action");
    }
    const read = action === "confirm" ? readPlanFields(planFieldsIn(form), now) : null;
    if (read?.issues) return refuse("fields");
    if (!actor) return refuse("name");
    const settings = read
      ? { plan: { ...read.plan, confirmed: now }, pauses: read.pauses }
      : { plan: null };
    const isKept = await savePlan(records, settings, {
      scheduleId,
      actor,
      now,
      seen: form.get("seen"),
    });
    if (!isKept) return refuse("stale");
    const notice = read ? "saved-plan" : "saved-inferred";
    return done(redirectWithNotice(ctx, planHref(scheduleId), notice));
  },
});

export default page(({ data, params, state }) => {
  const { shown } = data;
  return (
    <>
      <ScheduleHeader current="plan" data={data} params={params} state={state} />
      {shown && (
        <>
          {shown.refused && <p class="notice bad" role="alert">{shown.refused}</p>}
          {/* The preview is beside or below the form, so that no field moves while somebody types. */}
          <div class="columns">
            <div>
              <PlanForm scheduleId={shown.scheduleId} {...shown.form} />
              <PlanPreview form={PLAN_FORM} parts={[PREVIEW]} />
            </div>
            <div id={PREVIEW}>
              {shown.plan ? <PlanWords {...shown.plan} /> : (
                <p class="notice">
                  No plan could be inferred from{" "}
                  {formatCountOf(shown.loaded.runs.length, "run", "runs")}. If you know the plan,
                  enter it.
                </p>
              )}
              {shown.plan && (
                <>
                  <PlanSlots
                    slots={shown.plan.slots}
                    pauses={shown.plan.pauses}
                    scheduleId={shown.scheduleId}
                    since={Math.min(shown.plan.countsFrom, shown.plan.plan.since)}
                  />
                  <PlanMonth {...shown.plan.month} />
                </>
              )}
            </div>
          </div>
          {shown.backtest && <PlanBacktest backtest={shown.backtest} />}
          {shown.changes.length > 0 && (
            <>
              <h2>Changes</h2>
              <DataTable name="Changes" columns={CHANGES} rows={shown.changes} />
            </>
          )}
        </>
      )}
    </>
  );
});

const CHANGES: readonly Column<WatchEvent>[] = [
  { name: "When", kind: "time", cell: ({ at }) => <Moment at={at} /> },
  { name: "What", cell: ({ kind }) => kind },
  { name: "Who", cell: ({ actor }) => actor ? actorText(actor) : "Docket" },
  { name: "Note", kind: "sentence", cell: ({ note }) => note },
];
