import type { ComponentChildren } from "preact";
import { DATE_RANGES } from "../../lib/search/date_ranges.ts";
import { quotePart } from "../../lib/search/query_parts.ts";
import type { FieldSort } from "../../lib/types.ts";
import { type ErrorMessage, ErrorNotice } from "../ui/error_notice.tsx";
import { type Condition, isDateCondition, listConditions, without } from "./conditions.ts";
import { formatPageView, type SearchPage, type ShownSearch, withBody } from "./page_view.ts";
import { INPUTS, type NewCondition } from "./new_condition.ts";
import type { ParsedView } from "./parse_page_view.ts";
import type { QueryTable } from "../../lib/search/query_table.ts";
import { Choice, Field } from "../ui/form.tsx";
import { formatZone } from "../ui/zone.ts";
import {
  columnLabel,
  formatCondition,
  formatSortKey,
  formatTimes,
  operatorLabels,
} from "./search_words.ts";

export interface FormTarget {
  readonly action: string;
  readonly method: "get" | "post";
}

export function SearchForm(
  { page, query, target, all, example, help, error, meant, place, ...adding }:
    & AddConditionProps
    & {
      readonly page: SearchPage;
      readonly query: string;
      readonly target: FormTarget;
      readonly all: string;
      readonly example: string;
      /** How to write a query for these rows. */
      readonly help: ComponentChildren;
      readonly error: ErrorMessage | null;
      /** What a query that is not valid may mean. */
      readonly meant?: ParsedView["meant"];
      readonly place?: readonly [start: number, end: number];
    },
) {
  const { view, table } = page;
  const { fieldSort = [] } = view.body;
  const values = { ...valuesOfKind(page), ...adding.values };
  return (
    <form id="query-form" {...target} class="search">
      <div class="quick">
        <input
          id="q"
          name="q"
          type="search"
          list="query-words"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-label="Query"
          placeholder={example}
          value={query}
          data-error={place?.join("-")}
        />
        <datalist id="query-words">
          {Object.entries(table.fields).flatMap(([field, { name }]) =>
            ["", ...values[field] ?? []].map((value) => (
              <option key={name + value} value={`${name}:${value && quotePart(value)}`} />
            ))
          )}
        </datalist>
        <button type="submit">Search</button>
      </div>
      {error && (
        <ErrorNotice
          error={error}
          actions={
            <>
              {meant && [
                <a key="meant" href={page.href({ ...view, body: meant.body })}>
                  Did you mean {meant.query}?
                </a>,
                " · ",
              ]}
              <a href={all}>Start over</a>
            </>
          }
        />
      )}
      <ViewInputs view={{ ...view, body: { fieldSort } }} table={table} />
      <Chips page={page}>
        <AddCondition {...adding} table={table} values={values} />
        <details>
          <summary>How to write a query</summary>
          <p class="help">{help}</p>
        </details>
      </Chips>
    </form>
  );
}

function valuesOfKind({ table: { fields } }: SearchPage) {
  const values: Record<string, readonly string[]> = {};
  for (const [field, { kind, choices }] of Object.entries(fields)) {
    if (choices) values[field] = Object.keys(choices);
    if (kind === "date-time") values[field] = DATE_RANGES;
  }
  return values;
}

