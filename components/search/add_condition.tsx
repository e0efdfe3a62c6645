import type { QueryTable } from "../../lib/search/query_table.ts";
import { Choice, Field } from "../ui/form.tsx";
import { INPUTS, type NewCondition } from "./new_condition.ts";
import { columnLabel, operatorLabels } from "./search_words.ts";

/** The operators to choose from, with `!` in front where they are negated. A query may use any other. */
const OPERATORS = [
  ...["EQUALS", "!EQUALS", "LIKE", "!LIKE"],
  ...["GREATER_THAN", "GREATER_THAN_OR_EQUAL", "LESS_THAN", "LESS_THAN_OR_EQUAL"],
  ...["IS_NULL", "!IS_NULL"],
];

export interface AddConditionProps {
  readonly condition: NewCondition;
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Whether the service is not Docket's own, so that only one operator is certain. */
  readonly upstream: boolean;
}

export function AddCondition(
  { table, condition, values, upstream }: AddConditionProps & { readonly table: QueryTable },
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
            text: operatorLabels(value.replace("!", ""))[value.startsWith("!") ? 1 : 0] +
              (upstream && !value.endsWith("EQUALS") ? " (undocumented)" : ""),
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
            Separate values with commas; any of them matches. Days are written as in{" "}
            <code>2026-01-31</code>, <code>2026-01..2026-03</code> or <code>last-month</code>.
          </p>
        )}
    </details>
  );
}
