import type { ComponentChildren } from "preact";
import { OPERATORS } from "../../lib/fields.ts";
import { DATE_RANGES } from "../../lib/search/date_ranges.ts";
import { quotePart } from "../../lib/search/query_parts.ts";
import { type ErrorMessage, ErrorNotice } from "../ui/notices.tsx";
import { listConditions, without } from "./conditions.ts";
import { formatPageView, type SearchPage, type ShownSearch, withBody } from "./page_view.ts";
import { INPUTS, type NewCondition } from "./new_condition.ts";
import type { QueryTable } from "../../lib/search/query_table.ts";
import { Choice, Field, HiddenFields } from "../ui/form.tsx";
import { columnLabel, formatCondition, formatSortKey, operatorLabels } from "./search_words.ts";

export interface FormTarget {
  readonly action: string;
  readonly method: "get" | "post";
}

export function SearchForm({ page, target, all, help, error, children, adding }: {
  readonly page: SearchPage;
  readonly target: FormTarget;
  readonly all: string;
  /** How to write a query for these rows. */
  readonly help: ComponentChildren;
  readonly error: ErrorMessage | null;
  /** The query, and what is beside it. */
  readonly children: ComponentChildren;
  /** Another way to add a condition. */
  readonly adding?: ComponentChildren;
}) {
  const { view, table } = page;
  const { fieldSort = [] } = view.body;
  return (
    <form id="query-form" {...target} class="stack search">
      <div class="line quick">{children}</div>
      {error && (
        <ErrorNotice id={QUERY_ERROR} error={error} actions={<a href={all}>Start over</a>} />
      )}
      <ViewInputs view={{ ...view, body: { fieldSort } }} table={table} />
      <Chips page={page}>
        {adding}
        <details>
          <summary>How to write a query</summary>
          <p class="help">{help}</p>
        </details>
      </Chips>
    </form>
  );
}

const QUERY_ERROR = "query-error";

/** A query, and the words that it may have. Enter sends it. */
export function QueryField({ table, query, example, isWrong = false, values }: {
  readonly table: QueryTable;
  readonly query: string;
  readonly example: string;
  /** The error says where and why. */
  readonly isWrong?: boolean;
  readonly values: FieldValues;
}) {
  const words = withOwnValues(table, values);
  return (
    <>
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
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? QUERY_ERROR : undefined}
        autofocus={isWrong}
      />
      <datalist id="query-words">
        {Object.entries(table.fields).flatMap(([field, { name }]) =>
          ["", ...words[field] ?? []].map((value) => (
            <option key={name + value} value={`${name}:${value && quotePart(value)}`} />
          ))
        )}
      </datalist>
    </>
  );
}

/** Values of fields that people may look for. */
type FieldValues = Readonly<Record<string, readonly string[]>>;

/** Adds the values that every such field has. */
function withOwnValues({ fields }: QueryTable, found: FieldValues): FieldValues {
  const values: Record<string, readonly string[]> = {};
  for (const [field, { kind, choices }] of Object.entries(fields)) {
    if (choices) values[field] = Object.keys(choices);
    if (kind === "date-time") values[field] = DATE_RANGES;
  }
  return { ...values, ...found };
}

/** What a form leaves as it is in the view. */
export function ViewInputs({ view, table }: {
  readonly view: ShownSearch;
  readonly table: QueryTable;
}) {
  const params = Object.fromEntries(formatPageView(withBody(view, view.body), table));
  return <HiddenFields values={{ [INPUTS.form]: "1", ...params }} />;
}

/** The operators to choose from; `!` negates. A query may use any operator. */
const OFFERED = [...OPERATORS.filter((each) => each !== "IN" && each !== "IS_NULL"), "IS_NULL"]
  // The opposite of a comparison is another one.
  .flatMap((each) => each.includes("THAN") ? each : [each, `!${each}`]);

export function AddCondition({ table, condition, values }: {
  readonly table: QueryTable;
  readonly condition: NewCondition;
  readonly values: FieldValues;
}) {
  const { field, operator, value, issue } = condition;
  const help = `${INPUTS.value}-help`;
  const list = `${INPUTS.value}-list`;
  return (
    <details open={field !== "" || value !== ""}>
      <summary>Add a condition</summary>
      <div class="line inputs">
        <Choice
          name={INPUTS.field}
          label="Field"
          selected={field}
          options={[
            ["", "Choose…"],
            ...Object.keys(table.fields).map((name) => [name, columnLabel(table, name)] as const),
          ]}
        />
        <Choice
          name={INPUTS.operator}
          label="Condition"
          selected={operator}
          options={OFFERED.map((value) => [
            value,
            operatorLabels(value.replace("!", ""))[value.startsWith("!") ? 1 : 0],
          ])}
        />
        <Field
          name={INPUTS.value}
          label="Values or days"
          value={value}
          list={list}
          autocomplete="off"
          aria-invalid={issue !== undefined}
          autofocus={issue !== undefined}
          aria-describedby={help}
        />
        <datalist id={list}>
          {Object.entries(withOwnValues(table, values)).flatMap(([field, values]) =>
            values.map((value) => (
              <option key={value} value={value}>{columnLabel(table, field)}</option>
            ))
          )}
        </datalist>
        <button type="submit">Add</button>
      </div>
      {issue
        ? (
          <p id={help} class="status bad" role="alert">
            <span aria-hidden="true">✕</span> {issue}.
          </p>
        )
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
function Chips({ page, children }: {
  readonly page: SearchPage;
  readonly children: ComponentChildren;
}) {
  const { view, href, table } = page;
  const { body } = view;
  const { fieldSort = [] } = body;
  const chips = [
    ...listConditions(body).map((condition) => ({
      text: formatCondition(condition, page),
      rest: without(view, condition),
    })),
    ...fieldSort.map((key, at) => ({
      text: `sorted by ${formatSortKey(key, table)}`,
      rest: withBody(view, { ...body, fieldSort: fieldSort.toSpliced(at, 1) }),
    })),
  ];
  return (
    <ul class="line plain" aria-label="This search">
      {chips.map(({ text, rest }) => (
        <li key={text} class="box chip">
          <span>{text}</span>
          <a href={href(rest)} aria-label={`Remove: ${text}`} class="cross">×</a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a href={href(withBody(view, {}))}>Clear all</a>
        </li>
      )}
      <li class="line adding">{children}</li>
    </ul>
  );
}
