import { meaningOf, type StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { Field } from "../../ui/form.tsx";
import { withQuery } from "../../ui/query.ts";
import { runLabel } from "../format.ts";
import { AddressesField } from "../recipients/address.tsx";
import { compareHref, scheduleHref } from "../run_links.ts";
import { PERIOD_NAMES } from "./named_period.ts";

/** How many of the latest runs are suggested. Any other id may be typed. */
const MAX_SUGGESTED = 100;

/** What was typed into a form, and its errors by field. */
export interface TypedComparison {
  readonly values: Readonly<Record<string, string>>;
  readonly issues: Readonly<Record<string, string>>;
}

/** The form that compares two runs, with links to common comparisons. */
export function RunsForm({ scheduleId, runs, typed, dictionary, zone }: {
  readonly scheduleId: number;
  /** The loaded runs, newest first. */
  readonly runs: readonly ReportRun[];
  readonly typed: TypedComparison;
  readonly dictionary: StatusDictionary;
  readonly zone: string;
}) {
  const turn = lastSuccessAndFirstFailure(runs, dictionary);
  return (
    <form method="get" action={`${scheduleHref(scheduleId)}/compare`} class="panel">
      <fieldset>
        <legend>Two runs</legend>
        <div class="inputs">
          <Input name="before" label="Before (run id)" list="run-ids" typed={typed} />
          <Input name="after" label="After (run id)" list="run-ids" typed={typed} />
          <datalist id="run-ids">
            {runs.slice(0, MAX_SUGGESTED).map((run) => (
              <option key={run.id} value={run.id}>
                {runLabel(run, zone)} {run.status || "no status"}
              </option>
            ))}
          </datalist>
          <AddressesField />
          <button type="submit">Compare runs</button>
          {runs.length > 1 && (
            <a href={compareHref(scheduleId, runs[1].id, runs[0].id)}>Latest two runs</a>
          )}
          {turn && (
            <a href={compareHref(scheduleId, turn[0].id, turn[1].id)}>
              Last success and first failure
            </a>
          )}
        </div>
      </fieldset>
    </form>
  );
}

/**
 * The newest success that was followed by a failure, and the first failure after it; null if there
 * is none among the runs.
 *
 * @param runs The runs, newest first.
 */
export function lastSuccessAndFirstFailure(
  runs: readonly ReportRun[],
  dictionary: StatusDictionary,
): readonly [success: ReportRun, failure: ReportRun] | null {
  let failure: ReportRun | undefined;
  for (const run of runs) {
    const meaning = meaningOf(run.status, dictionary);
    if (meaning === "bad") failure = run;
    if (meaning === "good" && failure) return [run, failure];
  }
  return null;
}

const PAIRS = [
  ["last-month", "this-month", "This month and last"],
  ["last-week", "this-week", "This week and last"],
  ["previous-30-days", "last-30-days", "Last 30 days and the 30 before"],
] as const;

/** The form that compares two periods, with links to common comparisons. */
export function PeriodsForm({ scheduleId, typed }: {
  readonly scheduleId: number;
  readonly typed: TypedComparison;
}) {
  const path = `${scheduleHref(scheduleId)}/compare`;
  return (
    <form method="get" action={path} class="panel">
      <fieldset>
        <legend>Two periods</legend>
        <div class="inputs">
          <Input name="first" label="First period" list="periods" typed={typed} />
          <Input name="second" label="Second period" list="periods" typed={typed} />
          <datalist id="periods">
            {Object.entries(PERIOD_NAMES).map(([name, text]) => (
              <option key={name} value={name}>{text}</option>
            ))}
          </datalist>
          <AddressesField />
          <button type="submit">Compare periods</button>
          {PAIRS.map(([first, second, text]) => (
            <a key={text} href={withQuery(path, new URLSearchParams({ first, second }))}>{text}</a>
          ))}
        </div>
      </fieldset>
      <p class="help">
        A period is two days such as 2026-01-01..2026-01-31, one day, or a name such as last-month.
      </p>
    </form>
  );
}

function Input({ name, label, list, typed: { values, issues } }: {
  readonly name: string;
  readonly label: string;
  readonly list: string;
  readonly typed: TypedComparison;
}) {
  return (
    <Field
      name={name}
      label={label}
      issue={issues[name]}
      list={list}
      value={values[name] ?? ""}
      autocomplete="off"
      class={list === "periods" ? "period" : undefined}
    />
  );
}
