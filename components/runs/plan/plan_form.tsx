import { PersonField, useMayAct } from "../../ui/reader.tsx";
import { scheduleHref } from "../run_links.tsx";
import { Labelled } from "../../ui/form.tsx";

const FIELDS = {
  cron: [
    "Cron expressions",
    "lines",
    "one per line: minute, hour, day of the month, month, day of the week",
  ],
  zone: ["Time zone", "text", "such as Europe/Berlin"],
  grace: ["Grace in minutes", "number", "how late a run may start and still be on time"],
  from: ["Valid from", "date", "planned runs before this day do not count"],
  pauses: [
    "Days without runs",
    "lines",
    "one per line: a day, “2026-12-24”; a span, “2026-12-24 to 2027-01-01”; " +
    "or a span without an end, “2026-12-24 to”",
  ],
  weeks: ["Interval in weeks", "number", "1 for every week"],
  weeksFrom: ["A day in a week with runs", "date", "weeks are counted from it"],
} as const;

type FieldName = keyof typeof FIELDS;

export function planHref(scheduleId: number): string {
  return `${scheduleHref(scheduleId)}/plan`;
}

export const PLAN_FORM = "plan-form";

export function PlanForm({ scheduleId, fields, issues, person, seen, isConfirmed, whyNotSaved }: {
  readonly scheduleId: number;
  readonly fields: Readonly<Record<FieldName, string>>;
  readonly issues: Readonly<Partial<Record<FieldName, string>>>;
  readonly person: string;
  readonly seen: string;
  readonly isConfirmed: boolean;
  readonly whyNotSaved: string | null;
}) {
  const canAct = useMayAct() && !whyNotSaved;
  const field = (name: FieldName) => (
    <Field key={name} name={name} value={fields[name]} issue={issues[name]} />
  );
  const isRepeated = fields.weeks !== "1" || issues.weeksFrom !== undefined;
  return (
    <section aria-labelledby="change">
      <h2 id="change">Change the plan</h2>
      {whyNotSaved && <p class="notice">A plan can't be saved here. {whyNotSaved}.</p>}
      <form
        id={PLAN_FORM}
        method="post"
        action={planHref(scheduleId)}
        class="panel plan-form"
      >
        {(["cron", "zone", "grace", "from", "pauses"] as const).map(field)}
        <details open={isRepeated}>
          <summary>Not every week</summary>
          {(["weeks", "weeksFrom"] as const).map(field)}
        </details>
        <input type="hidden" name="seen" value={seen} />
        {canAct && <PersonField value={person} />}
        <div class="row">
          {/* First, because Enter presses it: it changes nothing. */}
          <button type="submit" class="quiet" formmethod="get" formnovalidate>Preview</button>
          <button
            type="submit"
            formmethod="get"
            formaction={`${planHref(scheduleId)}#backtest`}
            formnovalidate
            name="backtest"
            value="yes"
            class="quiet"
          >
            Preview with a backtest
          </button>
          {canAct && (
            <button type="submit" class="main" name="action" value="confirm">
              Confirm this plan
            </button>
          )}
          {canAct && isConfirmed && (
            <button type="submit" class="quiet" name="action" value="infer">
              Use the inferred plan
            </button>
          )}
        </div>
      </form>
    </section>
  );
}

function Field({ name, value, issue }: {
  readonly name: FieldName;
  readonly value: string;
  readonly issue: string | undefined;
}) {
  const [label, type, help] = FIELDS[name];
  const attributes = {
    id: name,
    name,
    "aria-describedby": `${name}-help`,
    "aria-invalid": issue ? true : undefined,
  };
  const rows = Math.min(10, Math.max(2, value.split("\n").length + 1));
  return (
    <Labelled name={name} label={label}>
      {type === "lines"
        ? <textarea {...attributes} rows={rows} cols={34} spellcheck={false}>{value}</textarea>
        : <input {...attributes} type={type} value={value} />}
      <p class="help" id={`${name}-help`}>
        {issue ? <strong class="status bad">✕ {label} {issue}.</strong> : help}
      </p>
    </Labelled>
  );
}
