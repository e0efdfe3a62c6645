import { Timeline } from "../../../../components/runs/incidents/timeline.tsx";
import { PlanBacktest } from "../../../../components/runs/plan/plan_backtest.tsx";
import { PLAN_FORM, PlanForm, planHref } from "../../../../components/runs/plan/plan_form.tsx";
import { PlanMonth } from "../../../../components/runs/plan/plan_month.tsx";
import { type PlanSlot, PlanSlots } from "../../../../components/runs/plan/plan_slots.tsx";
import { type PlanSource, PlanWords } from "../../../../components/runs/plan/plan_words.tsx";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { PlanPreview } from "../../../../islands/PlanPreview.tsx";
import { formatCountOf } from "../../../../lib/format.ts";
import { latestSlots } from "../../../../lib/runs/judge/latest_slots.ts";
import { isInPause, type JudgedSlot, type Pause } from "../../../../lib/runs/judge/slots.ts";
import { cutGrace, type Plan, planSlots } from "../../../../lib/runs/plans/plan.ts";
import type { StatusDictionary } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";
import { ProblemError } from "../../../../server/http/problem.ts";
import { readPersonName, writePersonName } from "../../../../server/http/person_name.ts";
import { reasonOf } from "../../../../server/log/log_problem.ts";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { scheduleIdOf } from "../../../../server/http/schedule_id.ts";
import { judgeLoaded } from "../../../../server/schedules/judge_loaded.ts";
import {
  PLAN_FIELDS,
  planFieldsIn,
  planFieldsOf,
  type PlanIssues,
  readPlanFields,
} from "../../../../server/schedules/plan_fields.ts";
import { planSummary, planVersion } from "../../../../server/schedules/kept_plan.ts";
import { misfit, planFit } from "../../../../server/schedules/plan_fit.ts";
import { statusesToWatchBy } from "../../../../server/schedules/status_dictionary.ts";
import type { Records } from "../../../../server/store/observer/records.ts";
import type { ConfirmedPlan, Watch, WatchEvent } from "../../../../server/store/observer/types.ts";
import { type WatchAction, watchEvent } from "../../../../server/store/observer/watch_events.ts";
import { loadPage } from "../../../_errors.ts";
import { redirectWithNotice } from "../../_notices.ts";
import { typedText } from "../../_person.ts";
import { recordsOf, whyNotLooked } from "../../incidents/_incidents.ts";
import { judgingOf, loadSchedule, type ScheduleContext } from "../_runs.ts";
import { handler, page } from "./$plan.ts";

/** How many slots are compared with the runs. */
const SLOTS = 20;
const CHANGES = 20;
const DAY = 86_400_000;
/** A page replays at most this many runs: a year of failures takes seconds. */
const REPLAYED_RUNS = 500;
const COMING_MS = 31 * DAY;

/** What is updated while somebody types: the plan in words, its slots and the coming month. */
const WORDS = "plan-words";
const SLOTS_PART = "plan-slots";
const PARTS = [WORDS, SLOTS_PART];

