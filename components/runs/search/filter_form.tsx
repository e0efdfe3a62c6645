import type { ComponentChildren } from "preact";
import { RUN_SEARCH_FIELDS } from "../../../lib/runs/run_search.ts";
import { Choice, Field } from "../../ui/form.tsx";
import { formatRunView, type RunView, scheduleHref } from "../run_links.ts";
import { type FieldIssue, QUICK_FIELDS, type QuickFilter, splitSearch } from "./quick_filter.ts";
import { RUN_COLUMNS, type RunColumn } from "./run_columns.ts";
import {
  ADD_FIELDS,
  ADD_OPERATORS,
  addOperators,
  addOperatorText,
  COLUMN_FIELD,
  parseRunView,
  SHOWN_COLUMNS_FIELD,
} from "./run_form.ts";
import { runLabelOf } from "./run_search_text.ts";

export const FILTER_FORM = "run-filter";

export interface RecipientChoice {
  readonly userId: number;
  readonly name: string;
}

export interface FilterChoices {
  readonly statuses: readonly string[];
  readonly recipients: readonly RecipientChoice[];
}

/** What was typed into the form, and its errors. */
export interface TypedFilter {
  readonly params: URLSearchParams;
  readonly issues: readonly FieldIssue[];
}

/** What the fields of the form show, by their names. */
interface FieldTexts {
  /** What was typed into a field, or else what the view has there. */
  readonly valueOf: (name: string, shown?: string | number) => string | number;
  readonly issueOf: (name: string) => string | undefined;
}

/**
 * The form that filters runs and chooses columns. It is sent by POST, because somebody may type an
 * address, and answered with a redirect to the search. With JavaScript, the island of the runs
 * sends it at each change.
 */
export function FilterForm({ scheduleId, view, columns, choices, typed, zone }: {
  readonly scheduleId: number;
  readonly view: RunView;
  readonly columns: readonly RunColumn[];
  readonly choices: FilterChoices;
  /** Missing if the form shows the view. */
  readonly typed?: TypedFilter;
  readonly zone: string;
}) {
  // What was typed is shown again unchanged.
  const { quick: { recipient, ...others }, rest } = typed
    ? { quick: {} as QuickFilter, rest: parseRunView(typed.params).view.body }
    : splitSearch(view.body, zone);
  const named = uniqueNames(choices.recipients);
  const names = named.map(({ name }) => name);
  const chosen = named.find(({ userId }) => String(userId) === recipient)?.name ?? recipient;
  const quick: QuickFilter = { ...others, ...(chosen === undefined ? {} : { recipient: chosen }) };
  const issueOf = (name: string) => typed?.issues.find(({ field }) => field === name)?.detail;
  const valueOf = (name: string, shown?: string | number) => typed?.params.get(name) ?? shown ?? "";
  const selected = typed?.params.getAll(QUICK_FIELDS.status) ?? quick.status ?? [];
  const hidden = formatRunView({ ...view, skip: 0, body: rest });
  return (
    <form
      id={FILTER_FORM}
      method="post"
      action={`${scheduleHref(scheduleId)}#runs`}
      class="panel"
      aria-label="Filter runs"
      autocomplete="off"
    >
      {[...hidden].map(([name, value], at) => (
        <input key={at} type="hidden" name={name} value={value} />
      ))}
      <input
        type="hidden"
        name={SHOWN_COLUMNS_FIELD}
        value={columns.filter((name) => name !== "startTime").join()}
      />
      <Statuses statuses={choices.statuses} selected={selected} />
      <QuickFilters {...{ quick, names, valueOf, issueOf }} />
      <details open={typed?.issues.some(({ field }) => field.startsWith("new-"))}>
        <summary>Other fields and columns</summary>
        <AddFilter valueOf={valueOf} issueOf={issueOf} />
        <Columns columns={columns} />
      </details>
      <noscript>
        <button type="submit">Apply</button>
      </noscript>
    </form>
  );
}

