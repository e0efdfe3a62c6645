import { DEFAULT_LIMIT } from "../../../lib/client/backend.ts";
import { ORDERS } from "../../../lib/fields.ts";
import { Choice } from "../../ui/form.tsx";
import { ORDER_LABELS } from "../../ui/search_words.ts";
import type { FileSetsView } from "../file_sets_view.ts";
import { columnLabel, DEFAULT_COLUMNS, FIELDS } from "../search/search_text.ts";
import { INPUTS } from "./draft.ts";
import { PresentView } from "./present_view.tsx";

/** The page sizes to choose from. A link may use any other. */
const PAGE_SIZES = [25, 50, 100, 250, 500, 1000];

/** A form for what the table shows: columns, page size, row spacing, and a further sort key. */
export function TableOptions({ view, upstream }: {
  readonly view: FileSetsView;
  /** Whether the service is not Docket's own, so that only one order is certain. */
  readonly upstream: boolean;
}) {
  const { limit = DEFAULT_LIMIT, density = "", columns = DEFAULT_COLUMNS } = view;
  const { limit: _limit, density: _density, columns: _columns, ...search } = view;
  return (
    <form method="get" action="/filesets" class="table-options" id="table-options">
      <PresentView view={search} />
      <div class="checks" role="group" aria-label="Columns">
        {FIELDS.map((field) => (
          <label key={field}>
            <input
              type="checkbox"
              name={INPUTS.column}
              value={field}
              checked={columns.includes(field)}
            />
            {columnLabel(field)}
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
          name="density"
          label="Row spacing"
          selected={density}
          options={[
            { value: "", text: "Default" },
            { value: "comfortable", text: "Comfortable" },
            { value: "compact", text: "Compact" },
          ]}
        />
        <Choice
          name={INPUTS.sortField}
          label="Also sort by"
          options={[
            { value: "", text: "None" },
            ...FIELDS.map((field) => ({ value: field, text: columnLabel(field) })),
          ]}
        />
        <Choice
          name={INPUTS.sortOrder}
          label="Order"
          options={ORDERS.map((value) => ({
            value,
            text: ORDER_LABELS[value] +
              (upstream && value !== ORDERS[0] ? " (undocumented)" : ""),
          }))}
        />
      </div>
      <button type="submit">Apply</button>
    </form>
  );
}