export const handlers = handler({
  GET: (ctx) => loadPage(ctx, () => loadPlan(ctx, ctx.url.searchParams)),

  async POST(ctx) {
    const scheduleId = scheduleIdOf(ctx.params);
    const form = await readFormBody(ctx.req);
    const records = recordsOf(ctx.state.services);
    const now = Date.now();
    const person = typedText(form, "name");
    const by = { scheduleId, person, now };
    const remembering = (response: Response) => {
      writePersonName(response.headers, person, ctx.state.origin.startsWith("https:"));
      return response;
    };
    if (form.has("mark") || form.has("unmark")) {
      await mark(records, form, by);
      // Return to the same plan, which may not be saved.
      return remembering(ctx.redirect(`${planHref(scheduleId)}${ctx.url.search}`, 303));
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
    if (person === "") return refuse("name");
    const settings = read
      ? { plan: { ...read.plan, confirmed: now }, pauses: read.pauses }
      : { plan: null };
    const { statuses } = ctx.state.preferences;
    const isKept = await keep(records, settings, { ...by, seen: form.get("seen"), statuses });
    if (!isKept) return refuse("stale");
    const notice = read ? "saved-plan" : "saved-inferred";
    return remembering(redirectWithNotice(ctx, planHref(scheduleId), notice));
  },
});

/** Why nothing is saved, and the status that says so. */
const REFUSALS = { fields: 400, name: 400, stale: 409 } as const;
type Refusal = keyof typeof REFUSALS;

/**
 * Saves a plan, or that it is inferred. A plan also watches the schedule if nobody did: with the
 * reader's meanings of statuses. False if something else was saved than what the person has seen.
 */
async function keep(
  { watches, commit }: Records,
  settings: { readonly plan: ConfirmedPlan | null; readonly pauses?: readonly Pause[] },
  { seen, statuses, ...by }: WatchAction & {
    /** The version that the form was made for; null if it is not known. */
    readonly seen: string | null;
    readonly statuses: StatusDictionary;
  },
): Promise<boolean> {
  const { scheduleId, now } = by;
  const { plan, pauses = [] } = settings;
  const done = plan
    ? watchEvent("plan confirmed", by, { note: planSummary({ plan, pauses }) })
    : watchEvent("plan left to Docket", by);
  if (plan) {
    const whole = { statuses: statusesToWatchBy(statuses), ...settings };
    const [added] = await watches.add([scheduleId], now, whole);
    if (added !== undefined) return await commit([done]);
  }
  const change = (watch: Watch) => seen && seen !== planVersion(watch) ? null : settings;
  return await watches.change(scheduleId, change, now, [done]);
}

/** At most this many marks are kept; the oldest are dropped first. */
const MOST_MARKS = 500;

/** Marks an incident of a backtest as false, or unmarks it. */
async function mark({ watches }: Records, form: URLSearchParams, by: WatchAction): Promise<void> {
  const key = form.get("mark") ?? form.get("unmark")!;
  if (!/^[a-z-]{1,40}-\d{1,16}$/.test(key)) {
    throw new ProblemError(400, "mark and unmark must be the key of an incident");
  }
  if (by.person === "") {
    throw new ProblemError(400, "Enter your name: it is recorded with the mark");
  }
  const isFalse = form.has("mark");
  const change = ({ falseIncidents }: Watch) => {
    const others = falseIncidents.filter((other) => other !== key);
    return { falseIncidents: isFalse ? [...others, key].slice(-MOST_MARKS) : others };
  };
  const kind = isFalse ? "incident marked as false" : "incident no longer marked";
  const done = watchEvent(kind, by, { note: key });
  if (!await watches.change(by.scheduleId, change, by.now, [done])) {
    throw new ProblemError(409, "The schedule is not watched, so nothing can be marked");
  }
}

/** The current plan, or the one that a form describes. */
async function loadPlan(ctx: ScheduleContext, form: URLSearchParams, refused?: Refusal) {
  const { services, preferences: { statuses, zone } } = ctx.state;
  const schedule = await loadSchedule(ctx);
  const { loaded: { runs }, settings } = schedule;
  const now = Date.now();
  const standing = settings.plan ??
    (await judgeLoaded(schedule.loaded, { ...judgingOf(ctx), now })).schedule?.plan ?? null;
  const version = planVersion(settings);
  const typedName = form.get("name") ?? "";
  // Whoever follows a link must not act by the name in it.
  const person = refused ? typedName : readPersonName(ctx.req.headers) || typedName;
  const present = planFieldsOf(standing, settings.pauses, { now, zone });
  const fields = form.has("cron") ? planFieldsIn(form) : present;
  const isChanged = PLAN_FIELDS.some((name) => fields[name] !== present[name]);
  const read = isChanged ? readPlanFields(fields, now) : null;
  const isPreview = read !== null && read.issues === null;
  const plan = isPreview ? read.plan : standing;
  const pauses = isPreview ? read.pauses : settings.pauses;
  const issues: PlanIssues = read?.issues ?? {};
  const coming = plan ? planSlots(plan, now, now + COMING_MS) : [];
  const replayed = runs.slice(0, REPLAYED_RUNS);
  const incidentsOf = async (of: Plan | null, during: readonly Pause[]) => {
    const options = { now, plan: of, pauses: during, statuses };
    return (await services.judging.backtest(replayed, options, ctx.req.signal)).incidents;
  };
  return {
    ...schedule,
    changes: await loadChanges(ctx.state, schedule.scheduleId),
    refused: refused === "name"
      ? "Enter your name: it is recorded with the change."
      : refused === "stale"
      ? "Nothing was saved, because somebody else has changed this meanwhile: see the changes at " +
        `the end of the page. Saved is now: ${planSummary(settings)}. What you typed is still ` +
        "below. To replace what is saved, press the button again."
      : null,
    backtest: form.has("backtest") && plan && Object.keys(issues).length === 0
      ? {
        runs: replayed.length,
        fit: planFit(plan, runs),
        incidents: await incidentsOf(plan, pauses),
        standing: isPreview ? await incidentsOf(standing, settings.pauses) : null,
        falseIncidents: settings.falseIncidents,
        person,
        href: `${planHref(schedule.scheduleId)}${ctx.url.search}`,
        mutedUntil: (settings.mutedUntil ?? 0) > now ? settings.mutedUntil : null,
      }
      : null,
    plan: plan && {
      plan,
      source: isPreview ? PREVIEW : sourceOf(settings.plan, runs.length),
      cutMs: cutGrace(plan, coming),
      misfit: isPreview || settings.plan ? misfit(plan, runs, now) : null,
      slots: latestSlots(runs, plan, { now, statuses, count: SLOTS })
        .map((slot) => planSlot(slot, plan, pauses)),
      month: {
        zone: plan.zone,
        from: now,
        to: now + COMING_MS,
        slots: coming,
        pauses,
      },
    },
    form: {
      fields,
      issues,
      person,
      seen: refused === "stale" ? version : form.get("seen") ?? version,
      isConfirmed: settings.plan !== null,
      whyNotKept: services.records ? null : whyNotLooked(services),
    },
  };
}

/** The latest changes of the watch, by whom. */
async function loadChanges(
  { services: { records }, log }: ScheduleContext["state"],
  scheduleId: number,
): Promise<readonly WatchEvent[]> {
  try {
    return await records?.watchEvents.latest(scheduleId, CHANGES) ?? [];
  } catch (error) {
    log.warn("The changes of a watch could not be read", { reason: reasonOf(error) });
    return [];
  }
}

const PREVIEW: PlanSource = { kind: "preview" };

function sourceOf(confirmed: ConfirmedPlan | null, runs: number): PlanSource {
  if (!confirmed) return { kind: "inferred", runs };
  return { kind: "confirmed", at: confirmed.confirmed ?? confirmed.since };
}

function planSlot(
  { at, outcome, occurrence }: JudgedSlot<ReportRun>,
  { since }: Plan,
  pauses: readonly Pause[],
): PlanSlot {
  const [run] = occurrence?.runs ?? [];
  return {
    at,
    outcome,
    run: run ?? null,
    lateMs: occurrence ? occurrence.time - at : null,
    exempt: isInPause(at, pauses) ? "paused" : at < since ? "before" : null,
  };
}

export default page(({ data, params, state }) => {
  const { shown } = data;
  return (
    <>
      <ScheduleHeader current="plan" data={data} params={params} state={state} />
      {shown && (
        <>
          {shown.refused && <p class="notice bad" role="alert">{shown.refused}</p>}
          <div id={WORDS}>
            {shown.plan ? <PlanWords {...shown.plan} /> : (
              <p class="notice">
                No plan could be inferred from{" "}
                {formatCountOf(shown.loaded.runs.length, "run", "runs")}. If you know it, enter it
                below.
              </p>
            )}
          </div>
          <PlanForm scheduleId={shown.scheduleId} {...shown.form} />
          <PlanPreview form={PLAN_FORM} parts={PARTS} />
          {shown.backtest && <PlanBacktest backtest={shown.backtest} />}
          <div id={SLOTS_PART}>
            {shown.plan && (
              <>
                <PlanSlots slots={shown.plan.slots} scheduleId={shown.scheduleId} />
                <PlanMonth {...shown.plan.month} />
              </>
            )}
          </div>
          {shown.changes.length > 0 && (
            <>
              <h2>Changes</h2>
              <Timeline name="Changes" events={shown.changes} />
            </>
          )}
        </>
      )}
    </>
  );
});
