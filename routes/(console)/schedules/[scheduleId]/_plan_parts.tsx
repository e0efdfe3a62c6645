import { formatCount, formatCountOf, formatDuration } from "../../../../lib/format.ts";
import { reasonText } from "../../../../lib/judgement/reason_text.ts";
import { Field, FormKey, PersonField, useMayAct } from "../../../../components/ui/form.tsx";
import { NoteWords, useMoment, When } from "../../../../components/ui/moment.tsx";
import { FactRow, Happened, Section } from "../../../../components/ui/section.tsx";
import { PlanWords } from "../../../../components/runs/plan/planned_runs.tsx";
import { planHref } from "../../../../components/runs/run_links.tsx";
import type { PlanFields } from "../../../../server/schedules/plan_fields.ts";
import type { loadPlan } from "../../../../server/pages/plan.ts";

const FIELDS: Readonly<
  Record<keyof PlanFields, Pick<Parameters<typeof Field>[0], "label" | "help" | "type">>
> = {
  cron: {
    label: "Cron expressions",
    help: "One per line: minute, hour, day, month, weekday.",
  },
  zone: { label: "Time zone", help: "Such as Europe/Berlin." },
  grace: {
    label: "Grace in minutes",
    help: "How late a run may start and still be on time.",
    type: "number",
  },
  pauses: {
    label: "Skip days",
    help:
      "One per line: 2026-12-24, or 2026-12-24 to 2027-01-01, or without an end, 2026-12-24 to.",
  },
  weeks: { label: "Every n weeks", help: "1 for every week.", type: "number" },
  weeksFrom: {
    label: "A day in a week with runs",
    help: "Weeks are counted from it.",
    type: "date",
  },
};

type Loaded = Awaited<ReturnType<typeof loadPlan>>;
type Form = Loaded["form"];

export const PLAN_FORM = "plan-form";

export function PlanForm({ scheduleId, form, fitsNone }: {
  readonly scheduleId: number;
  readonly form: Form;
  /** Whether none of the latest runs started as planned. */
  readonly fitsNone: boolean;
}) {
  const { fields, issues, person, seen, isConfirmed, whyNotSaved } = form;
  const canAct = useMayAct() && !whyNotSaved;
  // What has a name in it gets into no URL.
  const method = canAct ? "post" : "get";
  const field = (name: keyof PlanFields) => {
    const value = fields[name];
    const isLong = name === "cron" || name === "pauses";
    const rows = isLong ? Math.min(10, value.split("\n").length + 1) : undefined;
    return <Field key={name} {...FIELDS[name]} {...{ name, value, rows }} issue={issues[name]} />;
  };
  return (
    <form id={PLAN_FORM} method="post" action={planHref(scheduleId)} class="box stack panel">
      <FormKey />
      {whyNotSaved && <p class="notice">A plan can't be saved here. {whyNotSaved}.</p>}
      {(["cron", "zone", "grace", "pauses"] as const).map(field)}
      <details open={fields.weeks !== "1" || issues.weeksFrom !== undefined}>
        <summary>Not every week</summary>
        {(["weeks", "weeksFrom"] as const).map(field)}
      </details>
      <input type="hidden" name="seen" value={seen} />
      {canAct && <PersonField value={person} />}
      <p id="plan-fits" class="line check">
        {canAct && fitsNone && (
          <label>
            <input type="checkbox" name="anyway" value="yes" />{" "}
            This plan is right, although none of the latest runs fits it
          </label>
        )}
      </p>
      <div class="row">
        {/* First, because Enter presses it: it changes nothing. */}
        <button type="submit" formmethod={method} formnovalidate>Preview</button>
        <button
          type="submit"
          formmethod={method}
          formnovalidate
          name="backtest"
          value="yes"
          class="quiet"
        >
          Which incidents?
        </button>
        {canAct && (
          <button type="submit" class="main" name="action" value="confirm">
            Save the plan
          </button>
        )}
        {canAct && isConfirmed && (
          <button type="submit" class="quiet" name="action" value="infer">
            Use the inferred plan
          </button>
        )}
      </div>
    </form>
  );
}

const MAX_INCIDENTS = 20;

/** Which incidents watching with another plan would have opened. */
export function BacktestResult({ backtest }: {
  readonly backtest: NonNullable<NonNullable<Loaded["preview"]>["backtest"]>;
}) {
  const { runs, incidents, present, failure } = backtest;
  const moment = useMoment();
  if (failure !== null) return <p class="notice bad">There is no result. {failure}.</p>;
  const more = incidents.length - MAX_INCIDENTS;
  return (
    <>
      <p>
        Watching the last {formatCountOf(runs, "run", "runs")} with it would have opened{" "}
        {formatCountOf(incidents.length, "incident", "incidents")}
        {present !== null && `, and with the present plan ${formatCount(present)}`}.
      </p>
      <Happened
        points={incidents.slice(0, MAX_INCIDENTS).map(({ opened, reason }) => ({
          at: opened,
          words: reasonText(reason, moment),
        }))}
      />
      {more > 0 && <p class="help">and {formatCount(more)} earlier</p>}
    </>
  );
}

/** What a schedule's plan is, and how its runs fit it. */
export function PlanFacts({ plan, confirmed, fit, misfit, cutMs, coming, runs }:
  & NonNullable<Loaded["standing"]>
  & { readonly runs: number }) {
  const { now, zone } = useMoment();
  const isOwnZone = plan.zone === zone;
  const cron = plan.cron.map((line) => <code key={line}>{line}</code>);
  const fromRuns = `from ${formatCountOf(runs, "run", "runs")}`;
  return (
    <>
      <FactRow
        facts={[
          {
            name: "Due",
            value: <PlanWords plan={plan} isZoneBeside />,
            note: [...cron, !isOwnZone && ` ${plan.zone}`],
          },
          {
            name: confirmed ? "Confirmed" : "Inferred",
            value: confirmed ? <When at={confirmed.at} /> : "not confirmed",
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
            value: <When at={coming.find((at) => at > now)} />,
          },
        ]}
      />
      {misfit && <p class="notice warning">{misfit}.</p>}
    </>
  );
}

/** Who changed the plan. */
export function PlanChanges({ changes }: Pick<Loaded, "changes">) {
  if (changes.length === 0) return null;
  return (
    <Section id="changes" title="Changes">
      <Happened
        points={changes.map(({ at, kind, by, note }) => ({
          at,
          words: [kind, " by ", by, note && [": ", <NoteWords key="note" note={note} />]],
        }))}
      />
    </Section>
  );
}