/** The names that only one recipient has, except masked ones. */
function uniqueNames(recipients: readonly RecipientChoice[]): readonly RecipientChoice[] {
  const counts = new Map<string, number>();
  for (const { name } of recipients) counts.set(name, (counts.get(name) ?? 0) + 1);
  return recipients.filter(({ name }) => name && !name.includes("@") && counts.get(name) === 1);
}

function Statuses({ statuses, selected }: {
  readonly statuses: readonly string[];
  readonly selected: readonly string[];
}) {
  const names = [...new Set([...statuses, ...selected])];
  return names.length === 0 ? null : (
    <fieldset>
      <legend>Status</legend>
      <div class="inputs">
        {names.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              name={QUICK_FIELDS.status}
              value={name}
              checked={selected.includes(name)}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The few conditions that have fields of their own. */
function QuickFilters({ quick, names, valueOf, issueOf }: FieldTexts & {
  readonly quick: QuickFilter;
  /** Names of recipients to choose from. */
  readonly names: readonly string[];
}) {
  const input = (
    key: keyof QuickFilter,
    label: string,
    type: "date" | "search" | "text",
    more: { readonly list?: string; readonly placeholder?: string } = {},
    children?: ComponentChildren,
  ) => {
    const name = QUICK_FIELDS[key];
    return (
      <Field
        name={name}
        label={label}
        issue={issueOf(name)}
        type={type}
        value={valueOf(name, String(quick[key] ?? ""))}
        {...more}
      >
        {children}
      </Field>
    );
  };
  const choice = (key: "trigger" | "attachments", label: string, options: readonly string[]) => (
    <Choice
      name={QUICK_FIELDS[key]}
      label={label}
      issue={issueOf(QUICK_FIELDS[key])}
      selected={String(valueOf(QUICK_FIELDS[key], quick[key]))}
      options={["", ...options].map((value) => ({ value, text: value || "any" }))}
    />
  );
  return (
    <fieldset>
      <legend>Filter</legend>
      <div class="inputs">
        {choice("trigger", "Trigger", ["automated", "manual"])}
        {input("from", "From", "date")}
        {input("through", "To", "date")}
        {input("minSeconds", "Min. duration", "text", { placeholder: "90 s or 2 min" })}
        {input("maxSeconds", "Max. duration", "text", { placeholder: "90 s or 2 min" })}
        {choice("attachments", "Attachments", ["with", "without"])}
        {input(
          "recipient",
          "Recipient",
          "text",
          { list: "recipient-ids", placeholder: "Name or @domain" },
          <datalist id="recipient-ids">
            {names.map((name) => <option key={name} value={name} />)}
          </datalist>,
        )}
        {input("text", "Text", "search")}
      </div>
    </fieldset>
  );
}

function Columns({ columns }: { readonly columns: readonly RunColumn[] }) {
  return (
    <fieldset>
      <legend>Columns</legend>
      <div class="checks">
        {RUN_COLUMNS.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              name={COLUMN_FIELD}
              value={name}
              checked={columns.includes(name)}
              disabled={name === "startTime"}
            />
            {runLabelOf(name)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Adds a condition on any field. */
function AddFilter({ valueOf, issueOf }: FieldTexts) {
  const { field, operator, value } = ADD_FIELDS;
  return (
    <fieldset>
      <legend>Add filter</legend>
      <div class="inputs">
        <Choice
          name={field}
          label="Field"
          issue={issueOf(field)}
          selected={String(valueOf(field))}
          options={[
            { value: "", text: "Choose…" },
            ...Object.keys(RUN_SEARCH_FIELDS)
              .filter((name) => addOperators(name).length > 0)
              .map((name) => ({ value: name, text: runLabelOf(name) }))
              .sort((a, b) => a.text < b.text ? -1 : 1),
          ]}
        />
        <Choice
          name={operator}
          label="Operator"
          issue={issueOf(operator)}
          selected={String(valueOf(operator))}
          options={ADD_OPERATORS.map((value) => ({ value, text: addOperatorText(value) }))}
        />
        <Field name={value} label="Value" issue={issueOf(value)} value={valueOf(value)} />
        <button type="submit">Add</button>
      </div>
    </fieldset>
  );
}
