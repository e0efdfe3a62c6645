import type { ComponentChildren } from "preact";
import { scheduleHref } from "../run_links.ts";

type FieldName = "cron" | "zone" | "grace" | "weeks" | "weeksFrom" | "from" | "pauses";

/** The page of a schedule's plan. */
export function planHref(scheduleId: number): string {
  return `${scheduleHref(scheduleId)}/plan`;
}

/** Id of the form. */
export const PLAN_FORM = "plan-form";

/** The form that changes, previews and confirms a plan; it works without JavaScript. */
export function PlanForm({ scheduleId, fields, issues, isConfirmed, whyNotKept }: {
  readonly scheduleId: number;
  readonly fields: Readonly<Record<FieldName, string>>;
  /** What is wrong, by field. */
  readonly issues: Readonly<Partial<Record<FieldName, string>>>;
  /** Whether there is a confirmed plan to take back. */
  readonly isConfirmed: boolean;
  /** Why no plan can be kept; null where it can. */
  readonly whyNotKept: string | null;
}) {
  const attributesOf = (name: FieldName) => ({
    id: name,
    name,
    "aria-describedby": `${name}-help`,
    "aria-invalid": issues[name] ? true : undefined,
  });
  const input = (name: FieldName, type = "text") => (
    <input
      {...attributesOf(name)}
      type={type}
      value={fields[name]}
    />
  );
  const area = (name: FieldName) => {
    const rows = Math.min(10, Math.max(2, fields[name].split("\n").length + 1));
    return (
      <textarea
        {...attributesOf(name)}
        rows={rows}
        cols={34}
        spellcheck={false}
      >
        {fields[name]}
      </textarea>
    );
  };
  const isRepeated = fields.weeks !== "1" || issues.weeksFrom !== undefined;
  return (
    <section aria-labelledby="change">
      <h2 id="change">Change the plan</h2>
      {whyNotKept && <p class="notice">A plan can't be saved here. {whyNotKept}.</p>}
      <form
        id={PLAN_FORM}
        method="post"
        action={planHref(scheduleId)}
        class="panel plan-form"
      >
        <Field
          name="cron"
          label="Cron lines"
          issue={issues.cron}
          help="minute, hour, day of the month, month, day of the week: one expression a line"
        >
          {area("cron")}
        </Field>
        <Field name="zone" label="Time zone" issue={issues.zone} help="such as Europe/Berlin">
          {input("zone")}
        </Field>
        <Field
          name="grace"
          label="Grace in minutes"
          issue={issues.grace}
          help="how late a run may start and still be in time"
        >
          {input("grace", "number")}
        </Field>
        <Field
          name="from"
          label="Holds from"
          issue={issues.from}
          help="earlier slots do not count"
        >
          {input("from", "date")}
        </Field>
        <Field
          name="pauses"
          label="Days without runs"
          issue={issues.pauses}
          help="one a line: 2026-12-24, or 2026-12-24 to 2027-01-01, or 2026-12-24 to (without end)"
        >
          {area("pauses")}
        </Field>
        <details open={isRepeated}>
          <summary>Not every week</summary>
          <Field name="weeks" label="Every … weeks" issue={issues.weeks} help="1 for every week">
            {input("weeks", "number")}
          </Field>
          <Field
            name="weeksFrom"
            label="A day in a week with runs"
            issue={issues.weeksFrom}
            help="the weeks are counted from it"
          >
            {input("weeksFrom", "date")}
          </Field>
        </details>
        <div class="row">
          <button type="submit" formmethod="get">Preview</button>
          <button type="submit" formmethod="get" name="backtest" value="yes" class="quiet">
            Preview with a backtest
          </button>
          {!whyNotKept && (
            <button type="submit" name="action" value="confirm">Confirm this plan</button>
          )}
          {!whyNotKept && isConfirmed && (
            <button type="submit" class="quiet" name="action" value="infer">
              Use the inferred plan
            </button>
          )}
        </div>
      </form>
    </section>
  );
}

function Field({ name, label, help, issue, children }: {
  readonly name: FieldName;
  readonly label: string;
  readonly help: string;
  readonly issue: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="labelled">
      <label for={name}>{label}</label>
      {children}
      <p class="help" id={`${name}-help`}>
        {issue && <strong class="status bad">✕ {label} {issue}.</strong>} {help}
      </p>
    </div>
  );
}
