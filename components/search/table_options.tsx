import { DEFAULT_LIMIT } from "../../lib/client/backend.ts";
import { Choice } from "../ui/form.tsx";
import { INPUTS } from "./new_condition.ts";
import type { SearchedRows, ShownSearch } from "./page_view.ts";
import { type FormTarget, ViewInputs } from "./search_form_view.tsx";
import { columnLabel } from "./search_words.ts";

const PAGE_SIZES = [25, 50, 100, 250, 500, 1000];

export function TableOptions({ view, rows, target }: {
  readonly view: ShownSearch;
  readonly rows: SearchedRows;
  readonly target: FormTarget;
}) {
  const { table } = rows;
  const { limit = rows.defaultLimit ?? DEFAULT_LIMIT, columns = rows.defaultColumns, ...search } =
    view;
  return (
    <form {...target} class="table-options" id="table-options">
      <ViewInputs view={search} table={table} />
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
      </div>
      <button type="submit">Apply</button>
    </form>
  );
}
