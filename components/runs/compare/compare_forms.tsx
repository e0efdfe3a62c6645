import type { ComponentChildren } from "preact";
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

export interface TypedComparison {
  readonly values: Readonly<Record<string, string>>;
  readonly issues: Readonly<Record<string, string>>;
}

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
    <ComparedForm
      scheduleId={scheduleId}
      of="runs"
      fields={[["before", "Before (run id)"], ["after", "After (run id)"]]}
      list="run-ids"
      listed={runs.slice(0, MAX_SUGGESTED).map((run) =>
        [run.id, `${runLabel(run, zone)} ${run.status || "no status"}`] as const
      )}
      typed={typed}
    >
      {runs.length > 1 && (
        <a href={compareHref(scheduleId, runs[1].id, runs[0].id)}>Latest two runs</a>
      )}
      {turn && (
        <a href={compareHref(scheduleId, turn[0].id, turn[1].id)}>
          Last success and first failure
        </a>
      )}
    </ComparedForm>
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

export function PeriodsForm({ scheduleId, typed }: {
  readonly scheduleId: number;
  readonly typed: TypedComparison;
}) {
  return (
    <ComparedForm
      scheduleId={scheduleId}
      of="periods"
      fields={[["first", "First period"], ["second", "Second period"]]}
      list="periods"
      listed={Object.entries(PERIOD_NAMES)}
      help="A period is two days such as 2026-01-01..2026-01-31, one day, or a name such as last-month."
      typed={typed}
    >
      {PAIRS.map(([first, second, text]) => (
        <a
          key={text}
          href={withQuery(pathOf(scheduleId), new URLSearchParams({ first, second }))}
        >
          {text}
        </a>
      ))}
    </ComparedForm>
  );
}

function pathOf(scheduleId: number): string {
  return `${scheduleHref(scheduleId)}/compare`;
}

function ComparedForm({ scheduleId, of, fields, list, listed, help, typed, children }: {
  readonly scheduleId: number;
  readonly of: "runs" | "periods";
  readonly fields: readonly (readonly [name: string, label: string])[];
  readonly list: string;
  readonly listed: readonly (readonly [value: string | number, text: string])[];
  readonly help?: string;
  readonly typed: TypedComparison;
  readonly children: ComponentChildren;
}) {
  return (
    <form method="get" action={pathOf(scheduleId)} class="panel">
      <fieldset>
        <legend>Two {of}</legend>
        <div class="inputs">
          {fields.map(([name, label]) => (
            <Field
              key={name}
              name={name}
              label={label}
              issue={typed.issues[name]}
              list={list}
              value={typed.values[name] ?? ""}
              autocomplete="off"
              class={of === "periods" ? "period" : undefined}
            />
          ))}
          <datalist id={list}>
            {listed.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
          </datalist>
          <AddressesField />
          <button type="submit">Compare {of}</button>
          {children}
        </div>
      </fieldset>
      {help && <p class="help">{help}</p>}
    </form>
  );
}
