import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import { ORDERS } from "../../lib/fields.ts";
import { Choice } from "../ui/form.tsx";
import { INPUTS } from "./new_condition.ts";
import type { SearchedRows, ShownSearch } from "./page_view.ts";
import { type FormTarget, ViewInputs } from "./search_form_view.tsx";
import { columnLabel, ORDER_LABELS } from "./search_words.ts";

const PAGE_SIZES = [25, 50, 100, 250, 500, 1000];

export function TableOptions({ view, rows, target, format }: {
  readonly view: ShownSearch;
  readonly rows: SearchedRows;
  readonly target: FormTarget;
  readonly format?: (view: ShownSearch) => URLSearchParams;
}) {
  const { table } = rows;
  const { limit = DEFAULT_LIMIT, columns = rows.defaultColumns, ...search } = view;
  return (
    <form {...target} class="table-options" id="table-options">
      <ViewInputs view={search} format={format} />
      <div class="checks" role="group" aria-label="Columns">
        {rows.columns.map((field) => (
          <label key={field}>
            <input
              type="checkbox"
              name={INPUTS.column}
              value={field}
              checked={columns.includes(field)}
              disabled={field === rows.fixedColumn}
            />
            {columnLabel(table, field)}
          </label>
        ))}
      </div>
      <div class="inputs">
        <Choice
          name="limit"
          label="Page size"
          selected={String(limit)}
          options={[...new Set([...PAGE_SIZES, limit])]
            .sort((a, b) => a - b)
            .map((size) => ({ value: String(size), text: String(size) }))}
        />
        <Choice
          name={INPUTS.sortField}
          label="Also sort by"
          options={[
            { value: "", text: "None" },
            ...rows.columns.map((field) => ({ value: field, text: columnLabel(table, field) })),
          ]}
        />
        <Choice
          name={INPUTS.sortOrder}
          label="Order"
          options={ORDERS.map((value) => ({ value, text: ORDER_LABELS[value] }))}
        />
      </div>
      <button type="submit">Apply</button>
    </form>
  );
}