/** What a form leaves as it is in the view. */
export function ViewInputs({ view, table }: {
  readonly view: ShownSearch;
  readonly table: QueryTable;
}) {
  return (
    <>
      <input type="hidden" name={INPUTS.form} value="1" />
      {[...formatPageView(withBody(view, view.body), table)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** The operators to choose from; `!` negates. A query may use any operator. */
const OPERATORS = [
  ...["EQUALS", "!EQUALS", "LIKE", "!LIKE"],
  ...["GREATER_THAN", "GREATER_THAN_OR_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL"],
  ...["IS_NULL", "!IS_NULL"],
];

interface AddConditionProps {
  readonly condition: NewCondition;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

function AddCondition(
  { table, condition, values }: AddConditionProps & { readonly table: QueryTable },
) {
  const { field, operator, value, issue } = condition;
  const help = `${INPUTS.value}-help`;
  const list = `${INPUTS.value}-list`;
  return (
    <details open={field !== "" || value !== ""}>
      <summary>Add a condition</summary>
      <div class="inputs">
        <Choice
          name={INPUTS.field}
          label="Field"
          selected={field}
          options={[
            { value: "", text: "Choose…" },
            ...Object.keys(table.fields)
              .map((field) => ({ value: field, text: columnLabel(table, field) })),
          ]}
        />
        <Choice
          name={INPUTS.operator}
          label="Condition"
          selected={operator}
          options={OPERATORS.map((value) => ({
            value,
            text: operatorLabels(value.replace("!", ""))[value.startsWith("!") ? 1 : 0],
          }))}
        />
        <Field
          name={INPUTS.value}
          label="Values or days"
          value={value}
          list={list}
          autocomplete="off"
          aria-invalid={issue !== undefined}
          aria-describedby={help}
        />
        <datalist id={list}>
          {Object.entries(values).flatMap(([field, values]) =>
            values.map((value) => (
              <option key={value} value={value}>{columnLabel(table, field)}</option>
            ))
          )}
        </datalist>
        <button type="submit">Add</button>
      </div>
      {issue
        ? <p id={help} class="status bad" role="alert">✕ {issue}.</p>
        : (
          <p id={help} class="help">
            Separate values with commas; any of them matches. Write days as in{" "}
            <code>2026-01-31</code>, <code>2026-01..2026-03</code> or <code>last-month</code>.
          </p>
        )}
    </details>
  );
}

/** What is searched for, each condition and sort key with a link that removes it. */
export function Chips({ page, children }: {
  readonly page: SearchPage;
  readonly children: ComponentChildren;
}) {
  const { view, href, table } = page;
  const { body } = view;
  const { fieldSort = [] } = body;
  const conditions = listConditions(body);
  const sorted = (fieldSort: readonly FieldSort[]) => href(withBody(view, { ...body, fieldSort }));
  const count = conditions.length + fieldSort.length;
  return (
    <ul class="chips" aria-label="This search">
      {conditions.map((condition, at) => <ConditionChip key={at} {...{ condition, page }} />)}
      {fieldSort.map((key, at) => {
        const text = `sorted by ${formatSortKey(key, table)}`;
        const changed = sorted(fieldSort.with(at, reversed(key)));
        const removed = sorted(fieldSort.toSpliced(at, 1));
        return (
          <li key={key.field} class="chip">
            <a href={changed} aria-label={`Reverse: ${text}`} title="Reverse">{text}</a>
            <a href={removed} aria-label={`Remove: ${text}`} class="cross">×</a>
          </li>
        );
      })}
      {count > 1 && (
        <li>
          <a href={href(withBody(view, {}))}>Clear all</a>
        </li>
      )}
      <li class="adding">{children}</li>
    </ul>
  );
}

function ConditionChip({ condition, page }: {
  readonly condition: Condition;
  readonly page: SearchPage;
}) {
  const { view, href, zone } = page;
  const text = formatCondition(condition, page);
  const exact = isDateCondition(condition)
    ? `${formatTimes(condition, zone)} ${formatZone(zone)}`
    : undefined;
  return (
    <li class="chip">
      <span title={exact}>{condition.not ? <Negated text={text} /> : text}</span>
      <a href={href(without(view, condition))} aria-label={`Remove: ${text}`} class="cross">×</a>
    </li>
  );
}

function Negated({ text }: { readonly text: string }) {
  const [before, after] = text.split(/ not /, 2);
  return after === undefined ? <b>{text}</b> : (
    <>
      {before} <b class="not">not</b> {after}
    </>
  );
}

function reversed({ field, order }: FieldSort): FieldSort {
  return { field, order: order === "DESC" ? "ASC" : "DESC" };
}
